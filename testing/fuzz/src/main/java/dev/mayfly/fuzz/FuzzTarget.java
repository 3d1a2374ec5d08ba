package dev.mayfly.fuzz;

import java.time.Duration;
import java.util.List;

/**
 * A place that reads bytes from outside.
 *
 * <p><b>Must:</b> accept or refuse every input in a documented way; any other exception is a bug.
 */
interface FuzzTarget {
  /** A single word, as in {@code testing/fuzz/run NAME}. */
  String name();

  /** Ordinary inputs and former findings, from which mutation starts. */
  List<byte[]> seeds();

  /** The longest time for one input, on a warm JVM. */
  default Duration longest() {
    return FuzzOracle.LONGEST;
  }

  /** True if the input was accepted, false if it was refused as documented. */
  boolean accepts(byte[] input) throws Exception;
}
