package dev.mayfly.cli.output;

import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.core.model.sync.GpuUse;
import dev.mayfly.core.model.sync.MachineUse;
import dev.mayfly.core.query.WorkerStatus;
import java.util.List;
import java.util.Optional;

/** Workers that say what of them is in use. */
final class MeasuredWorkers {
  private MeasuredWorkers() {}

  /** A ready worker whose driver shows this of its GPUs. */
  public static WorkerStatus worker(String name, List<GpuUse> gpus) {
    return worker(name, gpus, Optional.empty());
  }

  /** A ready worker whose machine says this of its processors and memory. */
  public static WorkerStatus worker(String name, MachineUse use) {
    return worker(name, List.of(), Optional.of(use));
  }

  private static WorkerStatus worker(String name, List<GpuUse> gpus, Optional<MachineUse> use) {
    var plain = ViewFixtures.worker(name, "ready", 5, Optional.empty());
    return new WorkerStatus(
        name,
        plain.pool(),
        plain.zone(),
        plain.machineType(),
        plain.state(),
        plain.since(),
        plain.reason(),
        plain.due(),
        plain.idleSince(),
        plain.total(),
        plain.leases(),
        plain.createdAt(),
        plain.firstSyncAt(),
        plain.instanceId(),
        plain.problem(),
        plain.problemKind(),
        plain.mounts(),
        gpus,
        plain.usd(),
        plain.usdPerHour(),
        plain.ending(),
        use);
  }
}
