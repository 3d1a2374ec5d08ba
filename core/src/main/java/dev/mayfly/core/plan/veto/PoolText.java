package dev.mayfly.core.plan.veto;

import dev.mayfly.core.model.document.TpuCreateQuota;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Instant;
import java.util.Locale;

/** Words what a pool or its cluster lacks. */
final class PoolText {
  private static final String ENDS =
      "machines that no task needs end, and running tasks continue; lower workers.max to end"
          + " busy machines too";

  private PoolText() {}

  static VetoText of(ClusterVeto veto) {
    return switch (veto) {
      case ClusterVeto.GoingDown v ->
          new VetoText("down", "cluster %s is being taken down".formatted(v.cluster()));
      case ClusterVeto.AboveBudget v ->
          new VetoText(
              "budget",
              "its machines cost $%s an hour, above the budget of $%s; %s"
                  .formatted(usd(v.cost()), usd(v.usdPerHour()), ENDS));
    };
  }

  static VetoText of(PoolVeto veto, Instant now) {
    var pool = veto.pool();
    return switch (veto) {
      case PoolVeto.AtMaximum v ->
          new VetoText(
              "max",
              "pool %s has its maximum of workers, %d; raise workers.max for more"
                  .formatted(pool, v.max()));
      case PoolVeto.GangAtMaximum v ->
          new VetoText(
              "gang",
              "a task takes %d machines of pool %s at the same time, and of the %d that it may have %d are free or on their way for it; raise workers.max, or wait until others end"
                  .formatted(v.gang(), pool, v.max(), v.has()));
      case PoolVeto.OwnMachines v -> new VetoText("join", join(v));
      case PoolVeto.Unfit v -> new VetoText("pool-paused", unfit(v, now), v.next());
      case PoolVeto.OverBudget v -> new VetoText("budget", budget(v));
      case PoolVeto.NoPrice v ->
          new VetoText(
              "budget",
              "pool %s: budget.prices of the cluster has no price for %s, and nothing is bought unpriced; add it"
                  .formatted(pool, v.machineType()));
      case PoolVeto.ChipsInUse v ->
          new VetoText(
              "chips",
              "slice %s has %d chips, and %d of them are not back yet"
                  .formatted(pool, v.chips(), v.used()));
      case PoolVeto.CreationRate v ->
          new VetoText(
              "rate",
              "a project asks for at most %d TPUs a minute, and %d are left of this one; pool %s gets more in the next"
                  .formatted(TpuCreateQuota.A_MINUTE, v.left(), pool));
      case PoolVeto.PlanFull v ->
          new VetoText(
              "rate",
              "at most %d machines are launched at once; the next pass launches more for pool %s"
                  .formatted(v.most(), pool));
    };
  }

  private static String join(PoolVeto.OwnMachines veto) {
    return veto.live() < veto.max()
        ? "pool %s has %d of %d static workers; mayfly worker join --pool %s adds one"
            .formatted(veto.pool(), veto.live(), veto.max(), veto.pool())
        : "pool %s has its maximum of static workers, %d; raise workers.max for more"
            .formatted(veto.pool(), veto.max());
  }

  private static String budget(PoolVeto.OverBudget veto) {
    return "the cluster's budget is $%s an hour: its machines cost $%s, and one more of pool %s $%s%s"
        .formatted(
            usd(veto.usdPerHour()),
            usd(veto.cost()),
            veto.pool(),
            usd(veto.price()),
            veto.above() ? "; " + ENDS : "");
  }

  private static String unfit(PoolVeto.Unfit veto, Instant now) {
    var next =
        veto.next()
            .map(at -> "the next one is tried in " + HumanDuration.between(now, at))
            .orElse("%d at a time is tried until one is fit".formatted(veto.atATime()));
    return "%s of pool %s could run no task: %s; %s"
        .formatted(HumanAmounts.count(veto.failed(), "machine"), veto.pool(), veto.lacks(), next);
  }

  private static String usd(double amount) {
    return String.format(Locale.ROOT, "%.2f", amount);
  }
}
