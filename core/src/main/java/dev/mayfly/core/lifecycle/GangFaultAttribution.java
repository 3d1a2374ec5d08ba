package dev.mayfly.core.lifecycle;

import dev.mayfly.core.lifecycle.GangEvent.HostGone;
import dev.mayfly.core.lifecycle.GangEvent.HostLost;
import dev.mayfly.core.lifecycle.GangEvent.Reported;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.gang.GangFault;
import dev.mayfly.core.model.gang.GangMember;
import dev.mayfly.core.model.gang.GangMemberStage;
import dev.mayfly.core.model.gang.GangOrder;
import dev.mayfly.core.model.gang.GangPhase.Kill;
import dev.mayfly.core.model.gang.GangReport;
import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.worker.HostId;
import java.util.Optional;

/** Attributes the end of a run: the first known cause did not always happen first. */
final class GangFaultAttribution {
  private GangFaultAttribution() {}

  /** The fault that a host reports itself. */
  static GangFault reportedFault(GangRun run, Reported e, GangReport.Trouble trouble) {
    var report = e.report();
    return new GangFault(
        trouble.cause(),
        name(run, report.host()) + ": " + trouble.text(),
        Optional.of(report.host()),
        report.exit(),
        report.exitedAt().orElse(e.at()),
        trouble.lasting());
  }

  /** The fault of a host, observed without a report from it. */
  static GangFault observedFault(
      GangRun run, HostId host, FailureCause failureCause, String what, GangEvent e) {
    return new GangFault(failureCause, name(run, host) + ": " + what, Optional.of(host), 0, e.at());
  }

  private static String name(GangRun run, HostId host) {
    var hosts = run.members().stream().map(GangMember::host).toList();
    return host + " (rank " + hosts.indexOf(host) + ")";
  }

  /**
   * A host may report late that its command ended before those of others, or that its agent
   * restarted, with whose commands it ended.
   */
  static Kill withBetterFault(GangRun run, Kill phase, Reported e) {
    var report = e.report();
    if (overdue(phase) && runs(run, report.host()) && restarted(run, e))
      return phase.withFault(
          observedFault(run, report.host(), FailureCause.INFRASTRUCTURE, "its agent restarted", e));
    var ours = report.run() == run.number() && run.member(report.host()).isPresent();
    if (ours && overdue(phase) && endedBefore(phase, report) && runs(run, report.host()))
      return phase.withFault(
          observedFault(
              run,
              report.host(),
              FailureCause.INFRASTRUCTURE,
              "it ended in time, but its report did not arrive",
              e));
    if (!ours || report.trouble().isEmpty()) return phase;
    var fault = reportedFault(run, e, report.trouble().get());
    return fault.explains(phase.fault()) ? phase.withFault(fault) : phase;
  }

  /** The same of a machine that is gone before anybody missed it. */
  static Kill withBetterFault(GangRun run, Kill phase, HostGone e) {
    return overdue(phase) && runs(run, e.host()) && unheard(run, e.host())
        ? unheard(run, phase, e.host(), FailureCause.LOST, "its machine is gone", e)
        : phase;
  }

  private static Kill unheard(
      GangRun run, Kill phase, HostId host, FailureCause cause, String reason, GangEvent e) {
    var text = reason + "; it had not reported since before the time limit";
    return phase.withFault(observedFault(run, host, cause, text, e));
  }

  private static boolean unheard(GangRun run, HostId host) {
    return run.member(host).filter(m -> m.overdueAt().isEmpty()).isPresent();
  }

  /**
   * With what a report proves about a passed deadline: that the host's command still ran then. The
   * deadline is only charged to hosts of which that is known; one that is lost without a report may
   * have been gone for as long as nobody could be heard. A report that does not carry the order to
   * kill may have been sent before the deadline, and proves nothing.
   */
  static GangRun heard(GangRun run, Kill phase, Reported e) {
    var report = e.report();
    var still =
        overdue(phase)
            && report.run() == run.number()
            && report.took() == GangOrder.Step.KILL
            && report.cleared() < run.number()
            && report.stage().compareTo(GangMemberStage.RUNNING) <= 0
            && report.trouble().isEmpty()
            && !restarted(run, e);
    return still
        ? run.mapMembers(m -> m.host().equals(report.host()), m -> m.overdue(e.at()))
        : run;
  }

  /** Whether the run is killed for a passed deadline, regardless of which host missed it. */
  private static boolean overdue(Kill phase) {
    return phase.fault().cause() == FailureCause.TIMEOUT && phase.fault().host().isEmpty();
  }

  /** As far as is known. */
  private static boolean runs(GangRun run, HostId host) {
    return run.member(host)
        .filter(m -> m.stage().compareTo(GangMemberStage.RUNNING) <= 0)
        .isPresent();
  }

  /** Whether the host's agent is another than the one that began the run. */
  static boolean restarted(GangRun run, Reported e) {
    return run.member(e.report().host())
        .flatMap(GangMember::incarnation)
        .filter(known -> !known.equals(e.report().incarnation()))
        .isPresent();
  }

  private static boolean endedBefore(Kill phase, GangReport report) {
    return report.trouble().isEmpty()
        && report.exit() == 0
        && report.exitedAt().filter(phase.since()::isAfter).isPresent();
  }

  /**
   * When a machine is preempted, the other ranks fail with errors of their own, and report them
   * before the machine's loss is known.
   */
  static Kill withBetterFault(GangRun run, Kill phase, HostLost e) {
    if (!runs(run, e.host())) return phase;
    if (overdue(phase) && unheard(run, e.host()))
      return unheard(run, phase, e.host(), e.cause(), e.reason(), e);
    if (phase.fault().exit() == 0) return phase;
    var before = phase.fault().reason();
    return phase.withFault(
        observedFault(run, e.host(), e.cause(), e.reason() + "; then " + before, e));
  }
}
