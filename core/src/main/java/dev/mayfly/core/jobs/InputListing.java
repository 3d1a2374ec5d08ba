package dev.mayfly.core.jobs;

import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.text.Glob;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Collects the tasks of one batch from the pages of a listing. */
final class InputListing {
  private final ObjectUrl place;
  private final Glob glob;
  private final long firstIndex;
  private final List<TaskItem> items = new ArrayList<>();
  private String last;
  private long bytes;
  private UnusableInputs unusable = UnusableInputs.NONE;

  /**
   * @param after the name of the previous batch's last object
   * @param counted number of tasks in all previous slices
   */
  InputListing(ObjectUrl place, Glob glob, String after, long counted) {
    this.place = place;
    this.glob = glob;
    this.last = after;
    this.firstIndex = counted;
  }

  /** Takes the page's objects that belong to the batch; false when the batch is full. */
  boolean take(ObjectPage page) {
    for (var object : page.objects()) {
      if (full()) break;
      if (glob.matches(object.url().name())) take(object);
    }
    for (var name : page.unusable())
      if (glob.matches(name) && !inNextSlice(name)) unusable = unusable.with(place.root(), name);
    return !full();
  }

  private void take(ObjectInfo object) {
    last = object.url().name();
    bytes += object.size();
    var index = firstIndex + items.size();
    items.add(new TaskItem(index, Optional.of(object.url().toString()), Map.of()));
  }

  private boolean full() {
    return items.size() == TaskLister.BATCH_TASKS;
  }

  private boolean inNextSlice(String name) {
    return full() && ObjectNames.ORDER.compare(name, last) > 0;
  }

  TaskLister.TaskBatch batch() {
    return new TaskLister.TaskBatch(
        last, firstIndex + items.size(), !full(), items, bytes, unusable);
  }

  /**
   * How to see what is there, if nothing matches.
   *
   * @param glob a pattern that is valid
   */
  static String look(ObjectUrl glob) {
    var prefix = Glob.of(glob.name()).prefix();
    var folder = prefix.substring(0, prefix.lastIndexOf('/') + 1);
    var bucket = glob.root().replaceFirst("^[a-z]+://", "");
    var commands =
        bucket.isEmpty()
            ? "ls /" + folder
            : "gcloud storage ls %1$s/%3$s (laptop cloud: ls ~/.mayfly/cloud/buckets/%2$s/%3$s)"
                .formatted(glob.root(), bucket, folder);
    return commands + " lists what is there, and note that * stays within one folder";
  }
}
