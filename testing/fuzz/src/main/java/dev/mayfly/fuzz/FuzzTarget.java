package dev.mayfly.fuzz;

import java.util.List;

/**
 * A place that reads bytes from outside.
 *
 * <p><b>Must:</b> accept or refuse every input in a documented way; whatever else it throws is a
 * mistake of Mayfly's.
 */
interface FuzzTarget {
  /** One word, as in {@code testing/fuzz/run NAME}. */
  String name();

  /** Ordinary inputs, and some that once did harm: mutation begins with them. */
  List<byte[]> seeds();

  /** True if the input was accepted, false if it was refused as documented. */
  boolean accepts(byte[] input) throws Exception;
}
