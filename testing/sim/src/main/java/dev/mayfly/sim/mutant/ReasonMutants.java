package dev.mayfly.sim.mutant;

import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.veto.ComingVeto;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.WorkerVeto;
import dev.mayfly.core.plan.veto.ZoneVeto;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

  /** A refusal is told of the pool's first zone, whichever refused. */
  static List<Veto> ofFirstZone(List<Veto> vetoes, ClusterSnapshot snapshot) {
    return vetoes.stream()
        .<Veto>map(veto ->
            veto instanceof ZoneVeto.Refused v && v.cause() == ZoneVeto.Cause.STOCK
                ? in(snapshot.cluster().spec().pool(v.pool()).orElseThrow().zones().getFirst(), v)
                : veto)
        .toList();
  }

  private static Veto in(String zone, ZoneVeto.Refused v) {
    return new ZoneVeto.Refused(
        v.cause(),
        v.pool(),
        zone,
        zone,
        v.machineType(),
        v.how(),
        v.code(),
        v.said(),
        v.times(),
        v.at(),
        v.next());
  }

  /** Machines of a gang count as free although they run other work. */
  static List<Veto> busyAsFree(List<Veto> vetoes) {
    return vetoes.stream()
        .<Veto>map(veto ->
            veto instanceof JobVeto.Gathering v
                ? new JobVeto.Gathering(
                    v.pool(), v.zone(), v.machines(), v.free() + v.busy(), v.coming(), 0)
                : veto)
        .toList();
  }

  /** A full machine takes tasks at its next report. */
  static List<Veto> fullAsFree(List<Veto> vetoes) {
    return vetoes.stream()
        .<Veto>map(veto ->
            veto instanceof WorkerVeto.Full v
                ? new ComingVeto.NextReport(List.of(v.worker()), Optional.empty())
                : veto)
        .toList();
  }

  /** The cost of machines that end is left out. */
  static List<Veto> withoutEnding(List<Veto> vetoes, ClusterSnapshot snapshot) {
    var budget = snapshot.cluster().spec().hourlyBudget();
    var ending =
        snapshot.workers().stream()
            .filter(w -> !w.state().live())
            .mapToDouble(
                w -> budget.flatMap(b -> b.price(w.machineType(), w.provisioning())).orElse(0.0))
            .sum();
    return vetoes.stream()
        .<Veto>map(veto ->
            veto instanceof PoolVeto.OverBudget v
                ? new PoolVeto.OverBudget(
                    v.pool(),
                    v.usdPerHour(),
                    v.cost() - ending,
                    v.machines(),
                    v.price(),
                    v.enough())
                : veto)
        .toList();
  }

  /** Without what comes by itself. */
  static List<Veto> withoutComing(List<Veto> vetoes) {
    return vetoes.stream().filter(veto -> !(veto instanceof ComingVeto)).toList();
  }
}
