package dev.mayfly.core.model.document;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.sync.MeasuredGpus;
import dev.mayfly.core.model.sync.MeasuredMachine;
import dev.mayfly.core.model.sync.MeasuredMounts;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.RunningMetrics;
import dev.mayfly.core.model.worker.WorkerState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The mutable fields of a copy. */
final class WorkerEdit {
  WorkerState state;
  long epoch;
  long seq;
  String nonceHash;
  Optional<Incarnation> incarnation;
  Resources total;
  List<Worker.Held> held;
  Optional<Instant> notice;
  Optional<String> instanceId;
  Optional<Instant> firstSyncAt;
  Optional<MachineProblem> machineProblem;
  Optional<Instant> lastCommandAt;
  List<Integer> gpusUsed;
  Optional<RunningMetrics> metrics;
  Optional<MeasuredMounts> mounts;
  Map<String, String> labels;
  List<Long> gpuMemoryUsed;
  Optional<MeasuredGpus> gpuUses;
  Optional<MachineUsage> usage;
  Optional<Cordon> cordon;
  Optional<MeasuredMachine> machineUse;

  private WorkerEdit(Worker was) {
    state = was.state();
    epoch = was.epoch();
    seq = was.seq();
    nonceHash = was.nonceHash();
    incarnation = was.incarnation();
    total = was.total();
    held = was.held();
    notice = was.notice();
    instanceId = was.instanceId();
    firstSyncAt = was.firstSyncAt();
    machineProblem = was.machineProblem();
    lastCommandAt = was.lastCommandAt();
    gpusUsed = was.gpusUsed();
    metrics = was.metrics();
    mounts = was.mounts();
    labels = was.labels();
    gpuMemoryUsed = was.gpuMemoryUsed();
    gpuUses = was.gpuUses();
    usage = was.usage();
    cordon = was.cordon();
    machineUse = was.machineUse();
  }

  /** The worker with a change. */
  static Worker of(Worker was, Consumer<WorkerEdit> change) {
    var edit = new WorkerEdit(was);
    change.accept(edit);
    return edit.build(was);
  }

  private Worker build(Worker was) {
    return new Worker(
        was.cluster(),
        was.name(),
        was.pool(),
        was.zone(),
        was.machineType(),
        state,
        epoch,
        seq,
        nonceHash,
        incarnation,
        total,
        held,
        notice,
        instanceId,
        was.generation(),
        was.createdAt(),
        firstSyncAt,
        machineProblem,
        was.provisioning(),
        gpusUsed,
        lastCommandAt,
        metrics,
        mounts,
        labels,
        was.launchedFor(),
        gpuMemoryUsed,
        gpuUses,
        was.life(),
        usage,
        cordon,
        machineUse);
  }
}
