package dev.mayfly.core.state;

import dev.mayfly.core.error.UnavailableException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Read, decide, commit: repeated while other writers come in between. Each attempt reads anew, and
 * its commit is conditional on what it read.
 */
public final class Transactions {
  /** More conflicts in a row than chance explains. */
  private static final int MAX_TRIES = 8;

  private Transactions() {}

  /**
   * Repeats the attempt until it is true: committed, or nothing to change.
   *
   * @param what changes, for the message of the exception: "job resize"
   * @throws UnavailableException after eight conflicts; the caller's message is delivered again
   */
  public static void retry(String what, BooleanSupplier attempt) {
    var _ = retry(what, () -> attempt.getAsBoolean() ? Optional.of(true) : Optional.empty());
  }

  /** The same for an attempt with a result; empty is a conflict. */
  public static <R> R retry(String what, Supplier<Optional<R>> attempt) {
    for (var tries = 0; tries < MAX_TRIES; tries++) {
      var result = attempt.get();
      if (result.isPresent()) return result.get();
    }
    throw new UnavailableException(what + " changes too fast; the message is delivered again");
  }
}
