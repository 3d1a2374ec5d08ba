package dev.mayfly.agent.boot;

import dev.mayfly.agent.machine.MachineHardware;
import dev.mayfly.core.model.sync.MachineProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Checks that the driver shows the GPUs that were ordered. */
final class GpuStep implements PreparationStep {
  private static final long MIB = 1L << 20;

  private final long ordered;
  private final long orderedMemory;
  private final Supplier<List<MachineHardware.Gpu>> listGpus;
  private final Consumer<MachineProblem> onProblem;
  private volatile long found;
  private volatile long foundMemory;

  /**
   * @param ordered how many devices the machine should have
   * @param orderedMemory bytes that each should have; 0 if that is not known
   * @param onProblem receives a problem when there is less
   */
  GpuStep(
      long ordered,
      long orderedMemory,
      Supplier<List<MachineHardware.Gpu>> listGpus,
      Consumer<MachineProblem> onProblem) {
    this.ordered = ordered;
    this.orderedMemory = orderedMemory;
    this.listGpus = listGpus;
    this.onProblem = onProblem;
  }

  @Override
  public String name() {
    return "driver";
  }

  /** The number of devices that tasks may use. */
  long found() {
    return found;
  }

  /** Bytes of the smallest device; 0 before it is known. */
  long foundMemory() {
    return foundMemory;
  }

  /** Less than was ordered is reported and used; no device at all is a failure. */
  @Override
  public void run() throws Failed {
    var gpus = listGpus.get();
    found = gpus.size();
    foundMemory = gpus.stream().mapToLong(gpu -> gpu.memoryMib() * MIB).min().orElse(0);
    if (found == 0) {
      throw new Failed(
          "no GPU of %d: nvidia-smi is missing, fails or lists none; is the driver in the image?"
              .formatted(ordered));
    }
    var less = new ArrayList<String>();
    if (found < ordered) less.add("the driver shows %d GPUs of %d".formatted(found, ordered));
    if (foundMemory < orderedMemory)
      less.add(
          "the driver shows %d MiB of a GPU's memory, and the pool goes by %d; write visible: {gpuMemory: %dMi} there"
              .formatted(foundMemory / MIB, orderedMemory / MIB, foundMemory / MIB));
    if (!less.isEmpty()) onProblem.accept(MachineProblem.Kind.DEGRADED.of(String.join("; ", less)));
  }
}
