package dev.mayfly.core.plan.veto;

import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Words what comes by itself. */
final class ComingText {
  private static final int MOST_NAMED = 5;

  private ComingText() {}

  static VetoText of(ComingVeto veto, Instant now) {
    return switch (veto) {
      case ComingVeto.NextReport v -> new VetoText("starting", report(v, now), v.due());
      case ComingVeto.GangForms v ->
          new VetoText(
              "gang",
              "%s are free for a task, which starts there soon"
                  .formatted(WorkerText.named(v.workers())));
      case ComingVeto.Booting v ->
          new VetoText(
              "booting",
              "%s of pool %s %s being created, the first ordered %s%s"
                  .formatted(
                      HumanAmounts.count(v.machines(), "machine"),
                      v.pool(),
                      v.machines() == 1 ? "is" : "are",
                      HumanDuration.ago(v.since(), now),
                      v.usual()
                          .map(time -> "; usually it takes " + HumanDuration.format(time))
                          .orElse("")));
      case ComingVeto.Late v -> new VetoText("no-boot", late(v, now), Optional.of(v.until()));
      case ComingVeto.HostsAwaited v -> new VetoText("booting", hosts(v, now));
      case ComingVeto.Queued v ->
          new VetoText(
              "queued",
              "%s of pool %s %s in the cloud's queue for %s (%s), until it has room; no order is repeated, so that the place is kept"
                  .formatted(
                      HumanAmounts.count(v.machines(), "machine"),
                      v.pool(),
                      v.machines() == 1 ? "waits" : "wait",
                      HumanDuration.between(v.since(), now),
                      v.state()));
      case ComingVeto.Requested v ->
          new VetoText("queued", requested(v, now), Optional.of(v.until()));
      case ComingVeto.OrderDelayed v ->
          new VetoText(
              "booting",
              "%s of pool %s %s ordered %s ago, and the cloud asks to try again later: %s"
                  .formatted(
                      HumanAmounts.count(v.machines(), "machine"),
                      v.pool(),
                      v.machines() == 1 ? "was" : "were",
                      HumanDuration.between(v.since(), now),
                      v.said()));
      case ComingVeto.Preparing v ->
          new VetoText(
              "preparing",
              WorkerText.named(v.workers())
                  + (v.workers().size() == 1 ? " prepares: " : " prepare: ")
                  + v.what());
      case ComingVeto.DoneSooner v -> new VetoText("soon", sooner(v));
      case ComingVeto.RoomMade v -> new VetoText("preemption", made(v), v.until());
      case ComingVeto.Ordering v ->
          new VetoText(
              "booting",
              "%s of pool %s %s ordered in zone %s now"
                  .formatted(
                      HumanAmounts.count(v.machines(), "machine"),
                      v.pool(),
                      v.machines() == 1 ? "is" : "are",
                      v.zone()));
    };
  }

  private static String sooner(ComingVeto.DoneSooner veto) {
    return "no machine is ordered: the %s that %s done by the %s there in about %s, before another could be ready (usually %s)"
        .formatted(
            HumanAmounts.count(veto.tasks(), "task"),
            veto.tasks() == 1 ? "waits is" : "wait are",
            HumanAmounts.count(veto.machines(), "machine"),
            HumanDuration.format(veto.about()),
            HumanDuration.format(veto.usual()));
  }

  private static String late(ComingVeto.Late veto, Instant now) {
    var more = veto.machines() - 1;
    return "machine %s of pool %s%s was ordered %s in zone %s, and %s%s; it is given up at %s, in %s, and %s"
        .formatted(
            veto.worker(),
            veto.pool(),
            more == 0 ? "" : " and %s like it".formatted(HumanAmounts.count(more, "other")),
            HumanDuration.ago(veto.since(), now),
            veto.zone(),
            veto.started()
                ? "the cloud has started it and it has not reported"
                : "the cloud has not started it",
            veto.usual().map(it -> " (others: " + HumanDuration.format(it) + ")").orElse(""),
            veto.until().truncatedTo(ChronoUnit.SECONDS),
            HumanDuration.between(now, veto.until()),
            veto.next()
                .map("another is ordered in zone %s"::formatted)
                .orElse("the zone is left for some minutes"));
  }

  private static String made(ComingVeto.RoomMade veto) {
    var tasks = veto.ending().stream().mapToInt(it -> it.tasks().size()).sum();
    var named =
        veto.ending().stream()
            .map(it ->
                "%s %s of job %s"
                    .formatted(
                        it.tasks().size() == 1 ? "task" : "tasks", named(it.tasks()), it.job()))
            .collect(Collectors.joining(", "));
    var run = tasks == 1 ? "runs" : "run";
    return veto.until()
        .map(at ->
            "room is made for it: %s %s by %s, and %s again when there is room"
                .formatted(
                    named, tasks == 1 ? "ends" : "end", at.truncatedTo(ChronoUnit.SECONDS), run))
        .orElseGet(() ->
            "room is to be made for it: %s %s to end next, unless that changes before, and %s again when there is room"
                .formatted(named, tasks == 1 ? "is asked" : "are asked", run));
  }

  private static String named(List<Long> tasks) {
    var more = tasks.size() - MOST_NAMED;
    return tasks.stream().limit(MOST_NAMED).map(String::valueOf).collect(Collectors.joining(", "))
        + (more > 0 ? " and %d more".formatted(more) : "");
  }

  private static String requested(ComingVeto.Requested veto, Instant now) {
    return "%s of pool %s %s requested by flex-start%s %s, and the cloud has none yet; %s, and its end counts as a lack of stock in the zone"
        .formatted(
            HumanAmounts.count(veto.machines(), "machine"),
            veto.pool(),
            veto.machines() == 1 ? "is" : "are",
            veto.machines() == 1 ? "" : ", the first",
            HumanDuration.ago(veto.since(), now),
            veto.until().isAfter(now)
                ? "it keeps the request for %s more"
                    .formatted(HumanDuration.between(now, veto.until()))
                : "the request ends now");
  }

  private static String hosts(ComingVeto.HostsAwaited veto, Instant now) {
    var missing = veto.missing().stream().map(String::valueOf).collect(Collectors.joining(", "));
    return "%d of %d hosts of slice %s have reported; host%s %s %s not, for %s; it is given up and ordered anew in %s"
        .formatted(
            veto.hosts() - veto.missing().size(),
            veto.hosts(),
            veto.worker(),
            veto.missing().size() == 1 ? "" : "s",
            missing,
            veto.missing().size() == 1 ? "has" : "have",
            HumanDuration.between(veto.since(), now),
            HumanDuration.between(now, veto.until()));
  }

  private static String report(ComingVeto.NextReport veto, Instant now) {
    var due =
        veto.due()
            .map(at ->
                at.isBefore(now.minusSeconds(1))
                    ? ", due " + HumanDuration.ago(at, now)
                    : ", due in " + HumanDuration.between(now, at))
            .orElse("");
    var one = veto.workers().size() == 1;
    return "%s %s room, and %s tasks at %s next report%s"
        .formatted(
            WorkerText.named(veto.workers()),
            one ? "has" : "have",
            one ? "takes" : "take",
            one ? "its" : "their",
            due);
  }
}
