package dev.mayfly.agent.boot;

import dev.mayfly.agent.machine.MachineHardware;
import dev.mayfly.core.model.sync.SyncReport;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Looks whether the driver shows the GPUs that were ordered. */
final class GpuStep implements PreparationStep {
  private final long ordered;
  private final Supplier<List<MachineHardware.Gpu>> look;
  private final Consumer<String> trouble;
  private volatile long found;

  /**
   * @param ordered how many devices the machine should have
   * @param trouble is told when there are fewer
   */
  GpuStep(long ordered, Supplier<List<MachineHardware.Gpu>> look, Consumer<String> trouble) {
    this.ordered = ordered;
    this.look = look;
    this.trouble = trouble;
  }

  @Override
  public String name() {
    return "driver";
  }

  /** How many whole devices tasks may have. */
  long found() {
    return found;
  }

  /** Fewer than ordered are used all the same, once it was told; none at all is a failure. */
  @Override
  public void run() throws Failed {
    found = look.get().size();
    if (found == 0) {
      throw new Failed(
          "no GPU of %d: nvidia-smi is missing, fails or lists none; is the driver in the image?"
              .formatted(ordered));
    }
    if (found < ordered) {
      trouble.accept(
          SyncReport.DEGRADED + "the driver shows %d GPUs of %d".formatted(found, ordered));
    }
  }
}
