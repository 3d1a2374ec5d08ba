package dev.mayfly.core.plan.veto;

import static java.time.temporal.ChronoUnit.SECONDS;

import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.worker.KeptAttempt;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Words why workers that are there take no task. */
final class WorkerText {
  private static final int NAMED = 3;

  private WorkerText() {}

  /** Whose wish it is, and what is lost with it. */
  private static String kept(List<String> workers, Instant until, KeptAttempt attempt) {
    var first = workers.getFirst();
    var others = workers.size() - 1;
    return "worker %s is kept until %s because task %d of job %s failed there (its keepFailed)%s: nothing new starts there before; mayfly uncordon %1$s ends that, and deletes what the attempt left: ask whose job it is"
        .formatted(
            first,
            until,
            attempt.task(),
            attempt.name(),
            others == 0
                ? ""
                : ", and %s for longer".formatted(others == 1 ? "one more" : others + " more"));
  }

  static VetoText of(WorkerVeto veto) {
    return switch (veto) {
      case WorkerVeto.Unfit v ->
          new VetoText(
              "unfit",
              named(v.workers())
                  + (v.workers().size() == 1 ? " takes" : " take")
                  + " no tasks: "
                  + v.lacks());
      case WorkerVeto.Cordoned(var workers, var until, var kept) when kept.isPresent() ->
          new VetoText("cordoned", kept(workers, until, kept.get()), Optional.of(until));
      case WorkerVeto.Cordoned v ->
          new VetoText(
              "cordoned",
              "%s %s cordoned until %s and %s no tasks; %s"
                  .formatted(
                      named(v.workers()),
                      v.workers().size() == 1 ? "is" : "are",
                      v.until(),
                      v.workers().size() == 1 ? "takes" : "take",
                      RemedyText.of(Remedies.of(v))),
              Optional.of(v.until()));
      case WorkerVeto.Full v -> new VetoText("room", full(v));
      case WorkerVeto.HoldsMost v ->
          new VetoText(
              "room",
              "worker %s holds %,d ranges of tasks, the most that a worker may; it takes the next when all tasks of one have ended"
                  .formatted(v.worker(), v.blocks()));
      case WorkerVeto.GangBusy v -> new VetoText("room", gangBusy(v));
      case WorkerVeto.NoneEnds v ->
          new VetoText(
              "preemption",
              "pool %s ends no running task for it: %s".formatted(v.pool(), spared(v)));
      case WorkerVeto.MoreFull v ->
          new VetoText(
              "room",
              "%s of pool %s %s no more room"
                  .formatted(
                      HumanAmounts.count(v.workers(), "more worker"),
                      v.pool(),
                      v.workers() == 1 ? "has" : "have"));
    };
  }

  private static String spared(WorkerVeto.NoneEnds veto) {
    return switch (veto.why()) {
      case WorkerVeto.Spared.Off _ ->
          "those of a lower priority go on to their ends; write preemption: running in the pool, or wait";
      case WorkerVeto.Spared.LoseTooMuch v ->
          "all of a lower priority would lose more since their last checkpoint or start than %s, the least of them %s%s"
              .formatted(
                  HumanDuration.format(v.most()),
                  HumanDuration.format(v.least()),
                  v.before().isZero()
                      ? ""
                      : ", %s of it in earlier attempts"
                          .formatted(HumanDuration.format(v.before())));
      case WorkerVeto.Spared.Whole _ ->
          "those of a lower priority are of gangs, or beside exclusive ones";
    };
  }

  private static String gangBusy(WorkerVeto.GangBusy veto) {
    var busy =
        veto.busy().stream()
            .map(b ->
                "%s with %s%s"
                    .formatted(
                        b.worker(),
                        String.join(", ", b.jobs()),
                        b.until()
                            .map(at -> " until %s at the latest".formatted(at.truncatedTo(SECONDS)))
                            .orElse("")))
            .collect(Collectors.joining("; "));
    return "a task takes %s of pool %s at once; zone %s has %d, and %d of them %s busy: %s%s"
        .formatted(
            HumanAmounts.count(veto.machines(), "whole machine"),
            veto.pool(),
            veto.zone(),
            veto.there(),
            veto.busy().size() + veto.more(),
            veto.busy().size() + veto.more() == 1 ? "is" : "are",
            busy,
            veto.more() > 0 ? "; and %d more".formatted(veto.more()) : "");
  }

  /** {@code worker a}, or {@code workers a, b, c and 4 more}. */
  static String named(List<String> workers) {
    var rest = workers.size() - NAMED;
    return (workers.size() == 1 ? "worker " : "workers ")
        + String.join(", ", workers.stream().limit(NAMED).toList())
        + (rest > 0 ? " and " + rest + " more" : "");
  }

  private static String full(WorkerVeto.Full veto) {
    var need = veto.need();
    var users =
        veto.users().stream()
            .map(user -> user.job() + " " + HumanAmounts.rounded(user.uses(), need))
            .collect(Collectors.joining(", "));
    return "worker %s has %s of %s free%s, a task needs %s; in use: %s"
        .formatted(
            veto.worker(),
            HumanAmounts.rounded(veto.free().amounts(), need),
            HumanAmounts.rounded(veto.total(), need),
            devices(veto.free(), need),
            needed(need),
            users.isEmpty() ? "nothing" : users);
  }

  private static String needed(Resources need) {
    var amounts = HumanAmounts.rounded(need, need);
    return need.gpuMemoryBytes() <= 0
        ? amounts
        : amounts + " with " + HumanAmounts.gib(need.gpuMemoryBytes()) + " of its memory";
  }

  /** The free part of each GPU, if all GPUs together would have enough. */
  private static String devices(FreeResources free, Resources need) {
    if (!need.needsGpu()) return "";
    if (need.gpuMillis() == 0) return ", and the memory of its GPUs is not known";
    if (free.amounts().gpuMillis() < need.gpuMillis()) return "";
    return IntStream.range(0, free.gpus().size())
        .mapToObj(device -> part(free, device, need))
        .collect(Collectors.joining(", ", " (by GPU: ", ")"));
  }

  private static String part(FreeResources free, int device, Resources need) {
    var part = HumanAmounts.number(free.gpus().get(device) / 1000.0);
    return need.gpuMemoryBytes() <= 0 || device >= free.gpuMemory().size()
        ? part
        : part + " with " + HumanAmounts.gib(free.gpuMemory().get(device));
  }
}
