package dev.mayfly.core.jobs;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.jobs.gather.GatherListing;
import dev.mayfly.core.jobs.items.StoredItems;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.gather.GatheredInputs;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.text.Glob;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/** Creates a job's tasks, one batch at a time, and stores them in task list objects. */
public final class TaskLister {
  /** Most tasks of one batch: about twenty pages of a listing. A multiple of {@link Job#CHUNK}. */
  static final int BATCH_TASKS = 20_000;

  /** Up to this many tasks, of up to this many characters, are stored in the job's own document. */
  static final int INLINE = 200;

  private static final int INLINE_CHARS = 16_000;

  private final ObjectStore objectStore;
  private final Codec codec;

  public TaskLister(ObjectStore objectStore, Codec codec) {
    this.objectStore = objectStore;
    this.codec = codec;
  }

  /**
   * A batch of a job's tasks.
   *
   * @param after where the next batch starts
   * @param counted tasks so far, including this batch's
   * @param items this batch's; empty for tasks that differ by index alone
   * @param bytes of this batch's inputs, as far as listed
   * @param unusable objects of this batch that are left out
   * @param gathered what the only task reads as a folder
   */
  public record TaskBatch(
      String after,
      long counted,
      boolean complete,
      List<TaskItem> items,
      long bytes,
      UnusableInputs unusable,
      Optional<GatheredInputs> gathered) {
    TaskBatch(
        String after,
        long counted,
        boolean complete,
        List<TaskItem> items,
        long bytes,
        UnusableInputs unusable) {
      this(after, counted, complete, items, bytes, unusable, Optional.empty());
    }

    /** The one task whose input is the list at {@code place}; none for an empty list. */
    static TaskBatch gathering(ObjectUrl place, GatheredInputs all, UnusableInputs unusable) {
      var items =
          all.objects().isEmpty()
              ? List.<TaskItem>of()
              : List.of(new TaskItem(0, Optional.of(place.toString()), Map.of()));
      var some = Optional.of(all).filter(_ -> !items.isEmpty());
      return new TaskBatch("", items.size(), true, items, all.bytes(), unusable, some);
    }

    static TaskBatch whole(long counted, List<TaskItem> items) {
      return new TaskBatch("", counted, true, items, 0, UnusableInputs.NONE);
    }
  }

  /**
   * @param list where a list of what is gathered will be
   */
  TaskBatch next(JobSpec spec, ObjectUrl list, String after, long counted) {
    return switch (spec.tasks()) {
      case TaskSource.Gather(TaskSource.Inputs i) -> gathered(i.glob(), list);
      case TaskSource.Gather(TaskSource.InputsOf i) -> throw unknown(i);
      case TaskSource.Count c -> TaskBatch.whole(c.count(), List.of());
      case TaskSource.Items i -> TaskBatch.whole(i.items().size(), items(i.items()));
      case TaskSource.Inputs i -> inputs(i.glob(), after, counted);
      case TaskSource.ItemsFile f -> ofFile(f, (int) counted);
      case TaskSource.Open o -> TaskBatch.whole(o.items().size(), items(o.items()));
      case TaskSource.InputsOf i -> throw unknown(i);
    };
  }

  private static InvalidInputException unknown(TaskSource.InputsOf of) {
    return new InvalidInputException(
        "tasks.inputsOf",
        "reads outputs of job %s, and does not come after it; name it in after"
            .formatted(of.job()));
  }

  /**
   * The tasks as known before the job's predecessors have ended: its inputs are not listed, because
   * they may be made by these jobs. Throws {@link InvalidInputException} for a pattern that is not
   * one.
   */
  TaskBatch unlisted(JobSpec spec, ObjectUrl list) {
    var listed = spec.tasks().listed();
    if (spec.tasks() instanceof TaskSource.ItemsFile file) {
      var _ = new StoredItems(objectStore, codec).read(file);
    } else if (listed.isEmpty()) return next(spec, list, "", 0);
    if (listed.orElse(null) instanceof TaskSource.Inputs i) {
      var _ = glob(place(i.glob()));
    }
    return new TaskBatch("", 0, false, List.of(), 0, UnusableInputs.NONE);
  }

  /** The whole list that begins with this batch, for a plan that stores nothing. */
  TaskBatch whole(JobSpec spec, ObjectUrl list, TaskBatch first) {
    var items = new ArrayList<>(first.items());
    var unusable = first.unusable();
    var bytes = first.bytes();
    var last = first;
    while (!last.complete()) {
      last = next(spec, list, last.after(), last.counted());
      items.addAll(last.items());
      unusable = unusable.plus(last.unusable());
      bytes += last.bytes();
    }
    return new TaskBatch("", last.counted(), true, items, bytes, unusable);
  }

  /** Why the job has no tasks. */
  static String nothing(JobSpec spec, TaskBatch listed) {
    var predecessor = spec.tasks().predecessor();
    if (predecessor.isPresent())
      return "no task of job %s left an output with a sentinel".formatted(predecessor.get());
    return spec.tasks().listed().orElse(null) instanceof TaskSource.Inputs i
        ? "no object matches "
            + i.glob()
            + listed
                .unusable()
                .warning(true)
                .map(w -> ", and " + w)
                .orElseGet(() -> "; " + InputListing.look(place(i.glob())))
            + (i.glob().contains("[")
                ? ", and [...] is one of the characters in it: write [[] for a bracket"
                : "")
        : "the job has no tasks";
  }

  private static List<TaskItem> items(List<Map<String, String>> items) {
    return LongStream.range(0, items.size())
        .mapToObj(i ->
            new TaskItem(
                i, Optional.ofNullable(items.get((int) i).get("input")), items.get((int) i)))
        .toList();
  }

  private TaskBatch ofFile(TaskSource.ItemsFile source, int from) {
    var all = new StoredItems(objectStore, codec).read(source);
    var to = Math.min(all.size(), from + BATCH_TASKS);
    var batch = all.subList(Math.min(from, to), to);
    return new TaskBatch("", to, to == all.size(), batch, 0, UnusableInputs.NONE);
  }

  private TaskBatch inputs(String text, String after, long counted) {
    var objectUrl = place(text);
    var glob = glob(objectUrl);
    var prefix = new ObjectUrl(objectUrl.root(), glob.prefix());
    var listing = new InputListing(objectUrl, glob, after, counted);
    for (var from = Optional.of(after); from.isPresent(); ) {
      var page = objectStore.list(prefix, from.get(), ObjectPage.MAX_OBJECTS);
      from = listing.take(page) ? page.next() : Optional.empty();
    }
    return listing.batch();
  }

  private TaskBatch gathered(String text, ObjectUrl list) {
    var place = place(text);
    var unusable = new ArrayList<String>();
    var all = GatherListing.of(objectStore, place, glob(place), unusable::add);
    var left = UnusableInputs.NONE;
    for (var name : unusable) left = left.with(place.root(), name);
    return TaskBatch.gathering(list, all, left);
  }

  private static ObjectUrl place(String text) {
    try {
      return ObjectUrl.of(text);
    } catch (IllegalArgumentException noPlace) {
      throw new InvalidInputException("tasks.inputs", String.valueOf(noPlace.getMessage()));
    }
  }

  private static Glob glob(ObjectUrl objectUrl) {
    try {
      return Glob.of(objectUrl.name());
    } catch (IllegalArgumentException noPattern) {
      throw new InvalidInputException("tasks.inputs", String.valueOf(noPattern.getMessage()));
    }
  }

  static boolean fitsInline(List<TaskItem> items) {
    return items.size() <= INLINE
        && items.stream().mapToInt(i -> i.toString().length()).sum() <= INLINE_CHARS;
  }

  /**
   * Writes a batch's task list objects, each once: objects may have come and gone since an earlier
   * try of the batch, or while another call lists it too; then the list that was stored first
   * holds.
   *
   * @param taskBatch whose first task has the number of a chunk's first
   * @return the batch as stored; it ends early where an earlier list differs
   */
  TaskBatch store(BucketLayout bucketLayout, String job, TaskBatch taskBatch) {
    storeGathered(bucketLayout, job, taskBatch);
    var kept = new ArrayList<TaskItem>();
    for (var from = 0; from < taskBatch.items().size(); from += Job.CHUNK) {
      var chunk =
          taskBatch.items().subList(from, Math.min(taskBatch.items().size(), from + Job.CHUNK));
      var objectUrl = bucketLayout.tasks(job, chunk.getFirst().index());
      var created =
          objectStore.create(objectUrl, ObjectStore.Content.of(codec.tasks(chunk)), Map.of());
      if (created instanceof ObjectStore.Creation.Created) {
        kept.addAll(chunk);
        continue;
      }
      var first = stored(objectUrl);
      kept.addAll(first);
      if (!first.equals(chunk)) return cut(taskBatch, kept, first);
    }
    return taskBatch;
  }

  /** Before anything names it. The list that was stored first holds, as for tasks. */
  void storeGathered(BucketLayout bucketLayout, String job, TaskBatch taskBatch) {
    taskBatch
        .gathered()
        .ifPresent(all -> {
          var unused =
              objectStore.create(
                  bucketLayout.gathered(job),
                  ObjectStore.Content.of(codec.gathered(all)),
                  all.metadata());
        });
  }

  private static TaskBatch cut(TaskBatch taskBatch, List<TaskItem> kept, List<TaskItem> last) {
    var before = taskBatch.counted() - taskBatch.items().size();
    var after = ObjectUrl.of(last.getLast().input().orElseThrow()).name();
    return new TaskBatch(
        after,
        before + kept.size(),
        last.size() < Job.CHUNK,
        kept,
        taskBatch.bytes(),
        taskBatch.unusable());
  }

  private List<TaskItem> stored(ObjectUrl objectUrl) {
    return objectStore
        .read(objectUrl, 64 << 20)
        .map(codec::tasks)
        .orElseThrow(() ->
            new InvalidInputException(objectUrl.toString(), "the job's task list was deleted"));
  }

  /**
   * The tasks of a range whose shards are at hand: an open job's tasks are stored with them, those
   * of others are read.
   */
  public List<TaskItem> read(
      Job job, BucketLayout bucketLayout, long from, long to, Collection<Shard> shards) {
    if (!(job.spec().tasks() instanceof TaskSource.Open) || job.tasks().open().isEmpty())
      return read(job, bucketLayout, from, to);
    return shards.stream()
        .flatMap(shard -> shard.item().stream())
        .filter(item -> item.index() >= from && item.index() < to)
        .sorted(Comparator.comparingLong(TaskItem::index))
        .toList();
  }

  /** The tasks that the document of a job names whose list was never stored. */
  private static Optional<List<TaskItem>> named(Job job) {
    if (job.tasks().count() > 0) return Optional.empty();
    return switch (job.spec().tasks()) {
      case TaskSource.Items i -> Optional.of(items(i.items()));
      case TaskSource.Open o -> Optional.of(items(o.items()));
      case TaskSource.Count _, TaskSource.Listed _, TaskSource.Gather _, TaskSource.ItemsFile _ ->
          Optional.empty();
    };
  }

  /** The tasks of [from, to), wherever they are stored. */
  public List<TaskItem> read(Job job, BucketLayout bucketLayout, long from, long to) {
    if (job.spec().tasks() instanceof TaskSource.Count)
      return LongStream.range(from, to).mapToObj(TaskItem::counted).toList();
    if (job.tasks().items().isPresent())
      return job.tasks().items().get().subList((int) from, (int) to);
    var named = named(job);
    if (named.isPresent()) return named.get().subList((int) from, (int) to);
    var items = new ArrayList<TaskItem>();
    for (var chunk = from / Job.CHUNK; chunk * Job.CHUNK < to; chunk++) {
      var objectUrl = bucketLayout.tasks(job.uid(), chunk * Job.CHUNK);
      for (var item : stored(objectUrl))
        if (item.index() >= from && item.index() < to) items.add(item);
    }
    return items;
  }
}
