package dev.mayfly.core.control;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.Rejection;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Bounds how often a message is tried that ends the function which takes it, by its memory, its
 * time or a mistake of ours: a subscription of Eventarc's has no dead letters of its own.
 *
 * <p>A message that is delivered late is counted before it is tried, because nothing may be left to
 * count it afterwards. A fault of the world, which {@link Unavailable} is, does not count: an
 * outage loses no message. One that was tried in vain too often becomes a rejection.
 */
public final class Redeliveries {
  /** Within it most faults are over, and nothing is counted. */
  static final Duration ORDINARY = Duration.ofMinutes(5);

  static final int MOST = 10;

  private static final String TOO_OFTEN =
      " times, and each time it ended the function that took it, or met a mistake of Mayfly's;"
          + " the function's log has more. Publish it again once that is mended";

  private final Ledger ledger;
  private final InstantSource clock;

  Redeliveries(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  /** Does the work of taking the message, unless it was tried too often. */
  public void take(Message message, Runnable work) {
    if (message.publishedAt().plus(ORDINARY).isAfter(clock.instant())) {
      work.run();
      return;
    }
    var rejection = rejection(message);
    // A publisher that was told no relies on it.
    if (rejection.isPresent() && !rejection.get().stillTried()) return;
    var attempts = rejection.map(Rejection::attempts).orElse(0);
    if (attempts >= MOST) {
      put(message, Rejection.GIVEN_UP, "it was tried " + attempts + TOO_OFTEN);
      return;
    }
    put(message, attempts + 1, "it is tried again, attempt " + (attempts + 1));
    try {
      work.run();
    } catch (Unavailable fault) {
      if (attempts == 0) forget(message);
      else put(message, attempts, "it waits: " + fault.getMessage());
      throw fault;
    }
    if (rejection(message).filter(Rejection::stillTried).isPresent()) forget(message);
  }

  private Optional<Rejection> rejection(Message message) {
    return ledger.read(new Key.OfRejection(message.id())).map(Stored::value);
  }

  /** What the message says is not looked at: looking at it may be what ends the function. */
  private void put(Message message, int attempts, String error) {
    var about = "message " + message.id() + " of topic " + message.topic().id();
    var rejection =
        new Rejection(message.id(), clock.instant(), about, List.of(error), "", attempts);
    ledger.commit(List.of(new Write.Put(rejection)));
  }

  private void forget(Message message) {
    ledger.commit(List.of(new Write.Delete(new Key.OfRejection(message.id()))));
  }
}
