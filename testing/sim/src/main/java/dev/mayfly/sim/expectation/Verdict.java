package dev.mayfly.sim.expectation;

/**
 * Whether an expectation held.
 *
 * @param expected in words
 * @param seen what was so
 */
public record Verdict(String expected, boolean held, String seen) {}
