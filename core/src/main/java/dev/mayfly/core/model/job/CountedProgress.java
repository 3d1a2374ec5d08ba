package dev.mayfly.core.model.job;

import java.time.Instant;
import java.util.Optional;

/**
 * How far a job that has not ended was at some time, for people who read its document. Nothing is
 * decided by it, and it may be minutes old.
 *
 * @param at when its tasks were counted
 * @param totals its tasks by state
 * @param workers how many had tasks of it
 * @param waits why none of its tasks was with a worker, if none was: a word, a colon and a sentence
 */
public record CountedProgress(Instant at, TaskTotals totals, long workers, Optional<String> waits) {
  /** Whether there is nothing to tell but that it has not begun. */
  public boolean isNothing() {
    return totals.done() + totals.failed() + totals.leased() + workers == 0 && waits.isEmpty();
  }

  /** Whether a person would read the same of both, apart from times. */
  public boolean isLike(CountedProgress other) {
    return totals.equals(other.totals)
        && workers == other.workers
        && waits.map(CountedProgress::word).equals(other.waits.map(CountedProgress::word));
  }

  /** Sentences say for how long something has been so. */
  private static String word(String why) {
    return why.substring(0, Math.max(0, why.indexOf(':')));
  }
}
