package dev.mayfly.core.plan.veto;

import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.TpuCreateQuota;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** Words vetoes for people: a kind, and one sentence. Nothing else makes such words. */
public record VetoText(String kind, String text) {
  private static final String ENDS =
      "machines that no task needs end, and running tasks continue; lower workers.max to end"
          + " busy machines too";

  public static VetoText of(Veto veto, Instant now) {
    return switch (veto) {
      case ShapeVeto v -> new VetoText("shape", ShapeText.of(v));
      case ClusterVeto v -> of(v);
      case PoolVeto v -> of(v, now);
      case ZoneVeto v -> of(v, now);
      case JobVeto v -> of(v);
    };
  }

  private static VetoText of(ClusterVeto veto) {
    return switch (veto) {
      case ClusterVeto.AboveBudget v ->
          new VetoText(
              "budget",
              "its machines cost $%s an hour, above the budget of $%s; %s"
                  .formatted(usd(v.cost()), usd(v.usdPerHour()), ENDS));
    };
  }

  private static VetoText of(PoolVeto veto, Instant now) {
    var pool = veto.pool();
    return switch (veto) {
      case PoolVeto.AtMaximum v ->
          new VetoText(
              "max",
              "pool %s may have %d workers and has %d".formatted(pool, v.max(), v.counted()));
      case PoolVeto.GangTooLarge v ->
          new VetoText(
              "gang",
              "pool %s may have %d workers, and a task takes %d at the same time"
                  .formatted(pool, v.max(), v.gang()));
      case PoolVeto.OwnMachines v ->
          new VetoText(
              "join",
              "pool %s is static, with %d machines now, and none is launched for it; run mayfly worker join --pool %s on another machine"
                  .formatted(pool, v.live(), pool));
      case PoolVeto.Unfit v -> new VetoText("pool-paused", unfit(v, now));
      case PoolVeto.OverBudget v ->
          new VetoText(
              "budget",
              "the cluster's budget is $%s an hour: its machines cost $%s, and one more of pool %s $%s%s"
                  .formatted(
                      usd(v.usdPerHour()),
                      usd(v.cost()),
                      pool,
                      usd(v.price()),
                      v.above() ? "; " + ENDS : ""));
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
              "a project asks for at most %d TPUs a minute, and %d are left of this one"
                  .formatted(TpuCreateQuota.A_MINUTE, v.left()));
      case PoolVeto.PlanFull v ->
          new VetoText(
              "plan",
              "one plan launches at most %d machines; the next one continues".formatted(v.most()));
    };
  }

  private static String unfit(PoolVeto.Unfit veto, Instant now) {
    var next =
        veto.next()
            .map(
                at -> "the next one is tried in " + HumanDuration.format(Duration.between(now, at)))
            .orElse("%d at a time is tried until one is fit".formatted(veto.atATime()));
    return "%d machine%s of pool %s could run no task: %s; %s"
        .formatted(veto.failed(), veto.failed() == 1 ? "" : "s", veto.pool(), veto.lacks(), next);
  }

  private static VetoText of(ZoneVeto veto, Instant now) {
    return switch (veto) {
      case ZoneVeto.Refused v ->
          new VetoText(
              v.cause().name().toLowerCase(Locale.ROOT),
              "%s refused %s %s ago (%s)"
                  .formatted(
                      v.place(), machine(v.machineType(), v.how()), span(v.at(), now), v.code()));
      case ZoneVeto.ShortLived v ->
          new VetoText(
              "preempted",
              "%s took %s back soon after its start, %d times in the last half hour, the latest %s ago"
                  .formatted(
                      v.zone(), machine(v.machineType(), v.how()), v.times(), span(v.at(), now)));
      case ZoneVeto.GangIncomplete v ->
          new VetoText(
              "gang",
              "%s had only part of a gang of %d; the whole gang will be requested in %s"
                  .formatted(v.zone(), v.gang(), span(now, v.until())));
    };
  }

  private static String machine(String type, Provisioning how) {
    return type + (how == Provisioning.SPOT ? "" : " (" + how.word() + ")");
  }

  private static String span(Instant from, Instant to) {
    return HumanDuration.format(Duration.between(from, to));
  }

  private static VetoText of(JobVeto veto) {
    return switch (veto) {
      case JobVeto.Impossible v -> new VetoText("impossible", v.why().message());
      case JobVeto.Pinned v ->
          new VetoText(
              "pinned",
              "it may run on %s alone; no machine is launched for it"
                  .formatted(String.join(", ", v.workers())));
      case JobVeto.NoOnDemandPool _ -> new VetoText("on-demand", InfeasibleText.NO_FALLBACK);
      case JobVeto.KeptForOther v ->
          new VetoText(
              "kept",
              "worker %s has room, and is kept for job %s, which waits for more of it or for several workers at once"
                  .formatted(v.worker(), v.keeper()));
      case JobVeto.Kept v ->
          new VetoText(
              "hold",
              "worker %s is kept for it until there is room for a task".formatted(v.worker()));
      case JobVeto.Gathering v ->
          new VetoText(
              "gang",
              "of %d machines in %s of pool %s, %d are free and kept for it, %d are on their way, and %d are kept when their work is over"
                  .formatted(v.machines(), v.zone(), v.pool(), v.free(), v.coming(), v.busy()));
    };
  }

  private static String usd(double amount) {
    return String.format(Locale.ROOT, "%.2f", amount);
  }
}
