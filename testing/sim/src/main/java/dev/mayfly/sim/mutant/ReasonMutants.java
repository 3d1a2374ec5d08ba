package dev.mayfly.sim.mutant;

import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.veto.ComingVeto;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.Veto;
import java.util.ArrayList;
import java.util.List;

/** Reasons with a mistake. */
final class ReasonMutants {
  private ReasonMutants() {}

  /** The maximum of each pool that is full, whether the job may use it or not. */
  static List<Veto> ofEveryPool(List<Veto> vetoes, ClusterSnapshot snapshot) {
    var all = new ArrayList<>(vetoes);
    for (var pool : snapshot.cluster().spec().pools()) {
      var workers =
          (int) snapshot.workers().stream().filter(w -> w.pool().equals(pool.name())).count();
      if (workers >= pool.max())
        all.add(new PoolVeto.AtMaximum(pool.name(), pool.max(), workers, workers + 1));
    }
    return all;
  }

  /** Without what comes by itself. */
  static List<Veto> withoutComing(List<Veto> vetoes) {
    return vetoes.stream().filter(veto -> !(veto instanceof ComingVeto)).toList();
  }
}
