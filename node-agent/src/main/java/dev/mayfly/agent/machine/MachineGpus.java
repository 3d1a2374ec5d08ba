package dev.mayfly.agent.machine;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.sync.GpuUse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The machine's GPUs: as they were ordered, and as its driver shows them.
 *
 * @param visible the resources that were ordered
 * @param expected how many devices the driver must show before the machine takes tasks; 0 skips the
 *     check
 * @param mps where NVIDIA's Multi-Process Service is to run; empty for none
 */
public record MachineGpus(
    Resources visible, long expected, GpuDriver driver, Optional<MpsFolders> mps) {
  private static final Duration DRIVER_LIMIT = Duration.ofSeconds(20);

  public static MachineGpus of(
      Map<String, String> environment, Resources visible, Optional<MpsFolders> mps) {
    // A simulated machine always has the devices that were ordered.
    var expected = environment.containsKey("MAYFLY_VM") ? 0 : visible.gpuMillis() / 1000;
    return new MachineGpus(visible, expected, new GpuDriver(environment, DRIVER_LIMIT), mps);
  }

  /** Bytes of one of them: as the driver shows it, else as it was ordered. */
  public Optional<Long> memory() {
    return driver.memory().or(() -> Optional.of(visible.gpuMemoryBytes()).filter(b -> b > 0));
  }

  /** A watch that has not begun; empty where there is nothing to watch. */
  public Optional<Runnable> watch(Consumer<List<GpuUse>> measured, Consumer<String> lost) {
    return visible.gpuMillis() == 0
        ? Optional.empty()
        : Optional.of(new GpuUseWatch(driver::uses, measured, lost));
  }
}
