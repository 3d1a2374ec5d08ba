package dev.mayfly.agent.machine;

import dev.mayfly.core.error.UnavailableException;
import java.time.Duration;
import java.util.Optional;

/**
 * Waits for the cloud's word that it takes this machine, and says so once. Best effort: a machine
 * can go without a word.
 *
 * <p>A Spot machine is told by {@code preempted}, about 30 s before. One whose host needs
 * maintenance is told by {@code maintenance-event}: 60 s before, and with GPUs an hour
 * (cloud.google.com/compute/docs/metadata/getting-live-migration-notice). Tasks are asked to end at
 * once either way: the hour is not a promise.
 */
public final class PreemptionWatch implements Runnable {
  private static final Duration WAIT = Duration.ofSeconds(60);

  /**
   * Where the word is told, and what it is. Other values, such as a move while it runs, are none.
   */
  public enum Notice {
    PREEMPTED("instance/preempted", "TRUE"),
    MAINTENANCE("instance/maintenance-event", "TERMINATE_ON_HOST_MAINTENANCE");

    private final String path;
    private final String word;

    Notice(String path, String word) {
      this.path = path;
      this.word = word;
    }
  }

  private final MetadataClient metadataClient;
  private final Notice notice;
  private final Runnable noticed;

  public PreemptionWatch(MetadataClient metadataClient, Notice notice, Runnable noticed) {
    this.metadataClient = metadataClient;
    this.notice = notice;
    this.noticed = noticed;
  }

  @Override
  public void run() {
    Optional<MetadataClient.Value> seen = Optional.empty();
    while (!Thread.currentThread().isInterrupted()) {
      var before = seen;
      try {
        seen =
            before.isEmpty()
                ? metadataClient.findValue(notice.path)
                : metadataClient.await(notice.path, before.get().etag(), WAIT);
      } catch (UnavailableException e) {
        // It kept us waiting for its whole patience; we go on asking as long as the machine lives.
        continue;
      }
      if (seen.filter(value -> value.text().strip().equalsIgnoreCase(notice.word)).isPresent()) {
        noticed.run();
        return;
      }
      if (seen.isEmpty()) {
        // No such value: nobody tells it here.
        return;
      }
    }
  }
}
