package dev.mayfly.core.query;

import dev.mayfly.core.catalog.CatalogEntry;
import dev.mayfly.core.catalog.MachineTypes;
import dev.mayfly.core.catalog.TpuMachine;
import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.HeldRuns;
import dev.mayfly.core.state.worker.SliceHosts;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * What tasks use of a cluster's ready workers. A slice counts with all of its hosts, on each of
 * which its task runs. A lease counts with the tasks that fit beside the others: more may be
 * granted, and wait on the worker.
 */
record ResourceUse(Resources used, Resources total) {
  static ResourceUse of(List<Worker> workers) {
    var used = Resources.ZERO;
    var total = Resources.ZERO;
    for (var worker : workers) {
      if (!(worker.state() instanceof WorkerState.Ready)) continue;
      var hosts = SliceHosts.count(worker);
      total = total.plus(worker.total().times(hosts));
      used = used.plus(used(worker).times(hosts));
    }
    return new ResourceUse(used, total);
  }

  /** GPUs and TPUs by kind, in the order of their names. */
  static List<AcceleratorUse> byKind(List<Worker> workers, ClusterSpec spec) {
    var kinds = new TreeMap<String, List<Worker>>();
    for (var worker : workers)
      if (worker.total().gpuMillis() + worker.total().tpuChips() > 0)
        kinds.computeIfAbsent(kind(worker, spec), _ -> new ArrayList<>()).add(worker);
    var all = new ArrayList<AcceleratorUse>();
    kinds.forEach((kind, some) -> {
      var use = of(some);
      if (count(use.total()) > 0)
        all.add(new AcceleratorUse(kind, count(use.used()), count(use.total())));
    });
    return all;
  }

  private static double count(Resources resources) {
    return resources.gpuMillis() / 1_000.0 + resources.tpuChips();
  }

  private static String kind(Worker worker, ClusterSpec spec) {
    var type = worker.machineType();
    return spec.pool(worker.pool())
        .flatMap(pool -> pool.machine().gpu())
        .map(MachineSpec.Gpu::type)
        .or(() -> MachineTypes.predefined(type).flatMap(CatalogEntry::gpuModel))
        .or(() -> TpuTypes.of(type).map(TpuTypes.Tpu::generation))
        .or(() -> TpuMachine.of(type).map(TpuMachine::generation))
        .orElse(type);
  }

  /** Of each of its hosts. */
  private static Resources used(Worker worker) {
    var used = Resources.ZERO;
    var free = FreeResources.of(worker.total());
    var runs = HeldRuns.of(worker);
    for (var i = 0; i < runs.size(); i++) {
      var held = worker.held().get(i);
      var running = Math.min(runs.get(i), free.slots(held.need()));
      used = used.plus(free.taken(held.need()).times(running));
      free = free.without(held.need(), running);
    }
    return used;
  }
}
