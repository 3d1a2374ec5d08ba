package dev.mayfly.core.control;

import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import java.time.InstantSource;
import java.util.List;

/** Records what became of the calls of webhooks, for people. */
public final class WebhookEvents {
  private static final String REFUSED = "webhook-refused";

  private final Ledger ledger;
  private final InstantSource clock;

  /**
   * @param ledger without notifications of its own: a refused webhook is not told
   */
  public WebhookEvents(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  /**
   * A notification will not be posted. A repeat writes the same event.
   *
   * @param why without the body, the answer and the secret
   */
  public void refused(Notification notification, String why) {
    var event =
        new EventRecord(
            notification.clusterUid(),
            EventRecord.repeatableId(notification.at(), REFUSED, notification.id()),
            clock.instant(),
            "cluster/" + notification.cluster(),
            REFUSED,
            "%s of %s was not taken: %s"
                .formatted(notification.notification().word(), notification.about(), why));
    var _ = ledger.commit(List.of(new LedgerWrite.Put(event)));
  }
}
