package dev.mayfly.functions.webhook;

import dev.mayfly.core.error.UnavailableException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Receivers that did not answer several times in a row: for a minute they are not called, because
 * each call waits for ten seconds, in which the notifications of other clusters wait too. Then one
 * call tries again. What this process remembers is lost with it, at the cost of a few calls.
 */
final class UnreachableReceivers {
  /** Calls without an answer after which a receiver is left alone. */
  static final int FEW = 3;

  static final Duration PAUSE = Duration.ofMinutes(1);

  private static final int MOST_REMEMBERED = 1_000;

  private record Silence(int calls, Instant until) {}

  private final InstantSource clock;
  private final ConcurrentMap<URI, Silence> silences = new ConcurrentHashMap<>();

  UnreachableReceivers(InstantSource clock) {
    this.clock = clock;
  }

  /** Throws {@link UnavailableException} if the receiver is not to be called now. */
  void check(URI url) {
    var now = clock.instant();
    silences.computeIfPresent(
        url,
        (_, silence) -> {
          if (silence.calls < FEW) return silence;
          if (silence.until.isAfter(now))
            throw new UnavailableException(
                "no answer from %s in %d calls; it is called again at %s"
                    .formatted(url.getHost(), silence.calls, silence.until));
          // This call tries it, and the others wait for what it finds.
          return new Silence(silence.calls, now.plus(PAUSE));
        });
  }

  void unanswered(URI url) {
    if (silences.size() > MOST_REMEMBERED) silences.clear();
    var until = clock.instant().plus(PAUSE);
    silences.merge(url, new Silence(1, until), (was, _) -> new Silence(was.calls + 1, until));
  }

  void answered(URI url) {
    silences.remove(url);
  }
}
