package dev.mayfly.agent.machine;

import dev.mayfly.core.model.sync.GpuUse;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Measures how busy and how full GPUs are, every half minute, on a thread of its own: a driver that
 * hangs keeps nothing else waiting.
 */
public final class GpuUseWatch implements Runnable {
  private static final Duration EVERY = Duration.ofSeconds(30);

  private final Supplier<List<GpuUse>> driver;
  private final Consumer<List<GpuUse>> measured;
  private List<GpuUse> last = List.of();

  /**
   * @param driver what it shows now; empty if it does not say
   * @param measured receives each change, also to nothing
   */
  public GpuUseWatch(Supplier<List<GpuUse>> driver, Consumer<List<GpuUse>> measured) {
    this.driver = driver;
    this.measured = measured;
  }

  @Override
  public void run() {
    try {
      while (true) {
        measure();
        Thread.sleep(EVERY);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void measure() {
    var now = driver.get();
    if (now.equals(last)) return;
    last = now;
    measured.accept(now);
  }
}
