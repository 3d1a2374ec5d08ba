package dev.mayfly.core.jobs;

import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.gather.GatheredInputs;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.sentinel.SharedSentinels;
import dev.mayfly.core.text.TaskTemplate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds outputs and sentinels in bulk: by listing, a thousand at a time, or one by one if there are
 * few.
 */
public final class OutputLookup {
  private static final int FEW = 3;

  private final ObjectStore objectStore;
  private final SharedSentinels sharedSentinels;

  public OutputLookup(ObjectStore objectStore, SharedSentinels sharedSentinels) {
    this.objectStore = objectStore;
    this.sharedSentinels = sharedSentinels;
  }

  /** Those of jobs that have one object for many tasks. */
  SharedSentinels sharedSentinels() {
    return sharedSentinels;
  }

  /**
   * What exists at the outputs of some tasks.
   *
   * @param done those that need not run, because the job accepts their sentinel
   * @param refused sentinels that the job does not accept
   */
  public record Existing(TaskSet done, List<Refused> refused) {
    public Existing {
      refused = List.copyOf(refused);
    }
  }

  /**
   * A sentinel that the job does not accept.
   *
   * @param output that it is beside
   */
  public record Refused(long index, String output, ObjectInfo sentinel) {}

  /** Sorts tasks by their sentinels; {@code items} are in order and without a gap. */
  public Existing sentinels(JobSpec spec, String bucket, String job, List<TaskItem> items) {
    if (items.isEmpty()) return new Existing(TaskSet.none(0), List.of());
    var first = items.getFirst().index();
    var outputs = items.stream().map(i -> OutputUrls.of(spec, bucket, job, i)).toList();
    var found = find(outputs.stream().map(o -> o + Sentinel.SUFFIX).toList());
    var present = new PresentInputs(spec, items, found.isEmpty());
    var done = new HashSet<Long>();
    var refused = new ArrayList<Refused>();
    for (var i = 0; i < items.size(); i++) {
      var sentinel = found.get(outputs.get(i) + Sentinel.SUFFIX);
      if (sentinel == null) continue;
      var rule = spec.data().doneRule().of(items.get(i).index());
      if (rule.accepts(job, sentinel.metadata(), present.of(items.get(i)))) done.add(first + i);
      else refused.add(new Refused(first + i, outputs.get(i), sentinel));
    }
    return new Existing(TaskSet.where(first, first + items.size(), done::contains), refused);
  }

  /** Deletes sentinels of a job's tasks, each as the generation that was seen. */
  void deleteSentinels(String bucket, String job, Map<Long, ObjectInfo> seen) {
    var folder = BucketLayout.of(bucket).sharedSentinels(job).toString();
    var shared = new HashMap<Long, ObjectInfo>();
    seen.forEach((task, sentinel) -> {
      if (sentinel.url().toString().startsWith(folder)) shared.put(task, sentinel);
      else {
        boolean unused = objectStore.delete(sentinel.url(), sentinel.generation());
      }
    });
    sharedSentinels.delete(bucket, job, shared);
  }

  /** What tasks would make their outputs from now, as far as the job's rule asks. */
  private final class PresentInputs {
    private final Optional<String> code;
    private final Map<String, ObjectInfo> inputs;

    PresentInputs(JobSpec spec, List<TaskItem> items, boolean unneeded) {
      code = spec.run().code().map(TaskTemplate::stem);
      var urls = items.stream().flatMap(i -> i.input().stream()).toList();
      inputs = unneeded || !spec.data().doneRule().input() ? Map.of() : find(urls);
    }

    MadeFrom of(TaskItem item) {
      var input = item.input().map(inputs::get);
      return new MadeFrom(
          input.map(info -> GatheredInputs.generation(info.generation(), info.metadata())), code);
    }
  }

  /** The objects that exist, by URL. */
  Map<String, ObjectInfo> find(List<String> urls) {
    var folders = new TreeMap<String, TreeSet<String>>();
    for (var url : urls)
      folders
          .computeIfAbsent(
              url.substring(0, url.lastIndexOf('/') + 1), f -> new TreeSet<>(ObjectNames.ORDER))
          .add(url);
    var found = new HashMap<String, ObjectInfo>();
    folders.values().forEach(names -> inFolder(names, found));
    return found;
  }

  private void inFolder(TreeSet<String> names, Map<String, ObjectInfo> found) {
    if (names.size() <= FEW) {
      for (var name : names)
        objectStore.find(ObjectUrl.of(name)).ifPresent(o -> found.put(name, o));
      return;
    }
    var first = ObjectUrl.of(names.first());
    var last = ObjectUrl.of(names.last()).name();
    var prefix = new ObjectUrl(first.root(), ObjectNames.commonPrefix(first.name(), last));
    // Listings start after a name, so the first name needs a separate find.
    objectStore.find(first).ifPresent(o -> found.put(names.first(), o));
    var from = Optional.of(first.name());
    while (from.filter(name -> ObjectNames.ORDER.compare(name, last) < 0).isPresent()) {
      var page = objectStore.list(prefix, from.get(), ObjectPage.MAX_OBJECTS);
      for (var object : page.objects()) {
        var url = object.url().toString();
        if (names.contains(url)) found.put(url, object);
      }
      from = page.next();
    }
  }
}
