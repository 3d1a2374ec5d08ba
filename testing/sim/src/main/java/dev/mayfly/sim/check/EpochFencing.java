package dev.mayfly.sim.check;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * I11: epochs only rise, and a report about a lease that the agent no longer holds, or under a
 * replaced incarnation, changes no shard.
 */
final class EpochFencing implements Invariant {
  private static final String ID = "I11";

  private final GroundTruth groundTruth;

  EpochFencing(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    var before = new TreeMap<String, Worker>();
    for (var change : batch) {
      if (change.before().orElse(null) instanceof Worker w) before.put(w.name(), w);
      rises(change);
    }
    for (var change : batch)
      if (change.before().orElse(null) instanceof Shard a
          && change.after().orElse(null) instanceof Shard b)
        groundTruth.handledReport().ifPresent(report -> entitled(report, a, b, before));
  }

  private static void rises(SimLedger.Change change) {
    if (change.before().orElse(null) instanceof Shard a
        && change.after().orElse(null) instanceof Shard b
        && (b.epoch() < a.epoch() || b.end() > a.end()))
      throw new InvariantViolation(
          ID, a.key().path() + ": epoch " + a.epoch() + " end " + a.end() + " became " + b);
    if (change.before().orElse(null) instanceof Worker a
        && change.after().orElse(null) instanceof Worker b) {
      if (b.epoch() < a.epoch())
        throw new InvariantViolation(
            ID, a.name() + ": epoch " + a.epoch() + " became " + b.epoch());
      if (a.state() instanceof WorkerState.Gone && !(b.state() instanceof WorkerState.Gone))
        throw new InvariantViolation(ID, a.name() + " was gone and is " + b.state());
    }
  }

  /**
   * Only the holder's report, at the lease's epoch and under its incarnation, may change a leased
   * shard.
   */
  private void entitled(SyncReport report, Shard a, Shard b, TreeMap<String, Worker> before) {
    if (a.state() != Shard.State.LEASED || !isReportChange(a, b)) return;
    var owner = a.owner().orElseThrow().worker();
    var gang = a.gang().map(GangRun::workers).orElse(List.of());
    if (gang.contains(report.worker())) return;
    var lost =
        groundTruth
            .worker(a.cluster(), owner)
            .filter(w -> w.state() instanceof WorkerState.Lost)
            .isPresent();
    if (lost) return;
    var spoke =
        before.containsKey(owner)
            ? before.get(owner).incarnation()
            : worker(a, owner).flatMap(Worker::incarnation);
    var replaced =
        owner.equals(report.worker()) && spoke.filter(report.incarnation()::equals).isEmpty();
    var holder = before.containsKey(owner) ? before.get(owner) : worker(a, owner).orElseThrow();
    var known =
        holder.held().stream()
            .filter(h -> h.ref().equals(a.lease()))
            .map(Worker.Held::known)
            .toList();
    var named = report.leases().stream().anyMatch(l -> known.contains(l.ref()));
    var returned = owner.equals(report.worker()) && b.isLeasable();
    if (owner.equals(report.worker()) && (replaced || named || returned)) return;
    if (parted(a, known, worker(a, owner))) return;
    throw new InvariantViolation(
        ID,
        "%s, leased to %s at epoch %d, was changed by what %s said of %s"
            .formatted(
                a.key().path(),
                owner,
                a.epoch(),
                report.worker(),
                report.leases().stream().map(SyncReport.Lease::ref).toList()));
  }

  /** One pass over the pending syncs parts the leases of all of them, whoever's report began it. */
  private static boolean parted(Shard a, List<LeaseRef> known, Optional<Worker> holder) {
    var held = holder.map(Worker::held).orElse(List.of());
    return held.stream().noneMatch(h -> h.ref().equals(a.lease()))
        && held.stream().anyMatch(h -> h.partOf().filter(known::contains).isPresent());
  }

  private Optional<Worker> worker(Shard shard, String owner) {
    return groundTruth.worker(shard.cluster(), owner);
  }

  /**
   * Whether only a holder's report makes such a change; a steal lowers the end and nothing else.
   */
  private static boolean isReportChange(Shard a, Shard b) {
    return b.state() != Shard.State.LEASED
        || !a.done().within(b.start(), b.end()).equals(b.done())
        || !a.failed().within(b.start(), b.end()).equals(b.failed())
        || !a.failures().within(b.start(), b.end()).equals(b.failures());
  }
}
