package dev.mayfly.core.model.document;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.PinnedImage;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskTotals;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * {@code clusters/{uid}/jobs/{job}}: a job as it is stored.
 *
 * @param uid hash of the submission's id
 * @param hash names its spec for agents; unique for each job, whatever its content
 * @param tasks how many it has, 0 until expanded
 * @param items its tasks if they are few; otherwise they are in the task list objects
 * @param shardSize the initial number of tasks in a shard
 * @param submittedAt when the message was published
 * @param totals its tasks by state when it ended
 * @param attempts ended attempts by cause, when the job ended
 * @param outcome the URL of the first outcome object, when it ended
 * @param image what its image's tag resolved to at the first pull
 * @param followedUntil until when its logs are followed, as far as is known
 */
public record Job(
    String cluster,
    String uid,
    JobSpec spec,
    String hash,
    JobState state,
    long tasks,
    Optional<List<TaskItem>> items,
    long shardSize,
    Instant submittedAt,
    Instant acceptedAt,
    Optional<TaskTotals> totals,
    Map<FailureCause, Long> attempts,
    Optional<String> outcome,
    Optional<PinnedImage> image,
    Optional<Instant> followedUntil)
    implements LedgerDocument {
  /** Tasks in one task list object; task i is in object i / CHUNK. */
  public static final int CHUNK = 1_000;

  public Job {
    items = items.map(List::copyOf);
    attempts = Map.copyOf(attempts);
  }

  @Override
  public DocumentKey.OfJob key() {
    return new DocumentKey.OfJob(cluster, uid);
  }

  public Job with(JobState next) {
    return edit(e -> e.state = next);
  }

  public Job withSize(long n, long shard) {
    return edit(e -> {
      e.tasks = n;
      e.shardSize = shard;
    });
  }

  public Job withItems(List<TaskItem> few) {
    return edit(e -> e.items = Optional.of(few));
  }

  public Job withEnd(
      JobState.Ended end,
      TaskTotals last,
      Map<FailureCause, Long> failureCauses,
      Optional<String> url) {
    return edit(e -> {
      e.state = end;
      e.taskTotals = Optional.of(last);
      e.attempts = failureCauses;
      e.outcome = url;
    });
  }

  /** A copy as before its end; its results are dropped. */
  public Job reopened(JobState next) {
    return edit(e -> {
      e.state = next;
      e.taskTotals = Optional.empty();
      e.attempts = Map.of();
      e.outcome = Optional.empty();
    });
  }

  public Job running(PinnedImage exact) {
    return edit(e -> e.image = Optional.of(exact));
  }

  /** Records that a user follows its logs. */
  public Job withFollowedUntil(Instant until) {
    return edit(e -> e.followedUntil = Optional.of(until));
  }

  /** The spec as its tasks run in that cluster now. */
  public JobSpec effectiveSpec(ClusterSpec there) {
    var asWritten = spec.in(there);
    return image
        .filter(exact -> asWritten.run().image().equals(Optional.of(exact.image())))
        .map(asWritten::in)
        .orElse(asWritten);
  }

  public boolean running() {
    return state instanceof JobState.Running;
  }

  /** Whether a user reads its logs now. */
  public boolean isFollowed(Instant now) {
    return followedUntil.filter(now::isBefore).isPresent();
  }

  private Job edit(Consumer<Edit> change) {
    var edit = new Edit(this);
    change.accept(edit);
    return edit.made(this);
  }

  /** The mutable fields of a copy, so that each change names only what it changes. */
  private static final class Edit {
    private JobState state;
    private long tasks;
    private Optional<List<TaskItem>> items;
    private long shardSize;
    private Optional<TaskTotals> taskTotals;
    private Map<FailureCause, Long> attempts;
    private Optional<String> outcome;
    private Optional<PinnedImage> image;
    private Optional<Instant> followedUntil;

    Edit(Job was) {
      state = was.state;
      tasks = was.tasks;
      items = was.items;
      shardSize = was.shardSize;
      taskTotals = was.totals;
      attempts = was.attempts;
      outcome = was.outcome;
      image = was.image;
      followedUntil = was.followedUntil;
    }

    Job made(Job was) {
      return new Job(
          was.cluster,
          was.uid,
          was.spec,
          was.hash,
          state,
          tasks,
          items,
          shardSize,
          was.submittedAt,
          was.acceptedAt,
          taskTotals,
          attempts,
          outcome,
          image,
          followedUntil);
    }
  }
}
