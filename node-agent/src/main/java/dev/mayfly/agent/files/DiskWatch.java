package dev.mayfly.agent.files;

import dev.mayfly.core.agent.loop.DiskProblem;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Looks for a full or broken disk every second. One that is full for less than a second is seen
 * only if an attempt starts or ends then.
 */
public final class DiskWatch implements Runnable {
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final DiskHealth diskHealth;
  private final Consumer<DiskProblem> unusable;

  /**
   * @param unusable receives what was seen, at each look while nothing can be written
   */
  public DiskWatch(DiskHealth diskHealth, Consumer<DiskProblem> unusable) {
    this.diskHealth = diskHealth;
    this.unusable = unusable;
  }

  @Override
  public void run() {
    try {
      while (true) {
        look();
        Thread.sleep(EVERY);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void look() {
    diskHealth.exhausted().ifPresent(unusable);
  }
}
