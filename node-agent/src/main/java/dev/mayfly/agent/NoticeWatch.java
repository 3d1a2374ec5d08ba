package dev.mayfly.agent;

import dev.mayfly.core.error.Unavailable;
import java.time.Duration;
import java.util.Optional;

/**
 * Waits for the cloud's word that it takes this machine, and says so once. Best effort: a machine
 * can go without a word.
 */
final class NoticeWatch implements Runnable {
  private static final String PATH = "instance/preempted";
  private static final Duration WAIT = Duration.ofSeconds(60);

  private final Metadata metadata;
  private final Runnable noticed;

  NoticeWatch(Metadata metadata, Runnable noticed) {
    this.metadata = metadata;
    this.noticed = noticed;
  }

  @Override
  public void run() {
    Optional<Metadata.Value> seen = Optional.empty();
    while (!Thread.currentThread().isInterrupted()) {
      var before = seen;
      try {
        seen =
            before.isEmpty()
                ? metadata.look(PATH)
                : metadata.await(PATH, before.get().etag(), WAIT);
      } catch (Unavailable e) {
        // It kept us waiting for its whole patience; we go on asking as long as the machine lives.
        continue;
      }
      if (seen.filter(value -> value.text().strip().equalsIgnoreCase("TRUE")).isPresent()) {
        noticed.run();
        return;
      }
      if (seen.isEmpty()) {
        // No such value: not a machine that can be preempted.
        return;
      }
    }
  }
}
