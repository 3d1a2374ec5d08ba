package dev.mayfly.agent.files;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Looks for a full disk every second. A disk that is full for less than a second is seen only if an
 * attempt starts or ends then.
 */
public final class DiskWatch implements Runnable {
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final DiskHealth diskHealth;
  private final Consumer<String> full;

  /**
   * @param full receives what was seen, at each look while the disk is full
   */
  public DiskWatch(DiskHealth diskHealth, Consumer<String> full) {
    this.diskHealth = diskHealth;
    this.full = full;
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
    diskHealth.exhausted().ifPresent(full);
  }
}
