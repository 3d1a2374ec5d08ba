package dev.mayfly.agent.boot;

import dev.mayfly.agent.machine.MachineHardware;
import dev.mayfly.core.model.sync.SyncReport;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Checks that the driver shows the GPUs that were ordered. */
final class GpuStep implements PreparationStep {
  private final long ordered;
  private final Supplier<List<MachineHardware.Gpu>> listGpus;
  private final Consumer<String> onProblem;
  private volatile long found;

  /**
   * @param ordered how many devices the machine should have
   * @param onProblem receives a message when there are fewer
   */
  GpuStep(long ordered, Supplier<List<MachineHardware.Gpu>> listGpus, Consumer<String> onProblem) {
    this.ordered = ordered;
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

  /** Fewer devices than ordered are reported and used; none at all is a failure. */
  @Override
  public void run() throws Failed {
    found = listGpus.get().size();
    if (found == 0) {
      throw new Failed(
          "no GPU of %d: nvidia-smi is missing, fails or lists none; is the driver in the image?"
              .formatted(ordered));
    }
    if (found < ordered) {
      onProblem.accept(
          SyncReport.DEGRADED + "the driver shows %d GPUs of %d".formatted(found, ordered));
    }
  }
}
