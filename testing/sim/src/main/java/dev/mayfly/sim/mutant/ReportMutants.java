package dev.mayfly.sim.mutant;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.AgentSettings;
import dev.mayfly.core.agent.loop.StopReason;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.gang.GangMemberStage;
import dev.mayfly.core.model.gang.GangReport;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.sim.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Reports with a mistake. */
final class ReportMutants {
  private ReportMutants() {}

  static SyncReport mapped(SyncReport r, UnaryOperator<SyncReport.Lease> change) {
    return with(r, r.leases().stream().map(change).toList(), r.gang());
  }

  static SyncReport gangs(SyncReport r, UnaryOperator<GangReport> change) {
    return with(r, r.leases(), r.gang().stream().map(change).toList());
  }

  private static SyncReport with(
      SyncReport r, List<SyncReport.Lease> leases, List<GangReport> gang) {
    return new SyncReport(
        r.cluster(),
        r.worker(),
        r.host(),
        r.incarnation(),
        r.nonce(),
        r.seq(),
        r.total(),
        r.room(),
        r.prefetch(),
        leases,
        r.knows(),
        r.boot(),
        r.notice(),
        r.drained(),
        r.waitSeconds(),
        r.machineProblem(),
        gang,
        r.images(),
        r.gpus(),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        r.folders());
  }

  /** Settings of an agent that gives up a pending sync after 35 s. */
  static AgentSettings.Syncing longWait(AgentSettings.Syncing s) {
    return new AgentSettings.Syncing(
        s.waiting(),
        s.report(),
        s.gap(),
        s.settle(),
        s.waiting(),
        Duration.ofSeconds(10),
        s.retryFirst(),
        s.retryWithLeases(),
        s.retryIdle());
  }

  /** A host ordered to prepare reports that it is prepared. */
  static GangReport preparedEarly(GangReport r) {
    if (r.run() == 0 || r.stage() != GangMemberStage.IDLE || r.cleared() > 0) return r;
    return at(r, GangMemberStage.PREPARED);
  }

  /** A failed command is reported as successful. */
  static GangReport failureAsSuccess(GangReport r) {
    return r.stage() == GangMemberStage.EXITED ? at(r, r.stage()) : r;
  }

  private static GangReport at(GangReport r, GangMemberStage stage) {
    return new GangReport(
        r.lease(),
        r.host(),
        r.incarnation(),
        r.address(),
        r.publicKey(),
        r.port(),
        r.run(),
        r.took(),
        stage,
        0,
        r.exitedAt(),
        r.cleared(),
        Optional.empty());
  }

  static SyncReport.Lease failures(SyncReport.Lease l, UnaryOperator<AttemptFailure> change) {
    return new SyncReport.Lease(
        l.ref(),
        l.end(),
        l.done(),
        l.failed().stream().map(change).toList(),
        l.running(),
        l.cursor(),
        l.released(),
        List.of(),
        List.of());
  }

  /** The lease without tasks whose sentinel another attempt created. */
  static SyncReport.Lease ownOnly(SyncReport.Lease l, World world) {
    var own = TaskSet.where(l.ref().start(), l.end(), i -> l.done().has(i) && !others(l, i, world));
    return new SyncReport.Lease(
        l.ref(),
        l.end(),
        own,
        l.failed(),
        l.running(),
        l.cursor(),
        l.released(),
        List.of(),
        List.of());
  }

  private static boolean others(SyncReport.Lease lease, long index, World world) {
    Optional<Job> job =
        world.truth().all(Job.class).stream()
            .filter(j -> j.uid().equals(lease.ref().job()))
            .findFirst();
    return job.flatMap(j -> world.truth().sentinels().of(j, index))
        .map(ObjectInfo::metadata)
        .flatMap(Sentinel::by)
        .filter(by -> !by.attempt().equals(lease.ref().attempt()))
        .isPresent();
  }

  /** A kill without grace, if it is one of a drain. */
  static AgentEffect.Kill atOnceIfDrained(AgentEffect.Kill kill) {
    if (kill.stopReason() != StopReason.DRAINED) return kill;
    return new AgentEffect.Kill(
        kill.attempt(), Duration.ZERO, Duration.ZERO, kill.stopReason(), "");
  }

  /** What could not be stored is reported as stored. */
  static AgentEvent storedTogether(AgentEvent event) {
    if (!(event instanceof AgentEvent.SealedTogether together)) return event;
    return new AgentEvent.SealedTogether(
        together.ends().stream()
            .map(end -> end instanceof AgentEvent.PublishFailed failed ? stored(failed) : end)
            .toList());
  }

  private static AgentEvent.AttemptEvent stored(AgentEvent.PublishFailed failed) {
    var attempt = failed.attempt();
    var by = new Sentinel.By(attempt.lease().job(), attempt.index(), attempt.name(), 0);
    return new AgentEvent.Sealed(attempt, Optional.of(by), MadeFrom.UNKNOWN);
  }

  static AttemptFailure userFault(AttemptFailure f) {
    return new AttemptFailure(
        f.index(), f.attempt(), FailureCause.USER, f.exitCode(), f.evidence(), f.worker(), f.at());
  }

  static AttemptFailure stoppedForAnother(AttemptFailure f) {
    if (f.cause() != FailureCause.STOPPED) return f;
    return new AttemptFailure(
        f.index(),
        f.attempt(),
        FailureCause.OUTRANKED,
        f.exitCode(),
        f.evidence(),
        f.worker(),
        f.at());
  }
}
