package dev.mayfly.cli.flow;

import dev.mayfly.cli.reach.Api;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.Problem;
import dev.mayfly.core.error.Unavailable;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Waits until the control plane has taken a message, or refused it. */
public record Acceptance(Api api, Waiting waiting) {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration EVERY = Duration.ofMillis(100);

  /**
   * What {@code taken} found. Throws {@link Invalid} with the reasons if the message was refused,
   * and {@link Unavailable} if neither came within a minute.
   *
   * @param what was published, for messages
   */
  public <T> T await(String message, String what, Supplier<Optional<T>> taken) {
    return waiting
        .until(LIMIT, EVERY, () -> look(message, taken))
        .orElseThrow(() ->
            new Unavailable(
                "%s is published (message %s), and nothing has taken it for %s; it is not lost: look again with mayfly status"
                    .formatted(what, message, LIMIT.toSeconds() + " s")));
  }

  private <T> Optional<T> look(String message, Supplier<Optional<T>> taken) {
    var found = taken.get();
    if (found.isEmpty())
      api.rejection(message)
          .ifPresent(no -> {
            throw new Invalid(no.errors().stream().map(e -> new Problem("", e)).toList());
          });
    return found;
  }
}
