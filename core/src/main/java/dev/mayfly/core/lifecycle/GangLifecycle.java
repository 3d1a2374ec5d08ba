package dev.mayfly.core.lifecycle;

import dev.mayfly.core.lifecycle.GangEvent.DeadlineExtended;
import dev.mayfly.core.lifecycle.GangEvent.HostGone;
import dev.mayfly.core.lifecycle.GangEvent.HostLost;
import dev.mayfly.core.lifecycle.GangEvent.Reported;
import dev.mayfly.core.lifecycle.GangEvent.StopRequested;
import dev.mayfly.core.lifecycle.GangEvent.TimePassed;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.gang.GangFault;
import dev.mayfly.core.model.gang.GangMember;
import dev.mayfly.core.model.gang.GangMemberStage;
import dev.mayfly.core.model.gang.GangPhase;
import dev.mayfly.core.model.gang.GangPhase.Cleared;
import dev.mayfly.core.model.gang.GangPhase.Done;
import dev.mayfly.core.model.gang.GangPhase.Kill;
import dev.mayfly.core.model.gang.GangPhase.Prepare;
import dev.mayfly.core.model.gang.GangPhase.Publish;
import dev.mayfly.core.model.gang.GangPhase.Run;
import dev.mayfly.core.model.gang.GangPhase.Settle;
import dev.mayfly.core.model.gang.GangPhaseTimeouts;
import dev.mayfly.core.model.gang.GangReport;
import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.worker.HostId;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The only table of a gang's run: every phase with every event.
 *
 * <p><b>Must:</b> no host starts before all are prepared; nothing is published before all hosts
 * exited with 0; any failure kills the whole run; a run is cleared only when every host has
 * confirmed that nothing of it is left, or is proved gone; late, repeated and impossible events
 * have rows too and change nothing.
 */
public final class GangLifecycle {
  private final GangPhaseTimeouts times;

  public GangLifecycle(GangPhaseTimeouts times) {
    this.times = times;
  }

  /** The event that time alone causes for a run now. */
  public GangEvent timeEvent(GangRun run, Instant now) {
    return new GangDeadlines(times).timeEvent(run, now);
  }

  private record On(GangPhase phase, GangEvent event) {}

  /** The run after the event; equal to the run before if the event changes nothing. */
  public GangRun on(GangRun run, GangEvent event) {
    return next(event instanceof Reported e && !run.phase().ended() ? kept(run, e) : run, event);
  }

  /** With what the last checkpoint keeps, whatever else the report changes. */
  private static GangRun kept(GangRun run, Reported e) {
    var report = e.report();
    return report.run() == run.number() && report.keptUntil().isPresent()
        ? run.mapMembers(m -> m.host().equals(report.host()), m -> m.withKept(report))
        : run;
  }

  private GangRun next(GangRun run, GangEvent event) {
    return switch (new On(run.phase(), event)) {
      case On(Prepare _, Reported e) -> reported(run, e);
      case On(Prepare _, DeadlineExtended e) ->
          run.withPhase(GangDeadlines.moved(run, e.deadline()));
      case On(Prepare p, TimePassed e) ->
          late(
              run,
              p.deadline(),
              e,
              m -> m.stage() == GangMemberStage.IDLE,
              "did not prepare in time");
      case On(Prepare _, HostLost e) -> lost(run, e);
      case On(Prepare _, HostGone e) -> gone(run, e);
      case On(Prepare _, StopRequested e) -> stopped(run, e);

      case On(Run _, Reported e) -> reported(run, e);
      case On(Run _, DeadlineExtended e) -> run.withPhase(GangDeadlines.moved(run, e.deadline()));
      case On(Run p, TimePassed e) -> overdue(run, p, e);
      case On(Run _, HostLost e) -> lost(run, e);
      case On(Run _, HostGone e) -> gone(run, e);
      case On(Run _, StopRequested e) -> stopped(run, e);

      case On(Settle _, Reported e) -> reported(run, e);
      case On(Settle _, DeadlineExtended e) ->
          run.withPhase(GangDeadlines.moved(run, e.deadline()));
      case On(Settle p, TimePassed e) -> unsettled(run, p, e);
      case On(Settle _, HostLost e) -> lost(run, e);
      case On(Settle _, HostGone e) -> gone(run, e);
      case On(Settle _, StopRequested e) -> stopped(run, e);

      // The command has ended everywhere: events of hosts other than rank 0 no longer matter.
      case On(Publish _, Reported e) -> rankZero(run, e.report().host()) ? reported(run, e) : run;
      case On(Publish _, DeadlineExtended e) ->
          run.withPhase(GangDeadlines.moved(run, e.deadline()));
      case On(Publish p, TimePassed e) ->
          late(run, p.deadline(), e, m -> rankZero(run, m), "did not publish in time");
      case On(Publish _, HostLost e) -> rankZero(run, e.host()) ? lost(run, e) : bad(run, e);
      case On(Publish _, HostGone e) -> rankZero(run, e.host()) ? gone(run, e) : absent(run, e);
      // The work is done; only its result is still in transit.
      case On(Publish _, StopRequested _) -> run;

      case On(Kill p, Reported e) -> confirmed(run, p, e);
      case On(Kill _, DeadlineExtended e) -> run.withPhase(GangDeadlines.moved(run, e.deadline()));
      case On(Kill p, TimePassed e) -> unconfirmed(run, p, e);
      case On(Kill p, HostLost e) ->
          bad(run, e).withPhase(GangFaultAttribution.withBetterFault(run, p, e));
      case On(Kill p, HostGone e) -> {
        var known = GangFaultAttribution.withBetterFault(run, p, e);
        yield clear(run.withPhase(known), known, e.host(), e.at());
      }
      case On(Kill _, StopRequested _) -> run;

      // Late events of a finished run.
      case On(Done _, _) -> run;
      case On(Cleared _, _) -> run;
    };
  }

  private GangRun reported(GangRun run, Reported e) {
    var report = e.report();
    var member = run.member(report.host());
    if (member.isEmpty()) return run;
    var known = member.get();
    if (GangFaultAttribution.restarted(run, e))
      return kill(
          run,
          e.at(),
          GangFaultAttribution.observedFault(
              run, report.host(), FailureCause.INFRASTRUCTURE, "its agent restarted", e));
    if (report.run() != run.number()) return run;
    if (report.trouble().isPresent()) return hostFailed(run, e, report.trouble().get());
    if (report.stage() == GangMemberStage.IDLE || report.stage().compareTo(known.stage()) <= 0)
      return run;
    var next = run.mapMembers(m -> m.host().equals(report.host()), m -> m.withReport(report));
    return advanced(next, e, report);
  }

  private GangRun hostFailed(GangRun run, Reported e, GangReport.Trouble trouble) {
    var report = e.report();
    var marked =
        run.mapMembers(
            m -> m.host().equals(report.host()),
            m -> {
              var reported = report.stage().compareTo(m.stage()) > 0 ? m.withReport(report) : m;
              return trouble.machine() ? reported.bad(trouble.text()) : reported;
            });
    return kill(marked, e.at(), GangFaultAttribution.reportedFault(run, e, trouble));
  }

  /** A host advanced: derives the phase of the whole gang. */
  private GangRun advanced(GangRun run, Reported e, GangReport report) {
    var now = e.at();
    if (report.stage() == GangMemberStage.CLEAR)
      return kill(
          run,
          now,
          GangFaultAttribution.observedFault(
              run, report.host(), FailureCause.INFRASTRUCTURE, "it gave up the run", e));
    if (report.stage() == GangMemberStage.EXITED && report.exit() != 0) {
      var text = "the task ended with " + report.exit();
      return kill(
          run,
          now,
          GangFaultAttribution.reportedFault(
              run, e, new GangReport.Trouble(FailureCause.USER, false, text)));
    }
    return switch (run.phase()) {
      // Rank 0 found the result of an earlier attempt.
      case Prepare _ when published(run) -> run.withPhase(new Done(now));
      case Prepare _ -> run.all(m -> m.stage() != GangMemberStage.IDLE) ? started(run, now) : run;
      case Run p -> run.all(GangLifecycle::ended) ? publish(run, now) : settling(run, p, now);
      case Settle _ -> run.all(GangLifecycle::ended) ? publish(run, now) : run;
      case Publish _ -> published(run) ? run.withPhase(new Done(now)) : run;
      case Kill _ -> run;
      case Done _ -> run;
      case Cleared _ -> run;
    };
  }

  private static boolean published(GangRun run) {
    return run.members().getFirst().stage() == GangMemberStage.PUBLISHED;
  }

  private static boolean ended(GangMember member) {
    return member.stage() == GangMemberStage.EXITED && member.exit() == 0;
  }

  private GangRun started(GangRun run, Instant now) {
    return run.withPhase(
        new Run(
            now, now.plus(times.start()), now.plus(times.start()).plus(run.limits().timeout())));
  }

  /** Settles within the job's time limit. */
  private static GangRun settling(GangRun run, Run phase, Instant now) {
    if (run.members().stream().noneMatch(m -> m.stage() == GangMemberStage.EXITED)) return run;
    var settled = now.plus(run.limits().settle());
    var deadline = settled.isBefore(phase.deadline()) ? settled : phase.deadline();
    return run.withPhase(new Settle(now, deadline));
  }

  /** The command is the user's, and so is its end; no machine is to blame. */
  private GangRun unsettled(GangRun run, Settle phase, TimePassed e) {
    if (e.at().isBefore(phase.deadline())) return run;
    var waited = Duration.between(phase.since(), phase.deadline()).toSeconds();
    var late = names(run, m -> m.stage() != GangMemberStage.EXITED);
    var reason = late + " still ran " + waited + " s after the first host's command had ended";
    return kill(run, e.at(), GangFault.of(FailureCause.TIMEOUT, reason, e.at()));
  }

  private GangRun publish(GangRun run, Instant now) {
    var longest = times.publish().plus(run.limits().timeout());
    return run.withPhase(new Publish(now, now.plus(longest)));
  }

  private GangRun kill(GangRun run, Instant now, GangFault fault) {
    var longest = times.kill().plus(run.limits().grace());
    return run.withPhase(new Kill(now, now.plus(longest), fault));
  }

  private GangRun stopped(GangRun run, StopRequested e) {
    return kill(run, e.at(), GangFault.of(e.cause(), e.reason(), e.at()));
  }

  private GangRun lost(GangRun run, HostLost e) {
    if (run.member(e.host()).isEmpty()) return run;
    return kill(
        bad(run, e),
        e.at(),
        GangFaultAttribution.observedFault(run, e.host(), e.cause(), e.reason(), e));
  }

  private static GangRun bad(GangRun run, HostLost e) {
    return run.mapMembers(m -> m.host().equals(e.host()), m -> m.bad(e.reason()));
  }

  private GangRun gone(GangRun run, HostGone e) {
    if (run.member(e.host()).isEmpty()) return run;
    var killed =
        kill(
            run,
            e.at(),
            GangFaultAttribution.observedFault(
                run, e.host(), FailureCause.LOST, "its machine is gone", e));
    return clear(killed, (Kill) killed.phase(), e.host(), e.at());
  }

  /** Recorded in case the run must be killed after all: this host will confirm nothing. */
  private static GangRun absent(GangRun run, HostGone e) {
    return run.mapMembers(m -> m.host().equals(e.host()), m -> m.withStage(GangMemberStage.CLEAR));
  }

  private GangRun late(
      GangRun run, Instant deadline, TimePassed e, Predicate<GangMember> which, String what) {
    if (e.at().isBefore(deadline)) return run;
    var marked = run.mapMembers(which, m -> m.bad(what));
    var reason = names(run, which) + " " + what;
    return kill(marked, e.at(), GangFault.of(FailureCause.INFRASTRUCTURE, reason, e.at()));
  }

  private static String names(GangRun run, Predicate<GangMember> which) {
    return run.members().stream()
        .filter(which)
        .map(m -> m.host().toString())
        .collect(Collectors.joining(", "));
  }

  private GangRun overdue(GangRun run, Run phase, TimePassed e) {
    if (!e.at().isBefore(phase.deadline()))
      return kill(
          run,
          e.at(),
          GangFault.of(FailureCause.TIMEOUT, "ran for longer than its time limit", e.at()));
    if (run.all(m -> m.stage() != GangMemberStage.PREPARED)) return run;
    return late(
        run,
        phase.startBy(),
        e,
        m -> m.stage() == GangMemberStage.PREPARED,
        "did not start in time");
  }

  private static boolean rankZero(GangRun run, GangMember member) {
    return rankZero(run, member.host());
  }

  private static boolean rankZero(GangRun run, HostId host) {
    return run.members().getFirst().host().equals(host);
  }

  /** Only a report that confirms the kill of this run or a later one is proof. */
  private static GangRun confirmed(GangRun run, Kill phase, Reported e) {
    var known = GangFaultAttribution.withBetterFault(run, phase, e);
    var next = GangFaultAttribution.heard(run, phase, e).withPhase(known);
    if (e.report().cleared() < run.number()) return next;
    return clear(next, known, e.report().host(), e.at());
  }

  private static GangRun clear(GangRun run, Kill phase, HostId host, Instant now) {
    var next = run.mapMembers(m -> m.host().equals(host), m -> m.withStage(GangMemberStage.CLEAR));
    return next.all(m -> m.stage() == GangMemberStage.CLEAR)
        ? next.withPhase(new Cleared(now, phase.fault()))
        : next;
  }

  /** A host that does not confirm is given up; its machine's end is then the proof. */
  private static GangRun unconfirmed(GangRun run, Kill phase, TimePassed e) {
    if (e.at().isBefore(phase.deadline())) return run;
    return run.mapMembers(
        m -> m.stage() != GangMemberStage.CLEAR, m -> m.bad("did not confirm the kill"));
  }
}
