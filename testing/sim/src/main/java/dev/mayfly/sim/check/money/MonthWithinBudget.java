package dev.mayfly.sim.check.money;

import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * I31: the sum of a month is what its days say, after each commit that changes them; only one that
 * cannot be read is deleted. No machine is launched unless the month's money is enough for half an
 * hour of all machines, those on their way included: a plan asks for an hour and more, and may be
 * carried out late.
 */
public final class MonthWithinBudget implements Invariant {
  private static final String ID = "I31";
  private static final double PRICE_TOLERANCE = 1e-6;
  private static final double HOURS = 0.5;
  private static final int MOST = 2_000;

  private final GroundTruth groundTruth;

  /** What days say of each month, by cluster and month. */
  private final Map<String, Double> days = new HashMap<>();

  /** The sums as they are stored. */
  private final Map<String, Usage.Month> months = new HashMap<>();

  public MonthWithinBudget(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    var touched = new HashSet<String>();
    var deleted = new HashSet<String>();
    var launched = new HashSet<String>();
    for (var change : batch) {
      if (change.before().orElse(null) instanceof Usage before) count(before, -1, touched);
      if (change.after().orElse(null) instanceof Usage after) count(after, 1, touched);
      if (change.after().orElse(null) instanceof Usage.Month month) {
        months.put(key(month), month);
        touched.add(key(month));
      } else if (change.before().orElse(null) instanceof Usage.Month month) {
        months.remove(key(month));
        deleted.add(key(month));
      }
      if (change.before().isEmpty() && change.after().orElse(null) instanceof Worker worker)
        if (worker.provisioning() != Provisioning.STATIC) launched.add(worker.cluster());
    }
    touched.removeAll(deleted);
    for (var key : touched) compare(key);
    for (var cluster : groundTruth.all(Cluster.class))
      if (launched.contains(cluster.uid())) launched(cluster);
  }

  private static String key(Usage.Month month) {
    return key(month.cluster(), month.id());
  }

  private static String key(String cluster, String month) {
    return cluster + "/" + month;
  }

  private void count(Usage usage, int sign, Set<String> touched) {
    if (usage.isEnded()) return;
    for (var row : usage.rows()) {
      var key = key(usage.cluster(), Usage.Month.id(row.day()));
      days.merge(key, sign * row.usd().orElse(0.0), Double::sum);
      touched.add(key);
    }
  }

  private boolean isReadable(String key) {
    var slash = key.indexOf('/');
    var days =
        new LedgerQuery.Usages(key.substring(0, slash), key.substring(slash + 1) + "-01", MOST);
    return groundTruth.ledger().query(days).unreadable().isEmpty();
  }

  private void compare(String key) {
    var sum = days.getOrDefault(key, 0.0);
    var month = months.get(key);
    // None is begun while a day cannot be read: readers take the days, and know that one is unread.
    if (month == null && !isReadable(key)) return;
    if (month == null || Math.abs(sum - month.usd()) > PRICE_TOLERANCE)
      throw new InvariantViolation(
          ID, "the days of %s cost $%s, and its sum is %s".formatted(key, sum, month));
  }

  private void launched(Cluster cluster) {
    var most = cluster.spec().usdPerMonth();
    if (most.isEmpty()) return;
    var truth = new MonthTruth(groundTruth, cluster);
    if (truth.spent() + truth.usdPerHour() * HOURS > most.get() + PRICE_TOLERANCE)
      throw new InvariantViolation(
          ID,
          "a launch at $%s of $%s a month, with machines for $%s an hour"
              .formatted(truth.spent(), most.get(), truth.usdPerHour()));
  }

  @Override
  public void restored() {
    days.clear();
    months.clear();
    for (var usage : groundTruth.all(Usage.class)) count(usage, 1, new HashSet<>());
    for (var month : groundTruth.all(Usage.Month.class)) months.put(key(month), month);
  }
}
