package dev.mayfly.cli.client;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Waits until the control plane has accepted or rejected a message. */
public record MessageAcceptance(ApiClient api, ConditionPoller waiting) {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration MAX_PAUSE = Duration.ofMillis(250);

  /**
   * The result of {@code taken}. Throws {@link InvalidInputException} with the reasons if the
   * message was rejected, and {@link UnavailableException} if neither happens within a minute.
   *
   * @param what names what was published, in error messages
   */
  public <T> T await(String message, String what, Supplier<Optional<T>> taken) {
    return waiting
        .until(LIMIT, MAX_PAUSE, () -> poll(message, taken))
        .orElseThrow(() ->
            new UnavailableException(
                "%s is published (message %s), but was not processed within %s; it is not lost: check again with mayfly status"
                    .formatted(what, message, LIMIT.toSeconds() + " s")));
  }

  private <T> Optional<T> poll(String message, Supplier<Optional<T>> taken) {
    var found = taken.get();
    if (found.isEmpty())
      api.rejection(message)
          .ifPresent(no -> {
            throw new InvalidInputException(
                no.errors().stream().map(e -> new InputError("", e)).toList());
          });
    return found;
  }
}
