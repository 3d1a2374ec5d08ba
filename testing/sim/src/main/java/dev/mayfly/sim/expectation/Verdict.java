package dev.mayfly.sim.expectation;

/**
 * Whether an expectation held.
 *
 * @param expected in words
 * @param seen what was so
 * @param excess how far that is from what was expected, by which the worst of several runs is
 *     found: above zero where it did not hold
 */
public record Verdict(String expected, boolean held, String seen, double excess) {
  /** A verdict without a distance. */
  static Verdict of(String expected, boolean held, String seen) {
    return new Verdict(expected, held, seen, held ? -1 : 1);
  }
}
