package dev.mayfly.sim;

import dev.mayfly.core.control.Looked;
import dev.mayfly.core.control.MachineEvent;
import dev.mayfly.core.control.Ports;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.error.MissingPermission;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Query;
import java.time.Duration;
import java.util.function.Consumer;

/** Control planes with a mistake in them. */
final class BuggyPlanes {
  private BuggyPlanes() {}

  /** Everything as the real one does it. */
  private abstract static class Same implements ControlPlane {
    final ControlPlane real;

    Same(ControlPlane real) {
      this.real = real;
    }

    @Override
    public void sync(SyncReport report, Consumer<SyncOrders> reply) {
      real.sync(report, reply);
    }

    @Override
    public void receive(Message message) {
      real.receive(message);
    }

    @Override
    public Looked receive(Hint hint) {
      return real.receive(hint);
    }

    @Override
    public Looked resume(Looked.Later later) {
      return real.resume(later);
    }

    @Override
    public void passOn(Looked.Later later) {
      real.passOn(later);
    }

    @Override
    public void receive(MachineEvent event) {
      real.receive(event);
    }
  }

  /** Ticks and sweeps end at the first document that they cannot read. */
  static final class Fragile extends Same {
    private final Ledger ledger;

    Fragile(ControlPlane real, Ledger ledger) {
      super(real);
      this.ledger = ledger;
    }

    @Override
    public Looked receive(Hint hint) {
      if (hint instanceof Hint.Tick || hint instanceof Hint.Sweep) readAll();
      return super.receive(hint);
    }

    private void readAll() {
      var clusters = ledger.query(new Query.Clusters(true));
      var broken = !clusters.unreadable().isEmpty();
      for (var cluster : clusters.some()) {
        var uid = cluster.value().uid();
        broken |= !ledger.query(new Query.Workers(uid, false, 1_000)).unreadable().isEmpty();
        broken |= !ledger.query(new Query.LiveJobs(uid)).unreadable().isEmpty();
      }
      if (broken) throw new Unavailable("a document cannot be read");
    }
  }

  /** A message is done with when our own account has no right to do it. */
  static final class Submissive extends Same {
    Submissive(ControlPlane real) {
      super(real);
    }

    @Override
    public void receive(Message message) {
      try {
        super.receive(message);
      } catch (MissingPermission denied) {
        // Taken for the user's fault, and acknowledged.
      }
    }
  }

  /** Takes every silence for the worker's, whoever may have kept its call. */
  static ControlPlane trusting(Ports ports, String instance) {
    var r = Rules.DEFAULT;
    return new CorePlane(
        ports,
        new Rules(
            r.beat(),
            r.maxWait(),
            r.silentAfter(),
            r.lostAfter(),
            r.lostAlone(),
            Duration.ZERO,
            Duration.ZERO,
            r.judgeEvery(),
            r.servedGap(),
            r.servedKept(),
            r.bootDeadline(),
            r.drainDeadline(),
            r.downDeadline(),
            r.noticeDeadline(),
            r.orphanGrace(),
            r.checkpointAfter(),
            r.checkpointShare(),
            r.jobFresh(),
            r.workerFresh(),
            r.stealPause(),
            r.stealRest(),
            r.roundPause(),
            r.goneKept()),
        instance);
  }
}
