package dev.mayfly.core.query.estimate;

import dev.mayfly.core.catalog.PoolPrice;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.HourlyBudget;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.plan.Feasibility;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * How long the tasks of a job run that has not begun, and what they cost, if it gets as many
 * machines as its cluster may have. It says nothing of how long these take to come.
 *
 * @param run empty if nothing is known to say it by
 * @param text the same for people, with what it is said by; or why it is unknown
 */
public record JobForecast(Optional<Run> run, String text) {
  private static final double SECONDS_PER_HOUR = 3_600;

  /**
   * A spread that holds nine times out of ten.
   *
   * @param leastSeconds from its first task's begin to its last one's end
   * @param atOnce how many tasks run at once
   * @param machines that they fill
   * @param leastUsd of the tasks alone; empty if a price is not known
   * @param leastUsdOnDemand the same if no machine were spot; empty if none is, or a price is not
   *     known
   */
  public record Run(
      double leastSeconds,
      double mostSeconds,
      long atOnce,
      long machines,
      Optional<Double> leastUsd,
      Optional<Double> mostUsd,
      Optional<Double> leastUsdOnDemand,
      Optional<Double> mostUsdOnDemand) {
    private String text(String basis) {
      return "%s%s once its machines run, %s at once on %s, %s%s"
          .formatted(
              JobEstimate.range(time(leastSeconds), time(mostSeconds)),
              JobEstimate.usd(leastUsd, mostUsd).map(" for "::concat).orElse(""),
              HumanAmounts.count(atOnce, "task"),
              HumanAmounts.count(machines, "machine"),
              basis,
              JobEstimate.usd(leastUsdOnDemand, mostUsdOnDemand)
                  .map("; on demand "::concat)
                  .orElse(""));
    }

    private static String time(double seconds) {
      return HumanDuration.result(Duration.ofSeconds((long) Math.ceil(seconds)));
    }
  }

  /** Nothing is known to say it by. */
  public static JobForecast unknown(String why) {
    return new JobForecast(Optional.empty(), "unknown: " + why);
  }

  /**
   * The same for the same arguments.
   *
   * @param tasks that are to run
   * @param durationSample what they take
   * @param basis where that is known from: half a sentence
   */
  public static JobForecast of(
      JobSpec job, long tasks, ClusterSpec cluster, DurationSample durationSample, String basis) {
    if (tasks == 0) return unknown("it has no task to run");
    var filled = fill(job, tasks, cluster);
    var room = filled.stream().mapToLong(Filled::tasks).sum();
    if (room == 0) return unknown("no pool has room for its tasks, or the budget buys none");
    var atOnce = Math.min(room, Math.min(tasks, limit(job)));
    var spread =
        new RestOfJob(
                durationSample.seconds(),
                durationSample.ended(),
                List.of(),
                (int) Math.min(atOnce, Integer.MAX_VALUE),
                List.of(),
                tasks,
                RestOfJob.Losses.NONE)
            .spread(new SplittableRandom(tasks));
    var usd = usdPerSecond(cluster, filled, false);
    var onDemand =
        filled.stream().anyMatch(it -> it.pool().provisioning() == Provisioning.SPOT)
            ? usdPerSecond(cluster, filled, true)
            : Optional.<Double>empty();
    var run =
        new Run(
            spread.least(),
            spread.most(),
            atOnce,
            filled.stream().mapToLong(Filled::machines).sum(),
            usd.map(price -> price * spread.leastOfTasks()),
            usd.map(price -> price * spread.mostOfTasks()),
            onDemand.map(price -> price * spread.leastOfTasks()),
            onDemand.map(price -> price * spread.mostOfTasks()));
    return new JobForecast(Optional.of(run), run.text(basis));
  }

  private static long limit(JobSpec job) {
    return job.admission().remaining(0);
  }

  /** What tasks fill of a pool. */
  private record Filled(PoolSpec pool, long machines, long tasks) {}

  /** Fills the cheapest machines first, as many as the pools and the hourly budget allow. */
  private static List<Filled> fill(JobSpec job, long tasks, ClusterSpec cluster) {
    var pools =
        cluster.pools().stream()
            .filter(pool -> Feasibility.mayRun(job, pool))
            .sorted(Comparator.comparingDouble(pool -> usdPerTask(job, cluster, pool)))
            .toList();
    var left = Math.min(tasks, limit(job));
    var money =
        cluster.hourlyBudget().map(HourlyBudget::usdPerHour).orElse(Double.POSITIVE_INFINITY);
    var all = new ArrayList<Filled>();
    var used = new HashMap<String, Long>();
    for (var pool : pools) {
      var price = PoolPrice.usdPerHour(cluster, pool);
      // An hourly budget buys no machine whose price is not known.
      if (price.isEmpty() && cluster.hourlyBudget().isPresent()) continue;
      var usd = price.orElse(0.0);
      var affordable = usd > 0 ? money / usd : Double.MAX_VALUE;
      var room = Math.max(0, pool.max() - used.getOrDefault(pool.family(), 0L));
      var most = (long) Math.min((double) room, affordable);
      var each = eachOn(job, pool);
      var machines =
          job.gang() > 1
              ? Math.min(most / job.gang(), left) * job.gang()
              : Math.min(most, (left + each - 1) / each);
      var filled = job.gang() > 1 ? machines / job.gang() : Math.min(left, machines * each);
      if (filled == 0) continue;
      all.add(new Filled(pool, machines, filled));
      used.merge(pool.family(), machines, Long::sum);
      left -= filled;
      money -= usd * machines;
    }
    return all;
  }

  /** How many tasks run on one machine at once. */
  private static long eachOn(JobSpec job, PoolSpec pool) {
    return job.gang() > 1
        ? 1
        : Math.clamp(pool.visible().slots(job.resources()), 1, Integer.MAX_VALUE);
  }

  private static double usdPerTask(JobSpec job, ClusterSpec cluster, PoolSpec pool) {
    return PoolPrice.usdPerHour(cluster, pool)
        .map(usd -> usd / eachOn(job, pool))
        .orElse(Double.MAX_VALUE);
  }

  /**
   * What a task costs a second, which is its part of a machine that is full.
   *
   * @param onDemand as if spot machines were had on demand
   */
  private static Optional<Double> usdPerSecond(
      ClusterSpec cluster, List<Filled> filled, boolean onDemand) {
    var sum = 0.0;
    for (var it : filled) {
      var price =
          onDemand
              ? PoolPrice.usdPerHourOnDemand(cluster, it.pool())
              : PoolPrice.usdPerHour(cluster, it.pool());
      if (price.isEmpty()) return Optional.empty();
      sum += price.get() * it.machines();
    }
    return Optional.of(sum / filled.stream().mapToLong(Filled::tasks).sum() / SECONDS_PER_HOUR);
  }
}
