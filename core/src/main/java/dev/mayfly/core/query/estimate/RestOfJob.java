package dev.mayfly.core.query.estimate;

import java.util.Arrays;
import java.util.List;
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
 * @param waiting how many others there are
 * @param repeats the part of all attempts that end without a result, by no fault of theirs
 */
record RestOfJob(
    List<Double> ended,
    long allEnded,
    List<Running> running,
    int atOnce,
    long waiting,
    double repeats) {
  private static final int RUNS = 200;

  /** The part of the runs that is left out at each end. */
  private static final double TAIL = 0.05;

  /** More are drawn as one: their mean is certain enough. */
  private static final int MOST_DRAWN = 2_000;

  /** How much durations vary at least, by their mean: of few that ended it is not known. */
  private static final double LEAST_VARIATION = 0.3;

  private static final double MOST_DOUBT = 0.3;

  /**
   * A task that ran when it was last heard of. It may have ended since, and others after it.
   *
   * @param age for how long it had run by then
   * @param unheard how long ago that was
   */
  record Running(double age, double unheard) {}

  /**
   * How long it takes, and how long that is for all of its tasks together.
   *
   * @param least and most: nine out of ten runs are between them
   */
  record Spread(double least, double most, double leastOfTasks, double mostOfTasks) {}

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
    var some = new double[ended.size()];
    for (var i = 0; i < some.length; i++) some[i] = ended.get(random.nextInt(some.length));
    var ages = running.stream().mapToDouble(Running::age).toArray();
    var weight = (double) Math.max(allEnded, some.length) / some.length;
    var curve = DurationCurve.of(some, weight, ages, random.nextDouble(MOST_DOUBT, 1));
    // Drawing from a sample varies less than the samples that one could have had.
    var factor = Math.exp(random.nextGaussian() * variation() / Math.sqrt(some.length));
    // When each place is free: before now, if its task ended unheard.
    var free = new PriorityQueue<Double>();
    for (var task : running)
      free.add(Math.max(0, curve.draw(task.age(), random) * factor - task.age()) - task.unheard());
    while (free.size() < atOnce) free.add(0.0);
    var drawn = Math.min(waiting, MOST_DRAWN);
    var sum = 0.0;
    for (var i = 0L; i < drawn; i++) {
      var takes = attempts(curve, random) * factor;
      free.add(free.remove() + takes);
      sum += takes;
    }
    var last = free.stream().mapToDouble(end -> Math.max(0, end)).max().orElse(0);
    var ofTasks = free.stream().mapToDouble(end -> Math.max(0, end)).sum();
    if (drawn < waiting) {
      var more = sum / drawn * (waiting - drawn);
      return new Run(last + more / atOnce, ofTasks + more);
    }
    return new Run(last, ofTasks);
  }

  private double variation() {
    var mean = ended.stream().mapToDouble(it -> it).average().orElseThrow();
    var squares = ended.stream().mapToDouble(it -> (it - mean) * (it - mean)).average();
    return Math.max(LEAST_VARIATION, Math.sqrt(squares.orElseThrow()) / Math.max(mean, 0.001));
  }

  /** What a task takes, with the attempts that end early. */
  private double attempts(DurationCurve curve, RandomGenerator random) {
    var takes = curve.draw(0, random);
    while (random.nextDouble() < Math.min(0.9, repeats))
      takes += random.nextDouble() * curve.draw(0, random);
    return takes;
  }
}
