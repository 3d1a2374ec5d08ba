package dev.mayfly.sim;

import dev.mayfly.core.agent.AgentSettings;
import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Failure;
import dev.mayfly.core.model.GangStage;
import dev.mayfly.core.model.HostReport;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.port.ObjectInfo;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Reports with a mistake in them. */
final class BuggyReports {
  private BuggyReports() {}

  static SyncReport mapped(SyncReport r, UnaryOperator<SyncReport.Lease> change) {
    return with(r, r.leases().stream().map(change).toList(), r.gang());
  }

  static SyncReport gangs(SyncReport r, UnaryOperator<HostReport> change) {
    return with(r, r.leases(), r.gang().stream().map(change).toList());
  }

  private static SyncReport with(
      SyncReport r, List<SyncReport.Lease> leases, List<HostReport> gang) {
    return new SyncReport(
        r.cluster(),
        r.worker(),
        r.host(),
        r.incarnation(),
        r.nonce(),
        r.seq(),
        r.total(),
        r.room(),
        r.appetite(),
        leases,
        r.knows(),
        r.boot(),
        r.notice(),
        r.drained(),
        r.waitSeconds(),
        r.problem(),
        gang,
        r.images(),
        r.gpus());
  }

  /** Of an agent that gives a waiting call up after 35 s. */
  static AgentSettings.Syncing patient(AgentSettings.Syncing s) {
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

  /** A host that was told to prepare says that it has. */
  static HostReport hasty(HostReport r) {
    if (r.run() == 0 || r.stage() != GangStage.IDLE || r.cleared() > 0) return r;
    return at(r, GangStage.PREPARED);
  }

  /** A command that failed is said to have ended well. */
  static HostReport flattering(HostReport r) {
    return r.stage() == GangStage.EXITED ? at(r, r.stage()) : r;
  }

  private static HostReport at(HostReport r, GangStage stage) {
    return new HostReport(
        r.lease(),
        r.host(),
        r.incarnation(),
        r.address(),
        r.run(),
        r.took(),
        stage,
        0,
        r.exitedAt(),
        r.cleared(),
        Optional.empty());
  }

  static SyncReport.Lease failures(SyncReport.Lease l, UnaryOperator<Failure> change) {
    return new SyncReport.Lease(
        l.ref(),
        l.end(),
        l.done(),
        l.failed().stream().map(change).toList(),
        l.running(),
        l.cursor(),
        l.released());
  }

  /** Without the tasks whose sentinel another attempt made. */
  static SyncReport.Lease ownOnly(SyncReport.Lease l, World world) {
    var own = Bits.where(l.ref().start(), l.end(), i -> l.done().has(i) && !others(l, i, world));
    return new SyncReport.Lease(
        l.ref(), l.end(), own, l.failed(), l.running(), l.cursor(), l.released());
  }

  private static boolean others(SyncReport.Lease lease, long index, World world) {
    Optional<Job> job =
        world.truth().all(Job.class).stream()
            .filter(j -> j.uid().equals(lease.ref().job()))
            .findFirst();
    return job.flatMap(
            j -> world.objects().find(world.truth().output(j, index).plus(Sentinel.SUFFIX)))
        .map(ObjectInfo::metadata)
        .flatMap(Sentinel::by)
        .filter(by -> !by.attempt().equals(lease.ref().attempt()))
        .isPresent();
  }
}
