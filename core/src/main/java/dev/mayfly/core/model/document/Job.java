package dev.mayfly.core.model.document;

import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.JobTasks;
import dev.mayfly.core.model.job.PinnedImage;
import dev.mayfly.core.model.job.TaskSource;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code clusters/{uid}/jobs/{job}}: a job as it is stored.
 *
 * @param uid hash of the submission's id
 * @param hash names its spec for agents; unique for each job, whatever its content
 * @param submittedAt when the message was published
 * @param image what its image's tag resolved to at the first pull
 * @param followedUntil until when its logs are followed, as far as is known
 * @param retriedAt when the newest retry of the ended job was published
 */
public record Job(
    String cluster,
    String uid,
    JobSpec spec,
    String hash,
    JobState state,
    JobTasks tasks,
    Instant submittedAt,
    Instant acceptedAt,
    Optional<PinnedImage> image,
    Optional<Instant> followedUntil,
    Optional<Instant> retriedAt)
    implements LedgerDocument {
  /** Tasks in one task list object; task i is in object i / CHUNK. */
  public static final int CHUNK = 1_000;

  /**
   * The hash of the job with that uid and content. Agents cache a job by it: another job with the
   * same content has other tasks and places.
   */
  public static String hash(String uid, String content) {
    return Sha256.of(uid + "/" + content);
  }

  /** Never retried. */
  public Job(
      String cluster,
      String uid,
      JobSpec spec,
      String hash,
      JobState state,
      JobTasks tasks,
      Instant submittedAt,
      Instant acceptedAt,
      Optional<PinnedImage> image,
      Optional<Instant> followedUntil) {
    this(
        cluster,
        uid,
        spec,
        hash,
        state,
        tasks,
        submittedAt,
        acceptedAt,
        image,
        followedUntil,
        Optional.empty());
  }

  /** Whether this is its content, as it was submitted. */
  public boolean hasContent(String content) {
    return hash.equals(hash(uid, content));
  }

  @Override
  public DocumentKey.OfJob key() {
    return new DocumentKey.OfJob(cluster, uid);
  }

  public Job with(JobState next) {
    return copy(spec, next, tasks, image, followedUntil, retriedAt);
  }

  public Job withSpec(JobSpec now) {
    return copy(now, state, tasks, image, followedUntil, retriedAt);
  }

  public Job withTasks(JobTasks listed) {
    return copy(spec, state, listed, image, followedUntil, retriedAt);
  }

  public Job withImage(PinnedImage exact) {
    return copy(spec, state, tasks, Optional.of(exact), followedUntil, retriedAt);
  }

  /** Records that a user follows its logs. */
  public Job withFollowedUntil(Instant time) {
    return copy(spec, state, tasks, image, Optional.of(time), retriedAt);
  }

  /** Records that it runs again after its end. */
  public Job withRetry(Instant published) {
    return copy(spec, state, tasks, image, followedUntil, Optional.of(published));
  }

  private Job copy(
      JobSpec now,
      JobState next,
      JobTasks listed,
      Optional<PinnedImage> exact,
      Optional<Instant> until,
      Optional<Instant> retried) {
    return new Job(
        cluster, uid, now, hash, next, listed, submittedAt, acceptedAt, exact, until, retried);
  }

  /** Since when its present attempts run: an output of before is none of theirs. */
  public Instant since() {
    return retriedAt.orElse(submittedAt);
  }

  /** The spec as its tasks run in that cluster now. */
  public JobSpec effectiveSpec(ClusterSpec there) {
    var asWritten = spec.in(there);
    return image
        .filter(exact -> asWritten.run().image().equals(Optional.of(exact.image())))
        .map(asWritten::in)
        .orElse(asWritten);
  }

  /**
   * How many of its tasks are known: all, or those that its document names or that were listed when
   * it ended before the list was complete.
   */
  public long knownTasks() {
    if (tasks.count() > 0 || tasks.open().isPresent()) return tasks.count();
    return switch (spec.tasks()) {
      case TaskSource.Count c -> c.count();
      case TaskSource.Items i -> i.items().size();
      case TaskSource.Open o -> o.items().size();
      case TaskSource.Inputs _, TaskSource.InputsOf _ -> tasks.listed().orElse(0L);
    };
  }

  /** The job when it ends before all of its tasks are in shards: it keeps what was listed. */
  public Job keepingListed() {
    return state instanceof JobState.Expanding e && e.cut() < 0 && e.counted() > 0
        ? withTasks(JobTasks.unfinished(e.counted()))
        : this;
  }

  /** Where its name is stored. */
  public DocumentKey.OfJobName nameKey() {
    return new DocumentKey.OfJobName(cluster, spec.owner(), spec.name());
  }

  public boolean running() {
    return state instanceof JobState.Running;
  }

  /** Whether a user reads its logs now. */
  public boolean isFollowed(Instant now) {
    return followedUntil.filter(now::isBefore).isPresent();
  }
}
