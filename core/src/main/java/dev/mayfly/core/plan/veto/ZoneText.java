package dev.mayfly.core.plan.veto;

import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Instant;
import java.util.Optional;

/** Words why a zone is asked for no machine. */
final class ZoneText {
  private ZoneText() {}

  static VetoText of(ZoneVeto veto, Instant now) {
    return switch (veto) {
      case ZoneVeto.Refused v ->
          new VetoText(kind(v.cause()), refused(v, now) + again(v.next(), now), v.next());
      case ZoneVeto.ShortLived v ->
          new VetoText(
              v.taken() > 0 ? "preempted" : "losses",
              shortLived(v, now) + again(v.next(), now),
              v.next());
      case ZoneVeto.NeverBooted v ->
          new VetoText("no-boot", neverBooted(v, now) + again(v.next(), now), v.next());
      case ZoneVeto.GangIncomplete v ->
          new VetoText(
              "gang",
              "zone %s could not provide all %d machines of pool %s that a task needs at once%s"
                  .formatted(v.zone(), v.gang(), v.pool(), again(Optional.of(v.until()), now)),
              Optional.of(v.until()));
    };
  }

  private static String shortLived(ZoneVeto.ShortLived veto, Instant now) {
    var machine = machine(veto.machineType(), veto.how());
    var ago = HumanDuration.ago(veto.at(), now);
    if (veto.lost() == 0)
      return "zone %s took %s back soon after its start, %s in the last half hour, the last time %s"
          .formatted(veto.zone(), machine, times(veto.taken()), ago);
    if (veto.taken() == 0)
      return "zone %s lost %s soon after its start, %s in the last half hour, the last time %s, by a failure of its host or without a word"
          .formatted(veto.zone(), machine, times(veto.lost()), ago);
    return "zone %s ended %s soon after its start, %s in the last half hour, the last time %s: it took %d back, and lost %d by a failure of its host or without a word"
        .formatted(
            veto.zone(),
            machine,
            times(veto.taken() + veto.lost()),
            ago,
            veto.taken(),
            veto.lost());
  }

  private static String times(long n) {
    return n == 1 ? "once" : n + " times";
  }

  private static String neverBooted(ZoneVeto.NeverBooted veto, Instant now) {
    // Of what the cloud never starts a zone and a type are remembered, whoever ordered it.
    return "zone %s accepted the order of %s%s, and %s before it was given up, %s in the last half hour, the last time %s"
        .formatted(
            veto.zone(),
            machine(veto.machineType(), veto.how()),
            veto.started() ? " for pool " + veto.pool() : "",
            veto.started() ? "the machine ran and did not report" : "did not start it",
            times(veto.times()),
            HumanDuration.ago(veto.at(), now));
  }

  private static String kind(ZoneVeto.Cause cause) {
    return switch (cause) {
      case STOCK -> "stockout";
      case QUOTA -> "quota";
      case SPEC -> "refused";
      case UNCLEAR -> "unclear";
    };
  }

  private static String refused(ZoneVeto.Refused veto, Instant now) {
    var machine = machine(veto.machineType(), veto.how());
    var sentence = veto.said().isEmpty() ? "" : " (" + veto.said() + ")";
    var said = veto.code() + sentence + " " + HumanDuration.ago(veto.at(), now);
    return switch (veto.cause()) {
      case STOCK ->
          "zone %s has no %s for pool %s: %s".formatted(veto.zone(), machine, veto.pool(), said);
      case QUOTA ->
          "zone %s: region %s allows no more %s: %s; %s"
              .formatted(veto.zone(), veto.place(), machine, said, remedy(veto));
      case SPEC ->
          "zone %s refused a machine of pool %s: %s; %s"
              .formatted(veto.zone(), veto.pool(), said, remedy(veto));
      case UNCLEAR ->
          "zone %s ended %s of %s with %s, which Mayfly does not know; the third within a few minutes pauses launches there"
              .formatted(veto.zone(), HumanAmounts.count(veto.times(), "order"), machine, said);
    };
  }

  private static String remedy(Veto veto) {
    return RemedyText.of(Remedies.of(veto));
  }

  private static String again(Optional<Instant> next, Instant now) {
    return next.map(at -> "; the next try is in " + HumanDuration.between(now, at)).orElse("");
  }

  private static String machine(String type, Provisioning how) {
    return type + (how == Provisioning.SPOT ? "" : " (" + how.word() + ")");
  }
}
