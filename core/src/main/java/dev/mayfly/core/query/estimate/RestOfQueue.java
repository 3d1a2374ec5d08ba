package dev.mayfly.core.query.estimate;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.plan.share.FairShareRule;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * When the first task of a waiting job starts: what its cluster does until then is drawn {@value
 * #RUNS} times, each time with other durations and boots. Times are in seconds.
 *
 * @param machines that take tasks, or come
 * @param jobs in the order of the queue; those that hold machines and wait for none come anywhere
 * @param limits how many tasks of an owner may be leased at once, where it is limited
 * @param rule by which owners share
 * @param job the index of the one that waits
 */
record RestOfQueue(
    List<Machine> machines,
    List<Queued> jobs,
    Map<String, Long> limits,
    FairShareRule rule,
    int job) {
  private static final int RUNS = 200;
  private static final int LEAST_RUNS = 40;

  /** The part of the runs that is left out at each end. */
  private static final double TAIL = 0.025;

  /** A large cluster is drawn less often: so many tasks in all. */
  private static final long MOST_DRAWN = 1_000_000;

  /** How much later or sooner tasks start than this order of them has it. */
  private static final double DOUBT = 0.4;

  /** By when the next reports and the next pass have given it a task. */
  private static final double HANDLED = 60;

  /**
   * A machine.
   *
   * @param place machines of one are together for a gang
   * @param coming what is awaited until it takes tasks; empty if it does
   * @param one whether it runs one task at a time
   * @param first the job that a new one serves before others; -1 without one
   * @param given by the index of their job, how many tasks it holds that do not run yet: they come
   *     before those that wait
   */
  record Machine(
      String place,
      Optional<Coming> coming,
      Resources total,
      boolean one,
      int first,
      List<Running> running,
      Map<Integer, Long> given) {
    Machine {
      running = List.copyOf(running);
      given = Map.copyOf(given);
    }
  }

  /**
   * A machine that is on its way.
   *
   * @param from when it is ordered at the earliest; 0 if it is
   * @param to when it is ordered at the latest
   * @param age for how long it has been ordered
   */
  record Coming(double from, double to, double age, BootTimes boots) {
    double draw(RandomGenerator random) {
      var ordered = to > from ? random.nextDouble(from, to) : from;
      return ordered + boots.left(age, random);
    }
  }

  /**
   * A task that runs on a machine.
   *
   * @param job the index of its job
   * @param task as it was last heard of
   * @param whole whether nothing else runs beside it
   */
  record Running(int job, RestOfJob.Running task, boolean whole) {}

  /**
   * A job.
   *
   * @param gang how many machines of one place run a task together; 1 for single tasks
   * @param exclusive whether tasks that machines hold do not go back for others
   * @param waiting how many others wait
   * @param most how many may be leased at once
   * @param durations empty if they are not known: then its tasks do not end
   * @param machines the indexes of those that may run it
   * @param kept the indexes of those that are kept for it
   * @param part what a task counts of its owner's shares
   * @param keepsFrom when others are kept for it, if it finds too little room
   */
  record Queued(
      Resources need,
      int gang,
      int priority,
      String owner,
      boolean exclusive,
      long waiting,
      long most,
      Optional<JobDurations> durations,
      Set<Integer> machines,
      Set<Integer> kept,
      double part,
      double keepsFrom) {
    Queued {
      machines = Set.copyOf(machines);
      kept = Set.copyOf(kept);
    }

    Queued with(Optional<JobDurations> others) {
      return new Queued(
          need, gang, priority, owner, exclusive, waiting, most, others, machines, kept, part,
          keepsFrom);
    }
  }

  /** Nine out of ten runs start between them. */
  record Spread(double least, double most) {}

  /** The same if tasks of which nothing is known took some time. */
  RestOfQueue withDurations() {
    var known = Optional.of(new JobDurations(List.of(1.0, 10.0, 100.0, 1_000.0), 4, List.of()));
    return new RestOfQueue(
        machines,
        jobs.stream().map(it -> it.durations().isPresent() ? it : it.with(known)).toList(),
        limits,
        rule,
        job);
  }

  /** The same if every machine that comes took a second. */
  RestOfQueue withBoots() {
    var known = new BootTimes(List.of(1.0));
    return new RestOfQueue(
        machines.stream()
            .map(it ->
                new Machine(
                    it.place(),
                    it.coming()
                        .map(coming -> new Coming(coming.from(), coming.to(), coming.age(), known)),
                    it.total(),
                    it.one(),
                    it.first(),
                    it.running(),
                    it.given()))
            .toList(),
        jobs,
        limits,
        rule,
        job);
  }

  /** Mostly within seconds. */
  private static double handled(RandomGenerator random) {
    return HANDLED * Math.pow(random.nextDouble(), 4);
  }

  /** Empty if it does not start in most of the runs; equal generators give equal spreads. */
  Optional<Spread> spread(RandomGenerator random) {
    var tasks = machines.stream().mapToLong(it -> 1 + it.running().size()).sum();
    var runs = Math.clamp(MOST_DRAWN / Math.max(1, tasks), LEAST_RUNS, RUNS);
    var starts = new double[runs];
    for (var i = 0; i < runs; i++)
      starts[i] =
          new QueueRun(this, random).start(Math.exp(random.nextGaussian() * DOUBT))
              + handled(random);
    Arrays.sort(starts);
    var low = (int) (runs * TAIL);
    var most = starts[runs - 1 - low];
    return Double.isInfinite(most) ? Optional.empty() : Optional.of(new Spread(starts[low], most));
  }
}
