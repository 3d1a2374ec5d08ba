package dev.mayfly.cli.client;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Waits until the control plane has taken a message, or refused it. */
public record MessageAcceptance(ApiClient api, ConditionPoller waiting) {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration EVERY = Duration.ofMillis(100);

  /**
   * What {@code taken} found. Throws {@link InvalidInputException} with the reasons if the message
   * was refused, and {@link UnavailableException} if neither came within a minute.
   *
   * @param what was published, for messages
   */
  public <T> T await(String message, String what, Supplier<Optional<T>> taken) {
    return waiting
        .until(LIMIT, EVERY, () -> poll(message, taken))
        .orElseThrow(() ->
            new UnavailableException(
                "%s is published (message %s), and nothing has taken it for %s; it is not lost: look again with mayfly status"
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
