package dev.mayfly.core.plan.budget;

import dev.mayfly.core.catalog.PoolPrice;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.MonthSpent;
import dev.mayfly.core.plan.veto.Allowance;
import dev.mayfly.core.plan.veto.ClusterVeto;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.Veto;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Optional;

/**
 * What a cluster's machines cost in this calendar month, in UTC, compared with {@code
 * budget.usdPerMonth}. A machine is launched only if the month's money is enough for an hour of
 * work of all machines and for their end; all of them are drained while it is still enough for
 * that.
 *
 * <p>Machines without a known price count as nothing, as in {@code maxUsd} of a job. While a
 * document of what was spent cannot be read, none is launched that costs something, and none is
 * drained for what nobody knows. A snapshot for which nobody looked has no limit.
 */
public final class MonthlySpending {
  /** From this part of the month's money on people are told. */
  private static final double NEAR = 0.8;

  /** How long a machine can work at least that is launched. */
  private static final Duration LEAST = Duration.ofHours(1);

  /** The longest time that running tasks have to end. */
  private static final Duration LONGEST = Duration.ofHours(1);

  /** From the end of the last task to the proof that a machine is gone, and a tick. */
  private static final Duration END = Duration.ofMinutes(5);

  private final ClusterSnapshot clusterSnapshot;
  private final Optional<Double> most;
  private final double spent;
  private final Optional<String> unread;
  private double usdPerHour;

  public MonthlySpending(ClusterSnapshot clusterSnapshot) {
    this.clusterSnapshot = clusterSnapshot;
    var spec = clusterSnapshot.cluster().spec();
    most = spec.usdPerMonth().filter(_ -> clusterSnapshot.spentThisMonth().isPresent());
    spent = clusterSnapshot.spentThisMonth().map(MonthSpent::usd).orElse(0.0);
    unread = clusterSnapshot.spentThisMonth().flatMap(MonthSpent::unread).or(this::unreadWorker);
    for (var worker : clusterSnapshot.workers()) usdPerHour += price(worker);
    clusterSnapshot
        .unknown()
        .forEach((pool, n) -> usdPerHour += n * spec.pool(pool).map(this::price).orElse(0.0));
  }

  /** A machine whose document cannot be read has cost something in this month that nobody knows. */
  private Optional<String> unreadWorker() {
    return clusterSnapshot.unknown().keySet().stream()
        .sorted()
        .filter(
            pool -> clusterSnapshot.cluster().spec().pool(pool).map(this::price).orElse(0.0) > 0)
        .findFirst()
        .map(
            "the document of a machine of pool %s cannot be read; mayfly status names it"
                ::formatted);
  }

  /** What the worker's machine costs an hour until it is proved gone. */
  private double price(Worker worker) {
    return worker.usage().isPresent()
        ? worker.usage().flatMap(MachineUsage::usdPerHour).orElse(0.0)
        : clusterSnapshot.cluster().spec().pool(worker.pool()).map(this::price).orElse(0.0);
  }

  /** What a machine of the pool costs an hour; 0 if that is not known. */
  public double price(PoolSpec pool) {
    return PoolPrice.usdPerHour(clusterSnapshot.cluster().spec(), pool).orElse(0.0);
  }

  /** How long running tasks may take to end once the month's money is used up. */
  public Duration tasksEnd() {
    return tasksEnd(clusterSnapshot.cluster().spec());
  }

  private static Duration tasksEnd(ClusterSpec spec) {
    var within = spec.rollout().within();
    return within.compareTo(LONGEST) < 0 ? within : LONGEST;
  }

  /** For how long the money must be enough when a machine is launched. */
  public static Duration atLeast(ClusterSpec spec) {
    return LEAST.plus(tasksEnd(spec)).plus(END);
  }

  private Duration atLeast() {
    return atLeast(clusterSnapshot.cluster().spec());
  }

  /** The part of the time that is in this month. */
  private double hours(Duration time) {
    var left = Duration.between(clusterSnapshot.now(), nextMonth());
    return (left.compareTo(time) < 0 ? left : time).toMillis() / 3_600_000.0;
  }

  private Instant nextMonth() {
    return LocalDate.ofInstant(clusterSnapshot.now(), ZoneOffset.UTC)
        .withDayOfMonth(1)
        .plusMonths(1)
        .atStartOfDay(ZoneOffset.UTC)
        .toInstant();
  }

  /** Whether the money is enough for no more than the end of the machines. */
  public Optional<ClusterVeto.MonthUsedUp> usedUp() {
    return most.filter(usd ->
            spent + usdPerHour * hours(tasksEnd().plus(END)) > usd - HourlySpending.PRICE_TOLERANCE)
        .map(usd ->
            new ClusterVeto.MonthUsedUp(
                usd, spent, usdPerHour, enough(usdPerHour, usd), nextMonth()));
  }

  /** Why nobody knows how much of the money is left. */
  public Optional<ClusterVeto.MonthUnknown> unknown() {
    return most.flatMap(usd -> unread.map(it -> new ClusterVeto.MonthUnknown(usd, spent, it)));
  }

  /** Whether people are told that it will be used up. */
  public boolean isNear() {
    return most.filter(usd -> spent >= usd * NEAR).isPresent() || usedUp().isPresent();
  }

  /** Whether the worker costs anything by the hour. */
  public boolean costs(Worker worker) {
    return price(worker) > 0;
  }

  /**
   * How many machines of the pool the month allows, with the reason if not all.
   *
   * @param before what machines cost an hour that others get before one more
   */
  public Allowance allowance(PoolSpec pool, int wanted, double before) {
    var n = may(pool, wanted);
    return veto(pool, n, 1, before)
        .map(why -> Allowance.all(wanted).atMost(n, why))
        .orElse(Allowance.all(wanted));
  }

  /** How many machines of the pool the month allows; at most {@code wanted}. */
  public int may(PoolSpec pool, int wanted) {
    var price = price(pool);
    if (most.isEmpty() || wanted <= 0 || price <= 0) return wanted;
    if (unread.isPresent()) return 0;
    var hours = hours(atLeast());
    var left = most.get() - spent - usdPerHour * hours + HourlySpending.PRICE_TOLERANCE;
    if (left >= price * hours * wanted) return wanted;
    return (int) Math.max(0, Math.floor(left / (price * hours)));
  }

  public void take(PoolSpec pool, int machines) {
    usdPerHour += machines * price(pool);
  }

  /**
   * Why the month does not allow {@code wanted} more machines, after {@code launched} more; empty
   * without a limit.
   */
  public Optional<Veto> veto(PoolSpec pool, int launched, int wanted, double before) {
    var unknown = unknown();
    if (unknown.isPresent()) return Optional.of(unknown.get());
    return most.map(usd -> {
      var costs = usdPerHour + launched * price(pool);
      var more = wanted * price(pool);
      return new PoolVeto.OverMonth(
          pool.name(),
          usd,
          spent,
          costs,
          wanted,
          more,
          atLeast(),
          enough(costs + before + more, usd),
          nextMonth());
    });
  }

  /** A limit above the present one that is enough for a while, in whole dollars. */
  private double enough(double costs, double usd) {
    var hours = atLeast().multipliedBy(2).toMinutes() / 60.0;
    var most = Math.max(usdPerHour, Math.min(costs, all()));
    return Math.floor(Math.max(usd, spent + most * hours)) + 1;
  }

  /** What all machines that the cluster may have cost an hour: more is no queue's to ask for. */
  private double all() {
    var families = new HashMap<String, Double>();
    for (var pool : clusterSnapshot.cluster().spec().pools())
      families.merge(pool.family(), pool.max() * price(pool), Math::max);
    return families.values().stream().mapToDouble(it -> it).sum();
  }
}
