package dev.mayfly.sim.check;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.gang.GangPhase;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import dev.mayfly.sim.observation.TaskProcess;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * I16: the hosts of a gang start together, find rank 0 at one place, and publish together or not at
 * all. I17: no host is in two gangs, and nothing of a task's older run is left when a new one
 * starts.
 */
final class GangAllOrNothing implements Invariant {
  private final GroundTruth groundTruth;
  private final Map<LeaseRef, Set<String>> prepared = new HashMap<>();
  private final Map<LeaseRef, Set<String>> exitedWell = new HashMap<>();
  private final Map<String, LeaseRef> attempts = new HashMap<>();
  private final Map<LeaseRef, Integer> sizes = new HashMap<>();

  GangAllOrNothing(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void prepared(TaskProcess process) {
    var lease = process.attempt().lease();
    sizes.put(lease, process.hosts());
    attempts.put(lease.job() + "/" + lease.attempt(), lease);
    prepared.computeIfAbsent(lease, _ -> new HashSet<>()).add(process.place());
  }

  @Override
  public void began(TaskProcess process) {
    for (var other : groundTruth.running()) {
      if (other.equals(process)) continue;
      if (other.sameHost(process) && (other.gang() || process.gang()))
        throw new InvariantViolation("I17", process + " begins on a host that runs " + other);
      var again = other.task().equals(process.task()) && !other.attempt().equals(process.attempt());
      if (again && other.gang() && process.gang() && !groundTruth.survived(other))
        throw new InvariantViolation("I17", process + " begins while " + other + " runs");
      var peer = other.attempt().equals(process.attempt()) && !groundTruth.survived(other);
      if (peer && !other.meeting().equals(process.meeting()))
        throw new InvariantViolation(
            "I16",
            process
                + " looks for rank 0 at "
                + process.meeting()
                + ", "
                + other
                + " at "
                + other.meeting());
    }
    if (!process.gang()) return;
    var ready = prepared.getOrDefault(process.attempt().lease(), Set.of());
    if (ready.size() < process.hosts())
      throw new InvariantViolation("I16", process + " begins, and prepared are only " + ready);
  }

  @Override
  public void exited(TaskProcess process, int code) {
    if (process.gang() && code == 0)
      exitedWell
          .computeIfAbsent(process.attempt().lease(), _ -> new HashSet<>())
          .add(process.place());
  }

  @Override
  public void object(Optional<ObjectInfo> before, Optional<ObjectInfo> after) {
    if (before.isPresent() || after.isEmpty()) return;
    if (!after.get().url().toString().endsWith(Sentinel.SUFFIX)) return;
    var lease =
        Sentinel.by(after.get().metadata())
            .flatMap(by -> Optional.ofNullable(attempts.get(by.job() + "/" + by.attempt())));
    if (lease.isEmpty()) return;
    var well = exitedWell.getOrDefault(lease.get(), Set.of());
    if (well.size() < sizes.getOrDefault(lease.get(), 0))
      throw new InvariantViolation(
          "I16", after.get().url() + " is made, and only " + well + " ended well");
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch)
      if (change.before().orElse(null) instanceof Shard a
          && change.after().orElse(null) instanceof Shard b
          && a.gang().isPresent()
          && b.gang().isEmpty()) freed(a);
  }

  /** A gang's hosts become free only when none of its processes is left on any host. */
  private void freed(Shard shard) {
    if (shard.gang().orElseThrow().phase() instanceof GangPhase.Done) return;
    for (var process : groundTruth.running())
      if (process.attempt().lease().equals(shard.lease()) && !groundTruth.survived(process))
        throw new InvariantViolation("I17", process + " runs, and its gang is cleared");
  }
}
