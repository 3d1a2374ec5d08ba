package dev.mayfly.core.control;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.RejectedMessage;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Limits retries of a message that ends the function handling it, by its memory, its time or a bug
 * in Mayfly: an Eventarc subscription has no dead letters of its own.
 *
 * <p>A message delivered late is counted before it is tried, because nothing may be left to count
 * it afterwards. An external failure ({@link UnavailableException}) does not count: an outage loses
 * no message. After too many failed tries it becomes a rejection. A mistake that is thrown as an
 * exception usually ends earlier: {@link CommandHandler} rejects its command after an hour.
 */
public final class RedeliveryLimit {
  /** The age up to which nothing is counted: most failures end within this time. */
  static final Duration ORDINARY = Duration.ofMinutes(5);

  static final int MAX_ATTEMPTS = 10;

  private static final String TOO_OFTEN =
      " times, and each time it ended the function or met a bug in Mayfly (details in the"
          + " function's log). Publish it again once that is fixed";

  private final Ledger ledger;
  private final InstantSource clock;

  RedeliveryLimit(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  /** Runs the work of handling the message, unless it was tried too often. */
  public void deliver(UserMessage userMessage, Runnable work) {
    if (userMessage.publishedAt().plus(ORDINARY).isAfter(clock.instant())) {
      work.run();
      return;
    }
    var rejectedMessage = rejection(userMessage);
    // The publisher relies on the rejection.
    if (rejectedMessage.isPresent() && !rejectedMessage.get().isRetried()) return;
    var attempts = rejectedMessage.map(RejectedMessage::attempts).orElse(0);
    if (attempts >= MAX_ATTEMPTS) {
      put(userMessage, RejectedMessage.GIVEN_UP, "it was tried " + attempts + TOO_OFTEN);
      return;
    }
    put(userMessage, attempts + 1, "it is tried again, attempt " + (attempts + 1));
    try {
      work.run();
    } catch (UnavailableException fault) {
      if (attempts == 0) forget(userMessage);
      else put(userMessage, attempts, "it waits: " + fault.getMessage());
      throw fault;
    }
    if (rejection(userMessage).filter(RejectedMessage::isRetried).isPresent()) forget(userMessage);
  }

  private Optional<RejectedMessage> rejection(UserMessage userMessage) {
    return ledger
        .read(new DocumentKey.OfRejectedMessage(userMessage.id()))
        .map(VersionedDocument::value);
  }

  /** Does not parse the message, because parsing may be what ends the function. */
  private void put(UserMessage userMessage, int attempts, String error) {
    var about = "message " + userMessage.id() + " of topic " + userMessage.topic().id();
    var rejectedMessage =
        new RejectedMessage(userMessage.id(), clock.instant(), about, List.of(error), "", attempts);
    ledger.commit(List.of(new LedgerWrite.Put(rejectedMessage)));
  }

  private void forget(UserMessage userMessage) {
    ledger.commit(
        List.of(new LedgerWrite.Delete(new DocumentKey.OfRejectedMessage(userMessage.id()))));
  }
}
