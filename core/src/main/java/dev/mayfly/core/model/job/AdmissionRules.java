package dev.mayfly.core.model.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * When a job may start, how much of it may run, what it may cost, and how long it may take; and the
 * schedule that submitted it.
 *
 * @param after the jobs that must have ended before
 * @param concurrency how many of its tasks may run at once; 0 means any number
 * @param queueTimeout how long it may run without the start of a task; then it is stopped
 * @param confirmed that it is meant to be as large as it is; absent if not said
 * @param maxUsd what its tasks may cost in all, by the prices of machines; then it is stopped
 * @param maxRunTime how long it may take from the start of its first task; then it is stopped
 * @param schedule whose job it is; absent if a person or a program submitted it
 */
public record AdmissionRules(
    List<Predecessor> after,
    int concurrency,
    Optional<Duration> queueTimeout,
    Optional<Boolean> confirmed,
    Optional<Double> maxUsd,
    Optional<Duration> maxRunTime,
    Optional<String> schedule) {
  public static final AdmissionRules NONE = new AdmissionRules(List.of());

  /** The most predecessors of one job; each may be read when the job is looked at. */
  public static final int MOST_PREDECESSORS = 20;

  /**
   * How a job with a limited run time is in it, as its document has it; its spec stays as it was
   * submitted.
   *
   * @param since when its first task was given to a machine, anew with each retry of the ended job;
   *     absent before
   * @param max how long it may take since a retry changed it
   */
  public record RunTime(Optional<Instant> since, Optional<Duration> max) {
    public static final RunTime NONE = new RunTime(Optional.empty(), Optional.empty());

    public RunTime begun(Instant at) {
      return new RunTime(Optional.of(at), max);
    }

    public RunTime lasting(Duration most) {
      return new RunTime(since, Optional.of(most));
    }

    /** Of its next run. */
    public RunTime again() {
      return new RunTime(Optional.empty(), max);
    }
  }

  public AdmissionRules {
    after = List.copyOf(after);
  }

  /** Of a job that no schedule submits. */
  public AdmissionRules(
      List<Predecessor> after,
      int concurrency,
      Optional<Duration> queueTimeout,
      Optional<Boolean> confirmed,
      Optional<Double> maxUsd,
      Optional<Duration> maxRunTime) {
    this(after, concurrency, queueTimeout, confirmed, maxUsd, maxRunTime, Optional.empty());
  }

  /** Without a confirmation, and without a limit of its cost or its run time. */
  public AdmissionRules(List<Predecessor> after, int concurrency, Optional<Duration> queueTimeout) {
    this(
        after,
        concurrency,
        queueTimeout,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Without limits. */
  public AdmissionRules(List<Predecessor> after) {
    this(after, 0, Optional.empty());
  }

  /** How many tasks may be leased besides those that are. */
  public long remaining(long leased) {
    return concurrency == 0 ? Long.MAX_VALUE : Math.max(0, concurrency - leased);
  }

  public AdmissionRules withAfter(List<Predecessor> predecessors) {
    return new AdmissionRules(
        predecessors, concurrency, queueTimeout, confirmed, maxUsd, maxRunTime, schedule);
  }

  /** With another limit of its run time. */
  public AdmissionRules lasting(Optional<Duration> most) {
    return new AdmissionRules(after, concurrency, queueTimeout, confirmed, maxUsd, most, schedule);
  }

  /** Of a job that the schedule of that name submits. */
  public AdmissionRules by(String name) {
    return new AdmissionRules(
        after, concurrency, queueTimeout, confirmed, maxUsd, maxRunTime, Optional.of(name));
  }

  /** Empty for a job that may start at once. */
  Optional<AdmissionRules> unlessNone() {
    return equals(NONE) ? Optional.empty() : Optional.of(this);
  }

  /**
   * What its content is compared by: which jobs the predecessors' names meant, and a confirmation,
   * are left out.
   */
  public AdmissionRules withoutUids() {
    var named = after.stream().map(p -> p.withUid(Optional.empty())).toList();
    return new AdmissionRules(
        named, concurrency, queueTimeout, Optional.empty(), maxUsd, maxRunTime, schedule);
  }
}
