package dev.mayfly.functions.handler;

import com.google.cloud.functions.HttpRequest;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.wire.text.SingleLineText;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The parameters of a read. A value that a parameter cannot have is an {@link
 * InvalidInputException} that names both; unknown parameters are ignored, as newer callers send
 * them.
 */
record QueryParameters(HttpRequest request) {
  private static final int SHOWN = 60;
  private static final String OWNER = "[A-Za-z0-9][-A-Za-z0-9_.@+]{0,99}";
  private static final String NUMBER = "[0-9]{1,18}";

  Optional<String> text(String name) {
    return request.getFirstQueryParameter(name);
  }

  /** The owner of jobs, as they claim it. */
  Optional<String> owner(String name) {
    var given = text(name);
    given
        .filter(value -> !value.matches(OWNER))
        .ifPresent(value -> {
          throw invalid(name, value, "a name or a mail address without spaces");
        });
    return given;
  }

  /** A whole number from {@code least} on; a larger one than {@code most} counts as that. */
  long number(String name, long least, long most, long unlessGiven) {
    var given = text(name);
    if (given.isEmpty()) return unlessGiven;
    var value = given.get();
    if (!value.matches(NUMBER) || Long.parseLong(value) < least)
      throw invalid(name, value, "a whole number from %d on".formatted(least));
    return Math.min(most, Long.parseLong(value));
  }

  /** A day of UTC. */
  Optional<LocalDate> day(String name) {
    return text(name)
        .map(value ->
            parsed(value, LocalDate::parse)
                .orElseThrow(() -> invalid(name, value, "a day such as 2026-01-31")));
  }

  /** A time, in UTC. */
  Optional<Instant> time(String name) {
    return text(name)
        .map(value ->
            parsed(value, Instant::parse)
                .orElseThrow(() -> invalid(name, value, "a time such as 2026-01-31T10:00:00Z")));
  }

  private static <T> Optional<T> parsed(String text, Function<String, T> parser) {
    try {
      return Optional.of(parser.apply(text));
    } catch (DateTimeParseException other) {
      return Optional.empty();
    }
  }

  boolean isTrue(String name) {
    return word(name, List.of("true", "false")).filter("true"::equals).isPresent();
  }

  /** One of these words. */
  Optional<String> word(String name, List<String> words) {
    var given = text(name);
    given
        .filter(value -> !words.contains(value))
        .ifPresent(value -> {
          throw invalid(name, value, "one of " + String.join(", ", words));
        });
    return given;
  }

  private static InvalidInputException invalid(String name, String value, String remedy) {
    return new InvalidInputException(
        name, "is \"%s\"; write %s".formatted(SingleLineText.of(value, SHOWN), remedy));
  }
}
