package dev.mayfly.core.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One attempt that ended without a result.
 *
 * @param exitCode of the process; 128 + the signal's number if a signal ended it; -1 if there was
 *     no process
 * @param evidence the last words, 200 characters at most
 * @param worker that ran it; of a gang the one by whose fault it ended, or else that of rank 0
 * @param lasting true if another attempt would fail alike, so that none is made; absent if not
 * @param kept true if the attempt stored a checkpoint from which the next one continues; absent if
 *     not
 * @param startedAt when the attempt began; absent if it did not, if that is not known, and from
 *     older agents
 * @param keptUntil when the newest of what its last checkpoint has was written; absent without a
 *     checkpoint, and from older agents
 * @param used what its processes used; absent where that was not measured
 * @param workers of a gang on several workers all that ran it, rank 0's first; absent of others, of
 *     older versions, and where the shard has too many
 */
public record AttemptFailure(
    long index,
    String attempt,
    FailureCause cause,
    int exitCode,
    String evidence,
    String worker,
    Instant at,
    Optional<Boolean> lasting,
    Optional<Boolean> kept,
    Optional<Instant> startedAt,
    Optional<Instant> keptUntil,
    Optional<TaskUse> used,
    Optional<List<String>> workers) {
  public static final int EVIDENCE_CAP = 200;

  private static final String CUT = "…";

  /** How many workers of a gang a sentence names beside one of them. */
  private static final int MOST_NAMED = 8;

  /** The exit code of what had no process. */
  public static final int NO_PROCESS = -1;

  /** One that another attempt may not share, and that stored no checkpoint. */
  public AttemptFailure(
      long index,
      String attempt,
      FailureCause cause,
      int exitCode,
      String evidence,
      String worker,
      Instant at) {
    this(
        index,
        attempt,
        cause,
        exitCode,
        evidence,
        worker,
        at,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Whether another attempt would fail alike. */
  public boolean isLasting() {
    return lasting.orElse(false);
  }

  /** The same, which another attempt would share. */
  public AttemptFailure asLasting() {
    var always = Optional.of(true);
    return new AttemptFailure(
        index, attempt, cause, exitCode, evidence, worker, at, always, kept, startedAt, keptUntil,
        used, workers);
  }

  /** Whether the next attempt continues from its checkpoint. */
  public boolean isKept() {
    return kept.orElse(false);
  }

  /** The same, from which the next attempt continues; from when is not known. */
  public AttemptFailure asKept() {
    return kept(Optional.empty());
  }

  /** The same, whose last checkpoint has what it did until then. */
  public AttemptFailure keptUntil(Instant when) {
    return kept(Optional.of(when));
  }

  private AttemptFailure kept(Optional<Instant> until) {
    var stored = Optional.of(true);
    return new AttemptFailure(
        index, attempt, cause, exitCode, evidence, worker, at, lasting, stored, startedAt, until,
        used, workers);
  }

  /** The same of an attempt that began then. */
  public AttemptFailure begun(Instant when) {
    var began = Optional.of(when);
    return new AttemptFailure(
        index, attempt, cause, exitCode, evidence, worker, at, lasting, kept, began, keptUntil,
        used, workers);
  }

  /** The same with what its processes used. */
  public AttemptFailure withUse(Optional<TaskUse> measured) {
    return new AttemptFailure(
        index, attempt, cause, exitCode, evidence, worker, at, lasting, kept, startedAt, keptUntil,
        measured, workers);
  }

  /** The same of a gang on these workers, rank 0's first; of one worker it is as it was. */
  public AttemptFailure on(List<String> gang) {
    return withWorkers(Optional.of(gang).filter(all -> all.size() > 1));
  }

  /** The same without the names of its other workers. */
  public AttemptFailure withoutWorkers() {
    return withWorkers(Optional.empty());
  }

  private AttemptFailure withWorkers(Optional<List<String>> all) {
    return new AttemptFailure(
        index, attempt, cause, exitCode, evidence, worker, at, lasting, kept, startedAt, keptUntil,
        used, all);
  }

  /** All that ran it, as far as they are known. */
  public List<String> allWorkers() {
    return workers.orElseGet(() -> List.of(worker));
  }

  /** The same in words; a large gang's are counted. */
  public String place() {
    var others = allWorkers().stream().filter(it -> !it.equals(worker)).toList();
    if (others.isEmpty()) return worker;
    return others.size() > MOST_NAMED
        ? "%s, with %d others".formatted(worker, others.size())
        : worker + ", with " + String.join(", ", others);
  }

  /** Whether it ended by no fault of the user: its machine ended, or Mayfly ended it. */
  public boolean isNobodysFault() {
    return switch (cause.budget()) {
      case INFRASTRUCTURE, PLATFORM -> true;
      case FAILURES, NONE -> false;
    };
  }

  /**
   * How long it ran for nothing by no fault of the user: since its last checkpoint, or all the time
   * without one. Of a checkpoint of an unknown time nothing counts as lost.
   */
  public Duration wasted() {
    return isNobodysFault() ? ranForNothing() : Duration.ZERO;
  }

  /** How long it ran for nothing, whosever fault it was, as in {@link #wasted}. */
  public Duration ranForNothing() {
    return isKept() ? keptUntil.map(this::since).orElse(Duration.ZERO) : ran();
  }

  private Duration since(Instant moment) {
    var span = Duration.between(moment, at);
    return span.isPositive() ? span : Duration.ZERO;
  }

  /** How long it ran; zero if that is not known. */
  public Duration ran() {
    return startedAt.map(this::since).orElse(Duration.ZERO);
  }

  /** Whether it had a process, which ended with {@link #exitCode}. */
  public boolean hadProcess() {
    return exitCode >= 0;
  }

  /** Whether it counts in no budget, although its command ran. */
  public boolean isUncounted() {
    return switch (cause.budget()) {
      case FAILURES, INFRASTRUCTURE -> false;
      case PLATFORM -> isKept() || cause == FailureCause.OUTRANKED;
      case NONE -> hadProcess();
    };
  }

  /**
   * The evidence in short. Of a program's own words this is the last line: those before it have
   * paths of the attempt, which make the same failure look different. Mayfly's words are whole.
   */
  public String summary() {
    var text = evidence.strip();
    var itsOwn = hadProcess() && cause != FailureCause.INFRASTRUCTURE;
    return itsOwn ? text.substring(text.lastIndexOf('\n') + 1).strip() : text;
  }

  /** Cuts the end off, for evidence whose beginning matters most: it then ends in {@code …}. */
  public static String fit(String evidence) {
    return evidence.length() > EVIDENCE_CAP
        ? evidence.substring(0, EVIDENCE_CAP - 1) + CUT
        : evidence;
  }

  /** The same with another cause. */
  public AttemptFailure with(FailureCause other) {
    return new AttemptFailure(
        index, attempt, other, exitCode, evidence, worker, at, lasting, kept, startedAt, keptUntil,
        used, workers);
  }

  public AttemptFailure {
    workers = workers.map(List::copyOf);
    if (evidence.length() > EVIDENCE_CAP)
      evidence = CUT + evidence.substring(evidence.length() - EVIDENCE_CAP + 1);
  }
}
