package dev.mayfly.sim.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.WebhookEvents;
import dev.mayfly.core.model.cluster.NotificationKind;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.notification.PendingNotification;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WebhookEventsTest {
  private final ReconcileFixture b = new ReconcileFixture();

  @Test
  void refusalThatIsRecordedAgainIsOneEvent() {
    var webhookEvents = new WebhookEvents(b.ledger, b.time);
    var lost = new EventRecord(b.uid, "e-1", b.time.instant(), "worker/w", "unfit", "no driver");
    var notification =
        lost.with(new PendingNotification(NotificationKind.NODE_BAD)).message("lab").orElseThrow();

    webhookEvents.refused(notification, "away");
    b.time.advance(Duration.ofMinutes(1));
    webhookEvents.refused(notification, "away");

    assertThat(b.events("webhook-refused")).hasSize(1);
  }
}
