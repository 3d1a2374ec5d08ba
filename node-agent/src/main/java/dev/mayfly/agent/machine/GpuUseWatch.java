package dev.mayfly.agent.machine;

import dev.mayfly.core.model.sync.GpuUse;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Measures how busy and how full GPUs are, every half minute, on a thread of its own: a driver that
 * hangs keeps nothing else waiting. Sees that a GPU is gone: the driver lists it no more, or has no
 * answer for any, twice in a row (once may be a driver that is busy).
 */
final class GpuUseWatch implements Runnable {
  private static final Duration EVERY = Duration.ofSeconds(30);

  private final Supplier<List<GpuUse>> driver;
  private final Consumer<List<GpuUse>> measured;
  private final Consumer<String> lost;
  private List<GpuUse> last = List.of();
  private int most;
  private int lacking;

  /**
   * @param driver what it shows now; empty if it does not say
   * @param measured receives each change, also to nothing
   * @param lost receives, once, that the driver shows fewer GPUs than it did
   */
  GpuUseWatch(
      Supplier<List<GpuUse>> driver, Consumer<List<GpuUse>> measured, Consumer<String> lost) {
    this.driver = driver;
    this.measured = measured;
    this.lost = lost;
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
    most = Math.max(most, now.size());
    lacking = now.size() < most ? lacking + 1 : 0;
    if (lacking == 2) lost.accept("the driver shows %d GPUs of %d".formatted(now.size(), most));
    if (now.equals(last)) return;
    last = now;
    measured.accept(now);
  }
}
