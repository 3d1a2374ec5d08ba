package dev.mayfly.sim.expectation;

import dev.mayfly.core.model.cluster.PoolSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One thing that somebody expects of an experiment. */
public sealed interface Expectation {
  /** Of a job: its first task begins in that time after its submission. */
  record Starts(String job, Bound seconds) implements Expectation {}

  /** Of a job: it ends in that time after its submission. */
  record Ends(String job, Bound seconds) implements Expectation {}

  /** Of a job: its state, as lists have it. */
  record State(String job, String state) implements Expectation {}

  /** Of a job: what it says of its state contains the text. */
  record Says(String job, String text) implements Expectation {}

  /**
   * Of a job: a reason for which it waits has that kind, or contains that text.
   *
   * @param never whether none does
   */
  record Waits(String job, String reason, boolean never) implements Expectation {}

  /** A refused document is about it, or is refused with that text. */
  record Refused(String text) implements Expectation {}

  /** How many of them there are of a job. */
  record Tasks(String job, TaskCount counted, Bound number) implements Expectation {}

  /** How many tasks of a job, or machines, there are at once. */
  record AtOnce(Subject subject, Span span, Bound number) implements Expectation {}

  /** How many machines there are of a pool, of a zone, or of all. */
  record Machines(Subject.Place place, MachineCount counted, Bound number) implements Expectation {}

  /** What all machines cost, in dollars. */
  record Cost(Bound usd) implements Expectation {}

  /** The part of the machines' time that no attempt used whose result counts, from 0 to 1. */
  record Waste(Bound part) implements Expectation {}

  /** All pools, or all zones, in which attempts of a job began. */
  record Ran(String job, boolean pools, List<String> names) implements Expectation {
    public Ran {
      names = List.copyOf(names);
    }
  }

  /** All attempts of a job began in one zone, or the hosts of each run of a gang were in one. */
  record OneZone(String job) implements Expectation {}

  /**
   * Jobs begin in this order.
   *
   * @param ends whether it is the order in which they end
   */
  record Order(List<String> jobs, boolean ends) implements Expectation {
    public Order {
      jobs = List.copyOf(jobs);
    }
  }

  /** What is counted of a job. */
  enum TaskCount {
    DONE,
    FAILED,
    LOST
  }

  /** What is counted of machines. */
  enum MachineCount {
    LAUNCHED,
    PREEMPTED,
    REFUSED,
    LEFT,
    HOURS
  }

  /** What is counted at once. */
  sealed interface Subject {
    /** Running tasks of a job. */
    record Job(String name) implements Subject {}

    /** Machines that run or start. */
    record Place(Optional<String> pool, Optional<String> zone) implements Subject {
      boolean has(String poolName, String zoneName) {
        return pool.filter(it -> !PoolSpec.isNamed(it, poolName)).isEmpty()
            && zone.filter(it -> !it.equals(zoneName)).isEmpty();
      }
    }
  }

  /**
   * When it is counted. Without a time it is the most at once that counts; with a time what there
   * is then, and with an end all that there is between them.
   */
  record Span(Optional<Duration> at, Optional<Duration> until) {
    boolean has(Duration moment) {
      return at.filter(it -> moment.compareTo(it) < 0).isEmpty()
          && until.filter(it -> moment.compareTo(it) > 0).isEmpty();
    }
  }
}
