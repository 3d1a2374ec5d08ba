package dev.mayfly.core.plan.veto;

import dev.mayfly.core.model.document.TpuCreateQuota;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Instant;
import java.util.Optional;

/** Words what a pool or its cluster lacks. */
final class PoolText {
  private PoolText() {}

  static VetoText of(ClusterVeto veto) {
    return switch (veto) {
      case ClusterVeto.GoingDown v ->
          new VetoText("down", "cluster %s is being taken down".formatted(v.cluster()));
      case ClusterVeto.AboveBudget v ->
          new VetoText(
              "budget",
              "its machines cost %s an hour, above the budget of %s"
                      .formatted(
                          HumanAmounts.exactUsd(v.cost()), HumanAmounts.exactUsd(v.usdPerHour()))
                  + remedy(v));
      case ClusterVeto.MonthUsedUp v ->
          new VetoText(
              "budget",
              "of its budget of %s a month %s are spent, and its machines cost %s an hour: none is launched, those that run take no new tasks, and running tasks are given time to end"
                      .formatted(
                          HumanAmounts.usd(v.usdPerMonth()),
                          HumanAmounts.usd(v.spent()),
                          HumanAmounts.usd(v.usdPerHour()))
                  + remedy(v),
              Optional.of(v.next()));
      case ClusterVeto.MonthUnknown v ->
          new VetoText(
              "budget",
              "%s; until that is mended what is spent of the cluster's budget of %s a month is unknown, %s at least, and no machine is launched"
                  .formatted(
                      v.unread(),
                      HumanAmounts.usd(v.usdPerMonth()),
                      HumanAmounts.usd(v.atLeast())));
    };
  }

  static VetoText of(PoolVeto veto, Instant now) {
    var pool = veto.pool();
    return switch (veto) {
      case PoolVeto.AtMaximum v ->
          new VetoText(
              "max",
              "pool %s has its maximum of workers, %d".formatted(pool, v.max())
                  + (v.enough() > v.max() + 1
                      ? "; wait for the jobs before it, or %s, which is enough for them too"
                          .formatted(RemedyText.of(Remedies.of(v)))
                      : remedy(v)));
      case PoolVeto.GangAtMaximum v ->
          new VetoText(
              "gang",
              "a task takes %d machines of pool %s at the same time, and of the %d that it may have %s for it%s, or wait until others end"
                  .formatted(v.gang(), pool, v.max(), coming(v.has()), remedy(v)));
      case PoolVeto.GangOfOwn v ->
          new VetoText(
              "gang",
              "a task takes %d machines of pool %s at the same time, and of the %d static workers that it has %s free for it"
                      .formatted(v.gang(), pool, v.live(), HumanAmounts.are(v.has()))
                  + remedy(v));
      case PoolVeto.GangOfSlice v ->
          new VetoText(
              "gang",
              "a task takes %d machines of slice %s at the same time, and %s for it"
                      .formatted(v.gang(), pool, coming(v.has()))
                  + remedy(v));
      case PoolVeto.OwnMachines v -> new VetoText("join", join(v));
      case PoolVeto.Unfit v -> new VetoText("pool-paused", unfit(v, now), v.next());
      case PoolVeto.Cordoned v ->
          new VetoText(
              "cordoned",
              "pool %s is cordoned until %s: its machines take no tasks, and it gets no more"
                      .formatted(pool, v.until())
                  + remedy(v),
              Optional.of(v.until()));
      case PoolVeto.OverBudget v -> new VetoText("budget", budget(v));
      case PoolVeto.OverMonth v -> new VetoText("budget", month(v), Optional.of(v.next()));
      case PoolVeto.NoPrice v ->
          new VetoText(
              "budget",
              "pool %s: budget.prices of the cluster has no price for %s, and machines without a price are not launched"
                      .formatted(pool, v.machineType())
                  + remedy(v));
      case PoolVeto.ChipsInUse v ->
          new VetoText(
              "chips",
              "slice %s has %d chips, and %d of them %s not back yet"
                  .formatted(pool, v.chips(), v.used(), v.used() == 1 ? "is" : "are"));
      case PoolVeto.CreationRate v ->
          new VetoText(
              "rate",
              "a project asks for at most %d TPUs a minute, and %s left of this one; pool %s gets more in the next"
                  .formatted(TpuCreateQuota.A_MINUTE, HumanAmounts.are(v.left()), pool));
      case PoolVeto.PlanFull v ->
          new VetoText(
              "rate",
              "at most %d machines are launched at once; more are launched within a minute for pool %s"
                  .formatted(v.most(), pool));
    };
  }

  private static String join(PoolVeto.OwnMachines veto) {
    var has =
        veto.live() < veto.max()
            ? "pool %s has %d of %d static workers".formatted(veto.pool(), veto.live(), veto.max())
            : "pool %s has its maximum of static workers, %d".formatted(veto.pool(), veto.max());
    return has + remedy(veto);
  }

  private static String budget(PoolVeto.OverBudget veto) {
    return "the cluster's budget is %s an hour: its machines cost %s, and %s more of pool %s %s"
            .formatted(
                HumanAmounts.exactUsd(veto.usdPerHour()),
                HumanAmounts.exactUsd(veto.cost()),
                veto.machines() == 1 ? "one" : veto.machines(),
                veto.pool(),
                HumanAmounts.exactUsd(veto.price()))
        + (veto.isAbove() ? "; " + RemedyText.CONTINUE : "")
        + remedy(veto);
  }

  private static String month(PoolVeto.OverMonth veto) {
    return "of the cluster's budget of %s a month %s are spent; its machines cost %s an hour, %s more of pool %s %s, and another is bought only while the money lasts for %s of all of them"
            .formatted(
                HumanAmounts.usd(veto.usdPerMonth()),
                HumanAmounts.usd(veto.spent()),
                HumanAmounts.usd(veto.usdPerHour()),
                veto.machines() == 1 ? "one" : veto.machines(),
                veto.pool(),
                HumanAmounts.usd(veto.price()),
                HumanDuration.format(veto.atLeast()))
        + remedy(veto);
  }

  private static String unfit(PoolVeto.Unfit veto, Instant now) {
    var next =
        veto.next()
            .map(at -> "the next one is tried in " + HumanDuration.between(now, at))
            .orElse("%d at a time is tried until one is fit".formatted(veto.atATime()));
    return "%s of pool %s could not run tasks: %s; %s"
        .formatted(HumanAmounts.count(veto.failed(), "machine"), veto.pool(), veto.lacks(), next);
  }

  private static String remedy(Veto veto) {
    return "; " + RemedyText.of(Remedies.of(veto));
  }

  private static String coming(int machines) {
    return HumanAmounts.are(machines)
        + (machines == 1 ? " free or on its way" : " free or on their way");
  }
}
