package dev.mayfly.core.query.estimate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/**
 * How long the rest of a job takes: its run is drawn {@value #RUNS} times, each time with other
 * durations, as its tasks tell them. Times are in seconds.
 *
 * @param ended what some of its tasks took, at least one
 * @param allEnded how many have ended: {@code ended} stands for them
 * @param running those that run, as far as is known
 * @param atOnce how many run at once, at least one
 * @param coming when places of machines run that are on their way
 * @param waiting how many others there are
 * @param losses attempts that ended without a result, by no fault of theirs
 */
record RestOfJob(
    List<Double> ended,
    long allEnded,
    List<Running> running,
    int atOnce,
    List<Double> coming,
    long waiting,
    Losses losses) {
  private static final int RUNS = 200;

  /** The part of the runs that is left out at each end. */
  private static final double TAIL = 0.025;

  /** More are drawn as one: their mean is certain enough. */
  private static final int MOST_DRAWN = 2_000;

  /** How much what it still takes differs from what its count says: a guess. */
  private static final double PACE_VARIATION = 0.1;

  /** Of one task: more often only jobs are lost that do not end. */
  private static final int MOST_LOST = 20;

  /**
   * Attempts that ended without a result, by no fault of theirs.
   *
   * @param lost how many did, beside those that ended with one
   * @param together how many of them end with one machine; 0 if machines are not lost
   * @param replacing for how long a place is empty then, until another machine has come
   * @param resumes whether the next attempt begins with what a checkpoint keeps of it: nobody knows
   *     how much
   */
  record Losses(double lost, double together, double replacing, boolean resumes) {
    static final Losses NONE = new Losses(0, 0, 0, false);

    /** Half a machine more is taken for lost, in so many seconds more, before any was. */
    private static final double BEFORE_ANY = 36_000;

    /** Each that was lost divides them: one alone may be chance, several are none. */
    private static final double CHANCE = 10;

    private static final double HALF = 0.5;

    /**
     * How many machines are lost a second: as many as were in the time of those attempts and in
     * some time more, or by chance fewer or more.
     */
    double rate(double ofEnded, RandomGenerator random) {
      if (together <= 0) return 0;
      var machines = lost > 0 ? Math.max(1, lost / together) : 0;
      var seconds = ofEnded / together + BEFORE_ANY / Math.pow(CHANCE, machines);
      var doubt = Math.exp(random.nextGaussian() / Math.sqrt(machines + HALF));
      return (machines + HALF) / Math.max(1, seconds) * doubt;
    }
  }

  /** When a task may follow another one in its place. */
  enum Next {
    AT_ONCE,
    /** Its machine is drained: once another one has come. */
    ELSEWHERE,
    /** Its machine is cordoned. */
    NEVER
  }

  /**
   * A task that ran when it was last heard of. It may have ended since, and others after it.
   *
   * @param age for how long it had run by then
   * @param unheard how long ago that was
   * @param left what it takes from then on by its own count; empty if it reports none
   * @param next when another task may follow it
   */
  record Running(double age, double unheard, Optional<Double> left, Next next) {
    Running(double age, double unheard) {
      this(age, unheard, Optional.empty(), Next.AT_ONCE);
    }

    /** What it still takes since it was last heard of. */
    double drawLeft(JobDurations.Drawn durations, RandomGenerator random) {
      return left.map(it -> it * Math.exp(random.nextGaussian() * PACE_VARIATION))
          .orElseGet(() -> durations.left(age, random));
    }
  }

  /**
   * How long it takes, and how long that is for all of its tasks together.
   *
   * @param least and most: nine out of ten runs are between them
   */
  record Spread(double least, double most, double leastOfTasks, double mostOfTasks) {
    /** The longest time may differ by so much of itself, and by so many seconds, without a word. */
    private static final double ALIKE = 0.1;

    private static final double ALIKE_SECONDS = 30;

    /** Whether the other says so much less of the latest end that it is worth a word. */
    boolean isMuchLaterThan(Spread other) {
      return most - other.most > Math.max(ALIKE * most, ALIKE_SECONDS);
    }
  }

  /** The same if no more machines are lost. */
  RestOfJob undisturbed() {
    return new RestOfJob(ended, allEnded, running, atOnce, coming, waiting, Losses.NONE);
  }

  /** Draws {@value #RUNS} runs; equal generators give equal spreads. */
  Spread spread(RandomGenerator random) {
    var times = new double[RUNS];
    var ofTasks = new double[RUNS];
    for (var i = 0; i < RUNS; i++) {
      var run = run(random);
      times[i] = run.time();
      ofTasks[i] = run.ofTasks();
    }
    Arrays.sort(times);
    Arrays.sort(ofTasks);
    var low = (int) (RUNS * TAIL);
    var high = RUNS - 1 - low;
    return new Spread(times[low], times[high], ofTasks[low], ofTasks[high]);
  }

  private record Run(double time, double ofTasks) {}

  private Run run(RandomGenerator random) {
    var ages = running.stream().map(Running::age).toList();
    var durations = new JobDurations(ended, allEnded, ages).draw(random);
    var attempts =
        durations.mean() * (allEnded + losses.lost() / 2)
            + ages.stream().mapToDouble(age -> age).sum();
    var rate = losses.rate(attempts, random);
    var places = new PriorityQueue<Place>(Comparator.comparingDouble(Place::free));
    var closing = new ArrayList<Place>();
    for (var task : running) {
      var left = task.drawLeft(durations, random);
      var place = new Place(0, attempts(left, durations, rate, random) - task.unheard());
      (task.next() == Next.AT_ONCE ? places : closing).add(place);
      if (task.next() == Next.ELSEWHERE) places.add(place.replaced(losses.replacing()));
    }
    while (places.size() + closing.size() < atOnce) places.add(new Place(0, 0));
    for (var start : coming) places.add(new Place(start, start));
    // With every place cordoned, nobody knows which will be open again.
    if (places.isEmpty()) for (var place : closing) places.add(place.replaced(losses.replacing()));
    var drawn = Math.min(waiting, MOST_DRAWN);
    var sum = 0.0;
    for (var i = 0L; i < drawn; i++) {
      var takes = attempts(durations.next(random), durations, rate, random);
      places.add(places.remove().after(takes));
      sum += takes;
    }
    places.addAll(closing);
    var last = places.stream().filter(Place::isUsed).mapToDouble(Place::free).max().orElse(0);
    var ofTasks = places.stream().mapToDouble(Place::used).sum();
    if (drawn < waiting) {
      var more = sum / drawn * (waiting - drawn);
      var open = Math.max(1, places.size() - closing.size());
      return new Run(Math.max(0, last) + more / open, ofTasks + more);
    }
    return new Run(Math.max(0, last), ofTasks);
  }

  /**
   * Where tasks run one after another.
   *
   * @param start when its machine runs: 0 if it does
   * @param free when its last task so far ends: before now, if that ended unheard
   */
  private record Place(double start, double free) {
    /** One on the machine that takes the place of its own. */
    Place replaced(double replacing) {
      var from = Math.max(0, free) + replacing;
      return new Place(from, from);
    }

    Place after(double task) {
      return new Place(start, free + task);
    }

    boolean isUsed() {
      return free > start;
    }

    double used() {
      return Math.max(0, free - start);
    }
  }

  /** What a task takes that has so much left, with attempts that are lost and begin again. */
  private double attempts(
      double left, JobDurations.Drawn durations, double rate, RandomGenerator random) {
    var takes = 0.0;
    var attempt = left;
    for (var i = 0; rate > 0 && i < MOST_LOST; i++) {
      var until = -Math.log(1 - random.nextDouble()) / rate;
      if (until >= attempt) break;
      takes += until + losses.replacing();
      attempt = losses.resumes() ? attempt - until * random.nextDouble() : durations.next(random);
    }
    return takes + attempt;
  }
}
