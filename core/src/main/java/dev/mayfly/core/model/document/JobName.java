package dev.mayfly.core.model.document;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code …/names/job.NAME}: which job has the name, and a stop that came before its job.
 *
 * @param job the newest job of that name, while it lives and afterwards; empty for a tombstone
 *     alone
 * @param hash of that job's content
 * @param live whether that job has not ended: a live name is taken
 * @param stoppedBefore when the newest stop was published: jobs of the name that were published
 *     before are stopped at birth
 * @param retriedAt when the newest retry was published: older words change nothing
 * @param repeats uids of the newest submissions that found their job there: delivered once more
 *     after its end, they are no job either
 */
public record JobName(
    String cluster,
    String name,
    Optional<String> job,
    String hash,
    boolean live,
    Optional<Instant> stoppedBefore,
    Optional<Instant> retriedAt,
    List<String> repeats)
    implements LedgerDocument {
  private static final int REPEATS = 20;

  public JobName {
    repeats = List.copyOf(repeats);
  }

  /** Of a job that nobody retried. */
  public JobName(
      String cluster,
      String name,
      Optional<String> job,
      String hash,
      boolean live,
      Optional<Instant> stoppedBefore) {
    this(cluster, name, job, hash, live, stoppedBefore, Optional.empty(), List.of());
  }

  /** A name that nobody has used. */
  public static JobName unused(String cluster, String name) {
    return new JobName(cluster, name, Optional.empty(), "", false, Optional.empty());
  }

  @Override
  public DocumentKey.OfJobName key() {
    return new DocumentKey.OfJobName(cluster, name);
  }

  /** When the newest stop or retry that was applied was published. */
  public Optional<Instant> lastCommandAt() {
    return Stream.of(stoppedBefore, retriedAt)
        .flatMap(Optional::stream)
        .max(Comparator.naturalOrder());
  }

  public JobName of(String uid, String content, boolean lives) {
    return new JobName(
        cluster, name, Optional.of(uid), content, lives, stoppedBefore, retriedAt, repeats);
  }

  public JobName ended() {
    return new JobName(cluster, name, job, hash, false, stoppedBefore, retriedAt, repeats);
  }

  public JobName withStop(Instant at) {
    return new JobName(cluster, name, job, hash, live, Optional.of(at), retriedAt, repeats);
  }

  /**
   * @param lives whether its job runs again
   */
  public JobName withRetry(Instant at, boolean lives) {
    return new JobName(cluster, name, job, hash, lives, stoppedBefore, Optional.of(at), repeats);
  }

  /** The submission with that uid asked for the job that is there. */
  public JobName withRepeat(String uid) {
    var all = Stream.concat(repeats.stream(), Stream.of(uid)).toList();
    var newest = all.subList(Math.max(0, all.size() - REPEATS), all.size());
    return new JobName(cluster, name, job, hash, live, stoppedBefore, retriedAt, newest);
  }
}
