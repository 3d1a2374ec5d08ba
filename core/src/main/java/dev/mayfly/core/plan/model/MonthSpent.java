package dev.mayfly.core.plan.model;

import java.util.Optional;

/**
 * What a cluster's machines have cost in this calendar month, as far as it can be read.
 *
 * @param usd all of it, or the least that it is
 * @param unread the first document that cannot be read, with what is wrong in it: then it may be
 *     more
 */
public record MonthSpent(double usd, Optional<String> unread) {
  /** All of it is known. */
  public static MonthSpent known(double usd) {
    return new MonthSpent(usd, Optional.empty());
  }
}
