package dev.mayfly.cli.page;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A word with which the browser that {@code mayfly ui} starts gets the key: every user of the
 * computer sees the arguments of programs, and so it is of use once, and for a minute.
 */
final class LaunchWord {
  private static final Duration VALID = Duration.ofMinutes(1);

  private record Word(String text, Instant until) {}

  private Optional<Word> word = Optional.empty();

  /** Makes the only one that is valid from now on. */
  synchronized void is(String text, Instant now) {
    word = Optional.of(new Word(text, now.plus(VALID)));
  }

  /** Whether it is the word; then it is not any more. */
  synchronized boolean takes(String given, Instant now) {
    var known = word.filter(it -> PageGuard.same(it.text(), given));
    if (known.isEmpty()) return false;
    word = Optional.empty();
    return now.isBefore(known.get().until());
  }
}
