package dev.mayfly.core.model.job;

import dev.mayfly.core.model.FailureCause;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The state of a job. */
public sealed interface JobState {
  /** Its predecessors have not ended as it requires; its tasks are not listed yet. */
  record Waiting(Instant since) implements JobState {}

  /**
   * Its tasks are being listed.
   *
   * @param after the name of the last object listed, empty at the beginning
   * @param counted tasks listed so far
   * @param cut tasks already in shards, once all are listed; -1 before
   * @param workedUntil until when a call claims the work, renewed by its progress; unclaimed if
   *     empty or past
   * @param repeatAt from when on a tick sends the trigger again that continues the work; at once if
   *     empty
   */
  record Expanding(
      String after,
      long counted,
      long cut,
      Optional<Instant> workedUntil,
      Optional<Instant> repeatAt)
      implements JobState {
    /** Unclaimed, and due. */
    public Expanding(String after, long counted, long cut) {
      this(after, counted, cut, Optional.empty(), Optional.empty());
    }

    private Expanding with(Optional<Instant> until, Optional<Instant> repeat) {
      return new Expanding(after, counted, cut, until, repeat);
    }
  }

  record Running(Instant since) implements JobState {}

  /** Nothing new is leased, and running tasks are recalled. */
  record Stopping(Instant since, String by) implements JobState {}

  /**
   * Outputs are compared with sentinels and done bits, and the outcome is written.
   *
   * @param audited what was compared so far
   * @param workedUntil as in {@link Expanding}
   * @param stoppedBy why it was stopped, if it was
   * @param unstarted how it ends, if it was refused or stopped before any task could run
   * @param repeatAt as in {@link Expanding}; {@link #REPEAT} after {@code since} if empty
   */
  record Finishing(
      Instant since,
      boolean stopped,
      Optional<Audited> audited,
      Optional<Instant> workedUntil,
      Optional<String> stoppedBy,
      Optional<Unstarted> unstarted,
      Optional<Instant> repeatAt)
      implements JobState {
    /** Unclaimed, with nothing compared yet. */
    public Finishing(Instant since, boolean stopped) {
      this(since, stopped, Optional.empty(), Optional.empty());
    }

    private Finishing(
        Instant since, boolean stopped, Optional<String> stoppedBy, Optional<Unstarted> unstarted) {
      this(
          since,
          stopped,
          Optional.empty(),
          Optional.empty(),
          stoppedBy,
          unstarted,
          Optional.empty());
    }

    /** The same for a job of which no task could run. */
    public static Finishing unstarted(Instant since, Result result, String reason) {
      var end = Optional.of(new Unstarted(result, reason));
      var stopped = result == Result.STOPPED;
      return new Finishing(since, stopped, Optional.empty(), end);
    }

    /** The same for a job that was stopped. */
    public static Finishing stopped(Instant since, String by) {
      return new Finishing(since, true, Optional.of(by), Optional.empty());
    }

    /** The same comparison, further on. */
    public Finishing with(Audited compared) {
      return new Finishing(
          since, stopped, Optional.of(compared), workedUntil, stoppedBy, unstarted, repeatAt);
    }

    private Finishing with(Optional<Instant> until, Optional<Instant> repeat) {
      return new Finishing(since, stopped, audited, until, stoppedBy, unstarted, repeat);
    }

    /** Why tasks of it were not run; empty if it ran as far as it could. */
    public Optional<String> whyNotRun() {
      return unstarted.map(Unstarted::reason).or(() -> stoppedBy);
    }
  }

  /** How a job ends of which no task could run. */
  record Unstarted(Result result, String reason) {}

  /**
   * The compared first part of a job's tasks.
   *
   * @param tasks how many
   * @param shard a shard that starts before the next task; reading of shards resumes there
   * @param shards how many start in this part
   * @param attempts ended attempts in these shards, by cause
   * @param earlier done tasks whose sentinel another job made
   * @param stopped tasks that a user stopped; absent if there is none
   * @param adopted as in {@link TaskTotals}
   */
  record Audited(
      long tasks,
      long shard,
      long shards,
      long done,
      long failed,
      long notRun,
      long inconsistent,
      Map<FailureCause, Long> attempts,
      long earlier,
      Optional<Long> stopped,
      Optional<Long> adopted) {
    public static final Audited NOTHING =
        new Audited(0, 0, 0, 0, 0, 0, 0, Map.of(), 0, Optional.empty(), Optional.empty());

    public Audited {
      attempts = Map.copyOf(attempts);
    }
  }

  /**
   * Nothing of it runs any more; a retry drops all of this.
   *
   * @param totals its tasks by state
   * @param attempts ended attempts by cause
   * @param outcome the URL of the first outcome object; empty only if it could not be written
   */
  record Ended(
      Instant since,
      Result result,
      String reason,
      TaskTotals totals,
      Map<FailureCause, Long> attempts,
      Optional<String> outcome)
      implements JobState {
    public Ended {
      attempts = Map.copyOf(attempts);
    }
  }

  enum Result {
    SUCCEEDED,
    FAILED,
    STOPPED
  }

  Instant NEVER = Instant.EPOCH;

  /**
   * How long a trigger is awaited before a tick sends it again. Longer than any that waits its turn
   * behind others needs, or ticks would lengthen the queue that they wait for.
   */
  Duration REPEAT = Duration.ofMinutes(2);

  /** Until when a call claims the state's work; empty if unclaimed. */
  default Optional<Instant> workedUntil() {
    return Optional.empty();
  }

  /** Whether a call is doing the work, so that another one would only duplicate it. */
  default boolean isWorkedOn(Instant now) {
    return workedUntil().filter(now::isBefore).isPresent();
  }

  /** A state whose work is long, claimed by a call until then; another state as it is. */
  default JobState claimed(Instant until) {
    return switch (this) {
      case Expanding e -> e.with(Optional.of(until), Optional.empty());
      case Finishing f -> f.with(Optional.of(until), Optional.empty());
      case Waiting _, Running _, Stopping _, Ended _ -> this;
    };
  }

  /** The same without a claim: a trigger that is sent now continues the work. */
  default JobState released(Instant now) {
    var repeat = Optional.of(now.plus(REPEAT));
    return switch (this) {
      case Expanding e -> e.with(Optional.empty(), repeat);
      case Finishing f -> f.with(Optional.empty(), repeat);
      case Waiting _, Running _, Stopping _, Ended _ -> this;
    };
  }

  /** Whether a tick sends the trigger again: no call does the work, and the last trigger is old. */
  default boolean isUnattended(Instant now) {
    if (isWorkedOn(now)) return false;
    return switch (this) {
      case Expanding e -> e.repeatAt().filter(now::isBefore).isEmpty();
      case Finishing f -> !now.isBefore(f.repeatAt().orElse(f.since().plus(REPEAT)));
      case Waiting _, Running _, Stopping _, Ended _ -> false;
    };
  }

  default boolean ended() {
    return this instanceof Ended;
  }

  /** How it ended; empty before. */
  default Optional<Ended> end() {
    return this instanceof Ended end ? Optional.of(end) : Optional.empty();
  }
}
