package dev.mayfly.agent.machine;

import dev.mayfly.core.error.UnavailableException;
import java.time.Duration;
import java.util.Optional;

/**
 * Waits for the cloud's preemption or maintenance notice and reports it once. Best effort: a
 * machine may disappear without notice.
 *
 * <p>{@code preempted} announces a Spot machine's preemption about 30 s ahead. {@code
 * maintenance-event} announces maintenance of the host 60 s ahead, and an hour with GPUs
 * (cloud.google.com/compute/docs/metadata/getting-live-migration-notice). Either way tasks are
 * asked to end at once, because the hour is not guaranteed.
 */
public final class PreemptionWatch implements Runnable {
  private static final Duration WAIT = Duration.ofSeconds(60);

  /** The path of a notice and its value. Other values, such as a live migration, are ignored. */
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
        // The client has already waited for its patience; keep asking while the machine lives.
        continue;
      }
      if (seen.filter(value -> value.text().strip().equalsIgnoreCase(notice.word)).isPresent()) {
        noticed.run();
        return;
      }
      if (seen.isEmpty()) {
        // The server has no such value, so it will never announce anything here.
        return;
      }
    }
  }
}
