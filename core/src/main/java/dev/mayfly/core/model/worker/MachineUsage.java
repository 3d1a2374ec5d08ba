package dev.mayfly.core.model.worker;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a machine's time went to, from the moment that the cloud runs it until {@link #countedTo},
 * and its price. Each moment of a machine is counted once: as a boot, as a job's, as idle, as kept,
 * or as its end. A machine that several tasks use is divided between them by their dominant shares;
 * what none of them takes is idle.
 *
 * @param usdPerHour of the whole machine, or of all hosts of a slice, when it was launched; empty
 *     if its price is not known
 * @param countedTo in whole milliseconds, so that no part of one is lost
 * @param entries at most one for each day, purpose and job; those of ended machines move to the
 *     cluster's usage of the day
 * @param start since when it is paid for; absent in documents from before it was kept, of machines
 *     that are paid for from their order on
 */
public record MachineUsage(
    Optional<Double> usdPerHour, Instant countedTo, List<Entry> entries, Optional<Start> start) {
  public MachineUsage {
    entries = List.copyOf(entries);
  }

  /** What a part of a machine's time went to. */
  public enum Purpose {
    /** From when the cloud runs it to the first report. */
    BOOT,
    /** Tasks of a job. */
    TASKS,
    /**
     * Attempts of a job's tasks that were for nothing because their machine fell silent or failed.
     * What their last checkpoint has counts as tasks. Of what ended before {@code PREEMPTED} and
     * {@code DRAINED} were counted it has those too.
     */
    LOST,
    /** The same, because the cloud took their machine. */
    PREEMPTED,
    /** The same, because Mayfly ended them by its own plan. */
    DRAINED,
    /** The same, because a job of a higher priority got their room. */
    OUTRANKED,
    /** The same, because another worker had been given their task. */
    TAKEN,
    /**
     * Attempts that ended without a result by the fault of their task. What their last checkpoint
     * has counts as tasks. Of what ended before this was counted there is none: it is in the tasks.
     * Of what ended before {@code STOPPED} was counted it has those too.
     */
    FAILED,
    /** The same, because a person stopped them. */
    STOPPED,
    /** No task. */
    IDLE,
    /**
     * No task, on a machine that a job keeps because a task of it failed there for good. It is no
     * job's. Of before this was counted it is idle.
     */
    KEPT,
    /** From the last task to the proof that the machine is gone. */
    END
  }

  /**
   * @param day in UTC
   * @param job uid of the job; empty for what is no job's
   * @param millis of the whole machine: half a machine for a minute is 30,000
   */
  public record Entry(LocalDate day, Purpose purpose, Optional<String> job, long millis) {
    boolean isAbout(LocalDate other, Purpose what, Optional<String> whose) {
      return day.equals(other) && purpose == what && job.equals(whose);
    }
  }

  /**
   * A part of the machine.
   *
   * @param share of it, from 0 to 1
   */
  public record Part(Purpose purpose, Optional<String> job, double share) {
    /** The whole machine, for what is no job's. */
    public static List<Part> whole(Purpose purpose) {
      return List.of(new Part(purpose, Optional.empty(), 1));
    }
  }

  /**
   * Since when a machine is paid for: a cloud charges nothing for one that it does not run yet.
   *
   * @param since its order, or the last time that the cloud was seen not to run it
   * @param runs whether the cloud was seen to run it since, or its agent has reported
   */
  public record Start(Instant since, boolean runs) {}

  /** Of a machine that is there, and paid for from now on. */
  public static MachineUsage from(Optional<Double> usdPerHour, Instant now) {
    return new MachineUsage(
        usdPerHour, now.truncatedTo(ChronoUnit.MILLIS), List.of(), Optional.empty());
  }

  /** Of a machine that was not ordered yet. */
  public static MachineUsage ordered(Optional<Double> usdPerHour, Instant now) {
    var at = now.truncatedTo(ChronoUnit.MILLIS);
    return new MachineUsage(usdPerHour, at, List.of(), Optional.of(new Start(at, false)));
  }

  /** Whether nobody has seen that the cloud runs it: then nothing is counted. */
  public boolean waits() {
    return start.filter(it -> !it.runs()).isPresent();
  }

  /** The cloud does not run it: what passed until then costs nothing. */
  public MachineUsage notRunning(Instant at) {
    var now = at.truncatedTo(ChronoUnit.MILLIS);
    if (!waits() || !now.isAfter(countedTo)) return this;
    return new MachineUsage(usdPerHour, now, entries, Optional.of(new Start(now, false)));
  }

  /** The cloud runs it, perhaps since it was last seen not to. */
  public MachineUsage running() {
    if (!waits()) return this;
    return new MachineUsage(
        usdPerHour, countedTo, entries, start.map(it -> new Start(it.since(), true)));
  }

  /**
   * The time until {@code at} is counted as divided by {@code parts}; no parts: it costs nothing. A
   * time that was counted already changes nothing.
   */
  public MachineUsage counted(List<Part> parts, Instant at) {
    var now = at.truncatedTo(ChronoUnit.MILLIS);
    if (!now.isAfter(countedTo)) return this;
    var next = new ArrayList<>(entries);
    var from = countedTo;
    while (!parts.isEmpty() && from.isBefore(now)) {
      var day = LocalDate.ofInstant(from, ZoneOffset.UTC);
      var midnight = day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
      var to = midnight.isBefore(now) ? midnight : now;
      divide(next, day, parts, Duration.between(from, to).toMillis());
      from = to;
    }
    return new MachineUsage(usdPerHour, now, next, start);
  }

  /** Divides so that the parts add up to the whole. */
  private static void divide(List<Entry> entries, LocalDate day, List<Part> parts, long millis) {
    var sum = 0.0;
    var counted = 0L;
    for (var part : parts) {
      sum += part.share();
      var upTo = Math.min(millis, Math.round(sum * millis));
      add(entries, new Entry(day, part.purpose(), part.job(), upTo - counted));
      counted = upTo;
    }
  }

  private static void add(List<Entry> entries, Entry more) {
    if (more.millis() == 0) return;
    for (var i = 0; i < entries.size(); i++) {
      var entry = entries.get(i);
      if (!entry.isAbout(more.day(), more.purpose(), more.job())) continue;
      entries.set(
          i, new Entry(entry.day(), entry.purpose(), entry.job(), entry.millis() + more.millis()));
      return;
    }
    entries.add(more);
  }

  /**
   * The newest {@code millis} of a job's tasks were for nothing, for this purpose. What has moved
   * to the usage of the day already stays there as the job's.
   */
  public MachineUsage wasted(Purpose purpose, String job, long millis) {
    var next = new ArrayList<Entry>();
    var left = millis;
    for (var entry : entries.reversed()) {
      var taken = entry.isAbout(entry.day(), Purpose.TASKS, Optional.of(job));
      var moved = taken ? Math.min(left, entry.millis()) : 0;
      left -= moved;
      add(next, new Entry(entry.day(), entry.purpose(), entry.job(), entry.millis() - moved));
      add(next, new Entry(entry.day(), purpose, entry.job(), moved));
    }
    return new MachineUsage(usdPerHour, countedTo, next.reversed(), start);
  }

  /** The same without entries, once they are stored elsewhere. */
  public MachineUsage moved() {
    return new MachineUsage(usdPerHour, countedTo, List.of(), start);
  }
}
