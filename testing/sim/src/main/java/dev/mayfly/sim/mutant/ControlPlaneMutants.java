package dev.mayfly.sim.mutant;

import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.reconcile.MachineEvent;
import dev.mayfly.core.reconcile.ReconcileResult;
import dev.mayfly.core.state.Context;
import dev.mayfly.sim.control.ControlPlaneEntry;
import dev.mayfly.sim.control.CoreControlPlane;
import java.time.Duration;
import java.util.function.Consumer;

/** Control planes with a mistake. */
final class ControlPlaneMutants {
  private ControlPlaneMutants() {}

  /** Delegates everything to the real one. */
  private abstract static class Delegate implements ControlPlaneEntry {
    final ControlPlaneEntry real;

    Delegate(ControlPlaneEntry real) {
      this.real = real;
    }

    @Override
    public void sync(SyncReport report, Consumer<SyncOrders> reply) {
      real.sync(report, reply);
    }

    @Override
    public void receive(UserMessage userMessage) {
      real.receive(userMessage);
    }

    @Override
    public ReconcileResult receive(Trigger trigger) {
      return real.receive(trigger);
    }

    @Override
    public ReconcileResult resume(ReconcileResult.Later later) {
      return real.resume(later);
    }

    @Override
    public void passOn(ReconcileResult.Later later) {
      real.passOn(later);
    }

    @Override
    public void receive(MachineEvent event) {
      real.receive(event);
    }
  }

  /** Ticks and cleanup end at the first unreadable document. */
  static final class StopsAtUnreadable extends Delegate {
    private final Ledger ledger;

    StopsAtUnreadable(ControlPlaneEntry real, Ledger ledger) {
      super(real);
      this.ledger = ledger;
    }

    @Override
    public ReconcileResult receive(Trigger trigger) {
      if (trigger instanceof Trigger.Tick || trigger instanceof Trigger.CollectOrphans) readAll();
      return super.receive(trigger);
    }

    private void readAll() {
      var clusters = ledger.query(new LedgerQuery.Clusters(true));
      var broken = !clusters.unreadable().isEmpty();
      for (var cluster : clusters.readableOnly()) {
        var uid = cluster.value().uid();
        broken |= !ledger.query(new LedgerQuery.Workers(uid, false, 1_000)).unreadable().isEmpty();
        broken |= !ledger.query(new LedgerQuery.LiveJobs(uid)).unreadable().isEmpty();
      }
      if (broken) throw new UnavailableException("a document cannot be read");
    }
  }

  /** Drops a message when our own account lacks a right. */
  static final class DropsDenied extends Delegate {
    DropsDenied(ControlPlaneEntry real) {
      super(real);
    }

    @Override
    public void receive(UserMessage userMessage) {
      try {
        super.receive(userMessage);
      } catch (MissingPermissionException denied) {
        // Taken for the user's error, and acknowledged.
      }
    }
  }

  /** Blames every silence on the worker, even if a stalled instance holds its sync. */
  static ControlPlaneEntry blamesWorkers(Context context, String instance) {
    var r = Timings.DEFAULT;
    var blind =
        new Timings(
            r.syncInterval(),
            r.maxWait(),
            r.silentAfter(),
            r.lostAfter(),
            r.lostRegardless(),
            r.hostsAwaited(),
            Duration.ZERO,
            Duration.ZERO,
            r.livenessInterval(),
            r.servedGap(),
            r.servedKept(),
            r.bootDeadline(),
            r.drainDeadline(),
            r.downDeadline(),
            r.storeTime(),
            r.noticeDeadline(),
            r.orphanGrace(),
            r.checkpointAfter(),
            r.checkpointShare(),
            r.jobFresh(),
            r.workerFresh(),
            r.stealPause(),
            r.stealRest(),
            r.reconcilePause(),
            r.goneKept());
    return new CoreControlPlane(context.with(blind), instance);
  }
}
