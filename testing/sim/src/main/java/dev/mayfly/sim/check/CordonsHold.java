package dev.mayfly.sim.check;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * I33: a cordoned worker gets no lease, and is not ended because it is idle, unfit or of an older
 * version; a cordoned pool gets no machine.
 */
final class CordonsHold implements Invariant {
  private static final String ID = "I33";

  /** Clocks of instances differ. */
  private static final Duration CLOCKS = Duration.ofMinutes(2);

  private static final Set<DrainCause> SPARED =
      EnumSet.of(DrainCause.UNNEEDED, DrainCause.UNFIT, DrainCause.POOL_REPLACED);

  private final GroundTruth groundTruth;

  CordonsHold(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch)
      if (change.after().orElse(null) instanceof Worker after) {
        if (change.before().isEmpty()) launched(after);
        else if (change.before().get() instanceof Worker before && holds(before.cordon()))
          if (before.state().live()) cordoned(before, after);
      }
  }

  private boolean holds(Optional<Cordon> cordon) {
    var now = groundTruth.now();
    return cordon
        .filter(it -> it.holds(now.plus(CLOCKS)) && !it.since().isAfter(now.minus(CLOCKS)))
        .isPresent();
  }

  private void cordoned(Worker before, Worker after) {
    if (!holds(after.cordon())) return;
    var had = refs(before);
    for (var held : after.held())
      if (!had.contains(held.ref()) && held.partOf().isEmpty())
        throw new InvariantViolation(
            ID, "%s is cordoned and got %s".formatted(after.name(), held.ref()));
    if (after.state() instanceof WorkerState.Draining draining
        && before.state() instanceof WorkerState.Ready
        && SPARED.contains(draining.why().cause()))
      throw new InvariantViolation(
          ID, "%s is cordoned and ends: %s".formatted(after.name(), draining.reason()));
  }

  private static Set<LeaseRef> refs(Worker worker) {
    return worker.held().stream().map(Worker.Held::ref).collect(Collectors.toSet());
  }

  private void launched(Worker worker) {
    if (worker.provisioning() == Provisioning.STATIC) return;
    groundTruth
        .cluster(worker.cluster())
        .filter(cluster -> holds(Optional.ofNullable(cluster.cordons().get(worker.pool()))))
        .ifPresent(_ -> {
          throw new InvariantViolation(
              ID, "%s was launched in a cordoned pool".formatted(worker.name()));
        });
  }
}
