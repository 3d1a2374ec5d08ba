package dev.mayfly.porttests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.NotificationKind;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.model.notification.NotifiedJob;
import dev.mayfly.core.model.notification.PendingNotification;
import dev.mayfly.core.port.NotificationTopic;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract of {@link NotificationTopic}, while it is available. */
public abstract class NotificationTopicContract {
  /** A notification as a subscriber gets it. */
  public record Told(Notification notification, Map<String, String> attributes) {}

  /** The topic under test; always the same. */
  protected abstract NotificationTopic topic();

  /** The next notification that arrives. Advances virtual time. */
  protected abstract Told next() throws InterruptedException;

  /** A notification of an ended job. */
  protected static Notification ended() {
    var job =
        new NotifiedJob(
            "reddit",
            "j-1",
            Optional.of("ann@lab.org"),
            new TaskTotals(4, 1, 0, 0, 2),
            Optional.of("gs://lab/mayfly/.jobs/j-1/outcome/0.jsonl"));
    return notification("e-1", PendingNotification.jobEnded(job));
  }

  private static Notification notification(String id, PendingNotification pending) {
    var event =
        DocumentFixtures.event("c-1", id, Instant.parse("2026-01-31T10:00:00Z"), "job/reddit");
    return event.with(pending).message("lab").orElseThrow();
  }

  @Test
  void notificationArrivesUnchangedWithItsAttributes() throws InterruptedException {
    topic().publish(ended());

    var told = next();
    assertThat(told.notification()).isEqualTo(ended());
    assertThat(told.attributes())
        .containsOnly(
            Map.entry("cluster", "lab"),
            Map.entry("notification", "job-ended"),
            Map.entry("owner", "ann@lab.org"));
  }

  @Test
  void withoutAJobThereIsNoOwner() throws InterruptedException {
    topic().publish(notification("e-2", new PendingNotification(NotificationKind.NODE_BAD)));

    assertThat(next().attributes())
        .containsOnly(Map.entry("cluster", "lab"), Map.entry("notification", "node-bad"));
  }

  @Test
  void repeatArrivesAgainWithTheSameId() throws InterruptedException {
    topic().publish(ended());
    topic().publish(ended());

    assertThat(next().notification().id()).isEqualTo("e-1");
    assertThat(next().notification().id()).isEqualTo("e-1");
  }
}
