package dev.mayfly.core.model.document;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code …/names/job.OWNER.NAME}, or {@code job.NAME} for jobs without an owner: the job that has
 * the name among its owner's, and a stop that arrived before its job.
 *
 * @param job the newest job of that name, live or ended; empty if there is only a stop
 * @param hash of that job's content
 * @param live whether that job has not ended; the name is then taken
 * @param stoppedBefore when the newest stop was published: jobs of the name published earlier are
 *     stopped when they are created
 * @param retriedAt when the newest retry was published: older commands change nothing
 * @param repeats uids of the newest submissions that found an existing job; delivered again after
 *     its end, they create no job either. Each job of the name begins with a line of its own,
 *     {@code =UID}, so that it is known which of them found it
 */
public record JobName(
    String cluster,
    Optional<String> owner,
    String name,
    Optional<String> job,
    String hash,
    boolean live,
    Optional<Instant> stoppedBefore,
    Optional<Instant> retriedAt,
    List<String> repeats)
    implements LedgerDocument {
  private static final int REPEATS = 20;
  private static final String BEGIN = "=";

  public JobName {
    repeats = List.copyOf(repeats);
  }

  /** A name that no job has had. */
  public static JobName unused(DocumentKey.OfJobName key) {
    return new JobName(
        key.cluster(),
        key.owner(),
        key.name(),
        Optional.empty(),
        "",
        false,
        Optional.empty(),
        Optional.empty(),
        List.of());
  }

  @Override
  public DocumentKey.OfJobName key() {
    return new DocumentKey.OfJobName(cluster, owner, name);
  }

  /** When the newest applied stop or retry was published. */
  public Optional<Instant> lastCommandAt() {
    return Stream.of(stoppedBefore, retriedAt)
        .flatMap(Optional::stream)
        .max(Comparator.naturalOrder());
  }

  public JobName of(String uid, String content, boolean lives) {
    return new JobName(
        cluster,
        owner,
        name,
        Optional.of(uid),
        content,
        lives,
        stoppedBefore,
        retriedAt,
        with(BEGIN + uid));
  }

  public JobName ended() {
    return new JobName(cluster, owner, name, job, hash, false, stoppedBefore, retriedAt, repeats);
  }

  public JobName withStop(Instant at) {
    return new JobName(cluster, owner, name, job, hash, live, Optional.of(at), retriedAt, repeats);
  }

  /**
   * Keeps the time of a newer retry: those of single tasks may come in another order.
   *
   * @param lives whether its job runs again
   */
  public JobName withRetry(Instant at, boolean lives) {
    var newest = retriedAt.filter(at::isBefore).orElse(at);
    return new JobName(
        cluster, owner, name, job, hash, lives, stoppedBefore, Optional.of(newest), repeats);
  }

  /** Records that the submission with that uid asked for the existing job. */
  public JobName withRepeat(String uid) {
    return new JobName(cluster, owner, name, job, hash, live, stoppedBefore, retriedAt, with(uid));
  }

  private List<String> with(String line) {
    var all = Stream.concat(repeats.stream(), Stream.of(line)).toList();
    return all.subList(Math.max(0, all.size() - REPEATS), all.size());
  }

  /** The job that the submission with that uid found; empty if it is not known as a repeat. */
  public Optional<String> foundBy(String uid) {
    var at = repeats.lastIndexOf(uid);
    if (at < 0) return Optional.empty();
    var begins = repeats.subList(0, at).stream().filter(line -> line.startsWith(BEGIN)).toList();
    return begins.isEmpty()
        // Its begin is forgotten; it is the present one unless another began since.
        ? job.filter(of -> repeats.stream().skip(at).noneMatch(line -> line.startsWith(BEGIN)))
        : Optional.of(begins.getLast().substring(BEGIN.length()));
  }

  /** Whether the submission with that uid is, or found, the present job, and not an earlier one. */
  public boolean isSubmittedAs(String uid) {
    var own = job.map(of -> repeats.lastIndexOf(BEGIN + of)).orElse(-1);
    return job.filter(uid::equals).isPresent() || repeats.lastIndexOf(uid) > own;
  }
}
