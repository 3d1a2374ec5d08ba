package dev.mayfly.core.plan.veto;

import dev.mayfly.core.plan.share.LaterTurn;
import dev.mayfly.core.plan.share.ShareText;
import dev.mayfly.core.text.ExitCode;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/**
 * A veto in words for people. Nothing else makes such words.
 *
 * @param kind one word
 * @param text a sentence with what was seen and the remedy
 * @param next when it is tried again, if that is known
 */
public record VetoText(String kind, String text, Optional<Instant> next) {
  /** The kind of {@link JobVeto.CrashLoop}. */
  public static final String CRASH_LOOP = "crash-loop";

  /** The same while only a few tasks of many have failed. */
  public static final String FIRST_FAILURES = "first-failures";

  VetoText(String kind, String text) {
    this(kind, text, Optional.empty());
  }

  public static VetoText of(Veto veto, Instant now) {
    return switch (veto) {
      case ShapeVeto v -> new VetoText("shape", ShapeText.of(v));
      case ClusterVeto v -> PoolText.of(v);
      case PoolVeto v -> PoolText.of(v, now);
      case ZoneVeto v -> ZoneText.of(v, now);
      case WorkerVeto v -> WorkerText.of(v);
      case ComingVeto v -> ComingText.of(v, now);
      case LimitVeto v -> LimitText.of(v);
      case JobVeto v -> of(v, now);
    };
  }

  private static VetoText of(JobVeto veto, Instant now) {
    return switch (veto) {
      case JobVeto.Impossible v -> new VetoText("impossible", v.why().message());
      case JobVeto.Pinned v ->
          new VetoText(
              "pinned",
              "it may run on %s alone; no machine is launched for it"
                  .formatted(String.join(", ", v.workers())));
      case JobVeto.UnknownWorker v ->
          new VetoText(
              "unknown-worker",
              "it may run on worker %s, which is not there; %s"
                  .formatted(v.worker(), RemedyText.of(Remedies.of(v))));
      case JobVeto.NoOnDemandPool _ -> new VetoText("no-pool", InfeasibleText.noFallback());
      case JobVeto.CrashLoop v when v.isCertain() -> new VetoText(CRASH_LOOP, crashLoop(v));
      case JobVeto.CrashLoop v -> new VetoText(FIRST_FAILURES, crashLoop(v));
      case JobVeto.Interrupted v -> new VetoText("interrupted", interrupted(v, now));
      case JobVeto.KeptForOther v ->
          new VetoText(
              "kept",
              "worker %s has room, and is kept for job %s, which waits for more of it or for several workers at once"
                  .formatted(v.worker(), v.keeper()));
      case JobVeto.Kept v ->
          new VetoText(
              "hold",
              "worker %s is kept for it until there is room for a task".formatted(v.worker()));
      case JobVeto.Ahead v -> new VetoText("turn", ahead(v));
      case JobVeto.Shares v ->
          new VetoText(
              "share",
              ShareText.turns(v.priority(), v.owners(), v.later(), now),
              v.later().map(LaterTurn::until));
      case JobVeto.Gathering v -> new VetoText("gang", gathering(v));
      case JobVeto.HolderLost v -> new VetoText("lost", holderLost(v), v.until());
      case JobVeto.HolderSilent v ->
          new VetoText("silent", holderSilent(v, now), Optional.of(v.lostBy()));
      case JobVeto.Stalled v -> new VetoText("stalled", stalled(v), Optional.of(v.until()));
      case JobVeto.Untold v -> new VetoText(v.kind(), "and " + v.more() + ": " + v.command());
      case JobVeto.AdditionsAwaited v ->
          new VetoText(
              "additions",
              "it was closed with %s, of which %,d arrived; the others are awaited until %s, and then it ends without them"
                  .formatted(
                      HumanAmounts.count(v.closedWith(), "addition"),
                      v.arrived(),
                      v.until().truncatedTo(ChronoUnit.SECONDS)),
              Optional.of(v.until()));
    };
  }

  private static String holderLost(JobVeto.HolderLost veto) {
    return "worker %s is lost (%s) and may still run its tasks; the job is exclusive, so that others get them only %s"
        .formatted(
            veto.worker(),
            veto.loss(),
            veto.until()
                .map(at -> "at %s, or once %s has joined again".formatted(at, veto.worker()))
                .orElse("when the cloud says that the machine is gone"));
  }

  private static String holderSilent(JobVeto.HolderSilent veto, Instant now) {
    var by =
        veto.lostBy().isAfter(now)
            ? "at " + veto.lostBy().truncatedTo(ChronoUnit.SECONDS)
            : "as soon as reports were served for long enough";
    // Once it is silent for that long, less than half of the others report.
    var lost =
        now.isAfter(veto.due().plus(veto.lostAfter()))
            ? "%s, or at once when half of the other machines report".formatted(by)
            : "after %s of silence while half of the other machines report, and else %s"
                .formatted(HumanDuration.format(veto.lostAfter()), by);
    return "worker %s, which has tasks of it, is unheard: its report was due %s, at %s; it is lost %s; %s"
        .formatted(
            veto.worker(),
            HumanDuration.ago(veto.due(), now),
            veto.due().truncatedTo(ChronoUnit.SECONDS),
            lost,
            veto.exclusive()
                ? "then its tasks wait until it certainly runs them no more: the job is exclusive"
                : "then its tasks run again elsewhere, and the attempt counts in retries.infrastructure");
  }

  private static String stalled(JobVeto.Stalled veto) {
    return "%s %s not go on: %s; tried again until %s"
        .formatted(
            HumanAmounts.count(veto.tasks(), "task"),
            veto.tasks() == 1 ? "does" : "do",
            veto.why(),
            veto.until().truncatedTo(ChronoUnit.SECONDS));
  }

  private static String gathering(JobVeto.Gathering veto) {
    return "a task needs %d machines of pool %s in zone %s at once: %d free, %d starting, %d still busy"
        .formatted(
            veto.machines(), veto.pool(), veto.zone(), veto.free(), veto.coming(), veto.busy());
  }

  private static String crashLoop(JobVeto.CrashLoop veto) {
    return "no task has succeeded, and %s of %s on %s all ended with %s: %s; until one succeeds, no machine is launched for more of them"
        .formatted(
            HumanAmounts.count(veto.attempts(), "attempt"),
            veto.isCertain()
                ? HumanAmounts.count(veto.tasks(), "task")
                : "the first %,d of %,d tasks".formatted(veto.tasks(), veto.of()),
            HumanAmounts.count(veto.workers(), "worker"),
            ExitCode.format(veto.exitCode()),
            RemedyText.of(Remedies.of(veto)));
  }

  private static String interrupted(JobVeto.Interrupted veto, Instant now) {
    var last = veto.last();
    return "%s failed, all through machines, storage or the cloud; last %s on %s (%s%s); its task %s"
        .formatted(
            HumanAmounts.count(veto.attempts(), "attempt"),
            HumanDuration.ago(last.at(), now),
            last.worker(),
            last.cause().name().toLowerCase(Locale.ROOT),
            last.evidence().isBlank() ? "" : ": " + last.summary(),
            veto.runs() ? "is on a machine again" : "is tried again as soon as a machine has room");
  }

  private static String ahead(JobVeto.Ahead veto) {
    return "before it in the queue: " + String.join(", ", veto.jobs());
  }
}
