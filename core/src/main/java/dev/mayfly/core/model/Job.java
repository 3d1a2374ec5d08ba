package dev.mayfly.core.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code clusters/{uid}/jobs/{job}}: a job as it is stored.
 *
 * @param uid hash of the submission's id
 * @param hash what agents know its spec by: two jobs never share one, whatever their content
 * @param tasks how many it has, 0 until expanded
 * @param items its tasks when they are few; otherwise they are read from the task list objects
 * @param shardSize tasks in a shard as it was first cut
 * @param submittedAt when the message was published
 * @param totals how it stood when it ended
 * @param attempts how many attempts ended by each cause, when it ended
 * @param outcome the URL of the first outcome object, when it ended
 * @param image what the tag of its image named when it was pulled first
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
    Optional<Totals> totals,
    Map<Cause, Long> attempts,
    Optional<String> outcome,
    Optional<ExactImage> image)
    implements Document {
  /** Tasks in one task list object; the object of task i is the one numbered i / CHUNK. */
  public static final int CHUNK = 1_000;

  public Job {
    items = items.map(List::copyOf);
    attempts = Map.copyOf(attempts);
  }

  /** A job of which no machine has pulled the image yet. */
  public Job(
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
      Optional<Totals> totals,
      Map<Cause, Long> attempts,
      Optional<String> outcome) {
    this(
        cluster,
        uid,
        spec,
        hash,
        state,
        tasks,
        items,
        shardSize,
        submittedAt,
        acceptedAt,
        totals,
        attempts,
        outcome,
        Optional.empty());
  }

  @Override
  public Key.OfJob key() {
    return new Key.OfJob(cluster, uid);
  }

  public Job with(JobState next) {
    return new Job(
        cluster,
        uid,
        spec,
        hash,
        next,
        tasks,
        items,
        shardSize,
        submittedAt,
        acceptedAt,
        totals,
        attempts,
        outcome,
        image);
  }

  public Job sized(long n, long shard) {
    return new Job(
        cluster,
        uid,
        spec,
        hash,
        state,
        n,
        items,
        shard,
        submittedAt,
        acceptedAt,
        totals,
        attempts,
        outcome,
        image);
  }

  public Job listing(List<TaskItem> few) {
    return new Job(
        cluster,
        uid,
        spec,
        hash,
        state,
        tasks,
        Optional.of(few),
        shardSize,
        submittedAt,
        acceptedAt,
        totals,
        attempts,
        outcome,
        image);
  }

  public Job ended(JobState.Ended end, Totals last, Map<Cause, Long> causes, Optional<String> url) {
    return new Job(
        cluster,
        uid,
        spec,
        hash,
        end,
        tasks,
        items,
        shardSize,
        submittedAt,
        acceptedAt,
        Optional.of(last),
        causes,
        url,
        image);
  }

  /** As it was before it ended: how that was is forgotten. */
  public Job again(JobState next) {
    return new Job(
        cluster,
        uid,
        spec,
        hash,
        next,
        tasks,
        items,
        shardSize,
        submittedAt,
        acceptedAt,
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        image);
  }

  public Job running(ExactImage exact) {
    return new Job(
        cluster,
        uid,
        spec,
        hash,
        state,
        tasks,
        items,
        shardSize,
        submittedAt,
        acceptedAt,
        totals,
        attempts,
        outcome,
        Optional.of(exact));
  }

  /** As its tasks run in that cluster now. */
  public JobSpec in(ClusterSpec there) {
    var asWritten = spec.in(there);
    return image
        .filter(exact -> asWritten.run().image().equals(Optional.of(exact.image())))
        .map(asWritten::in)
        .orElse(asWritten);
  }

  /** Whether leases may be granted. */
  public boolean running() {
    return state instanceof JobState.Running;
  }
}
