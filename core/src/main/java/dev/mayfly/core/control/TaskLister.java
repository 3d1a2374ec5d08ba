package dev.mayfly.core.control;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.job.Glob;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.TaskItem;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Places;
import dev.mayfly.core.port.Url;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/** Makes tasks from what a job gives, a slice at a time, and keeps them in task list objects. */
final class TaskLister {
  /**
   * Tasks of one slice at most: about twenty pages of a listing. A multiple of {@link Job#CHUNK}.
   */
  static final int SLICE = 20_000;

  /** So many tasks, and so many characters of them, are kept in the job's own document. */
  static final int INLINE = 200;

  private static final int INLINE_CHARS = 16_000;

  private final Objects objects;
  private final Codec codec;

  TaskLister(Objects objects, Codec codec) {
    this.objects = objects;
    this.codec = codec;
  }

  /**
   * A slice of a job's tasks.
   *
   * @param after where the next slice begins
   * @param counted tasks so far, this slice's included
   * @param items this slice's; none for tasks that differ by index alone
   * @param bytes of this slice's inputs, as far as they were listed
   * @param unusable objects of this slice that are left out
   */
  record Slice(
      String after,
      long counted,
      boolean complete,
      List<TaskItem> items,
      long bytes,
      UnusableInputs unusable) {
    static Slice whole(long counted, List<TaskItem> items) {
      return new Slice("", counted, true, items, 0, UnusableInputs.NONE);
    }
  }

  Slice next(JobSpec spec, String after, long counted) {
    return switch (spec.tasks()) {
      case TaskSource.Count c -> Slice.whole(c.count(), List.of());
      case TaskSource.Items i -> Slice.whole(i.items().size(), items(i.items()));
      case TaskSource.Inputs i -> inputs(i.glob(), after, counted);
    };
  }

  private static List<TaskItem> items(List<Map<String, String>> items) {
    return LongStream.range(0, items.size())
        .mapToObj(i ->
            new TaskItem(
                i, Optional.ofNullable(items.get((int) i).get("input")), items.get((int) i)))
        .toList();
  }

  private Slice inputs(String text, String after, long counted) {
    var url = place(text);
    var glob = glob(url);
    var prefix = new Url(url.root(), glob.prefix());
    var listing = new InputListing(url, glob, after, counted);
    for (var from = Optional.of(after); from.isPresent(); ) {
      var page = objects.list(prefix, from.get(), ObjectPage.MOST);
      from = listing.take(page) ? page.next() : Optional.empty();
    }
    return listing.slice();
  }

  private static Url place(String text) {
    try {
      return Url.of(text);
    } catch (IllegalArgumentException noPlace) {
      throw new Invalid("tasks.inputs", String.valueOf(noPlace.getMessage()));
    }
  }

  private static Glob glob(Url url) {
    try {
      return Glob.of(url.name());
    } catch (IllegalArgumentException noPattern) {
      throw new Invalid("tasks.inputs", String.valueOf(noPattern.getMessage()));
    }
  }

  static boolean small(List<TaskItem> items) {
    return items.size() <= INLINE
        && items.stream().mapToInt(i -> i.toString().length()).sum() <= INLINE_CHARS;
  }

  /**
   * Writes a slice's task list objects, each once: objects may have come and gone since an earlier
   * try of the slice, or while somebody else lists it too, and then the list that was there first
   * holds.
   *
   * @param slice whose first task has the number of a chunk's first
   * @return the slice as it is kept; it ends early where a list of another try went on differently
   */
  Slice keep(Places places, String job, Slice slice) {
    var kept = new ArrayList<TaskItem>();
    for (var from = 0; from < slice.items().size(); from += Job.CHUNK) {
      var chunk = slice.items().subList(from, Math.min(slice.items().size(), from + Job.CHUNK));
      var url = places.tasks(job, chunk.getFirst().index());
      var created = objects.create(url, Objects.Content.of(codec.tasks(chunk)), Map.of());
      if (created instanceof Objects.Creation.Created) {
        kept.addAll(chunk);
        continue;
      }
      var first = stored(url);
      kept.addAll(first);
      if (!first.equals(chunk)) return cut(slice, kept, first);
    }
    return slice;
  }

  private static Slice cut(Slice slice, List<TaskItem> kept, List<TaskItem> last) {
    var before = slice.counted() - slice.items().size();
    var after = Url.of(last.getLast().input().orElseThrow()).name();
    return new Slice(
        after,
        before + kept.size(),
        last.size() < Job.CHUNK,
        kept,
        slice.bytes(),
        slice.unusable());
  }

  private List<TaskItem> stored(Url url) {
    return objects
        .read(url, 64 << 20)
        .map(codec::tasks)
        .orElseThrow(() -> new Invalid(url.toString(), "the job's task list was deleted"));
  }

  /** The tasks of [from, to), from wherever they are kept. */
  List<TaskItem> read(Job job, Places places, long from, long to) {
    if (job.spec().tasks() instanceof TaskSource.Count)
      return LongStream.range(from, to).mapToObj(TaskItem::counted).toList();
    if (job.items().isPresent()) return job.items().get().subList((int) from, (int) to);
    var items = new ArrayList<TaskItem>();
    for (var chunk = from / Job.CHUNK; chunk * Job.CHUNK < to; chunk++) {
      var url = places.tasks(job.uid(), chunk * Job.CHUNK);
      for (var item : stored(url)) if (item.index() >= from && item.index() < to) items.add(item);
    }
    return items;
  }
}
