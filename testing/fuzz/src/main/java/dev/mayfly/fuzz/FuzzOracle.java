package dev.mayfly.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Checks an entry point's handling of an input: accepted or refused, within a time limit, with
 * memory in proportion to its size. Counts the results.
 */
final class FuzzOracle {
  /** The longest time for one input, unless its target says otherwise; on a warm JVM. */
  static final Duration LONGEST = Duration.ofMillis(300);

  /** Bytes that reading may allocate: for each byte of the input, and for the shortest input. */
  static final long ALLOCATED = 1_000;

  static final long ALLOCATED_BASE = 20_000_000;

  /**
   * Garbage collection, other processes and one-time work can make any single call slow; a slow
   * input is slow each time.
   */
  private static final int MAX_TRIES = 5;

  private final LongSupplier nanos;
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private long accepted;
  private long refused;
  private long slowest;
  private long mostAllocated;

  /**
   * @param nanos a monotonic clock
   */
  FuzzOracle(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** An entry point did not cheaply accept or refuse an input. */
  static final class Finding extends RuntimeException {
    private static final long serialVersionUID = 1;

    Finding(String what, Throwable cause) {
      super(what, cause);
    }

    Finding(String what) {
      super(what);
    }
  }

  /** Throws {@link Finding}. */
  void judge(FuzzTarget entry, byte[] input) {
    var cost = once(entry, input);
    if (cost.accepts) accepted++;
    else refused++;
    var most = ALLOCATED_BASE + ALLOCATED * input.length;
    for (var i = 1; i < MAX_TRIES && cost.above(entry, most); i++)
      cost = cost.least(once(entry, input));
    slowest = Math.max(slowest, cost.nanos);
    mostAllocated = Math.max(mostAllocated, cost.allocated);
    if (cost.above(entry, most))
      throw new Finding(
          "%s: %d bytes take %d ms and allocate %,d bytes each time"
              .formatted(entry.name(), input.length, cost.nanos / 1_000_000, cost.allocated));
  }

  private record Cost(boolean accepts, long nanos, long allocated) {
    boolean above(FuzzTarget entry, long most) {
      return nanos > entry.longest().toNanos() || allocated > most;
    }

    Cost least(Cost other) {
      return new Cost(accepts, Math.min(nanos, other.nanos), Math.min(allocated, other.allocated));
    }
  }

  private Cost once(FuzzTarget entry, byte[] input) {
    var bytes = threads.getCurrentThreadAllocatedBytes();
    var from = nanos.getAsLong();
    var accepts = outcome(entry, input);
    var took = nanos.getAsLong() - from;
    return new Cost(accepts, took, threads.getCurrentThreadAllocatedBytes() - bytes);
  }

  /** Whether the input is accepted; throws {@link Finding}. */
  static boolean outcome(FuzzTarget entry, byte[] input) {
    try {
      return entry.accepts(input);
    } catch (Exception | StackOverflowError | OutOfMemoryError mistake) {
      throw new Finding(entry.name() + ": neither accepted nor refused: " + mistake, mistake);
    }
  }

  /** A summary in one line. */
  String figures() {
    return String.format(
        Locale.ROOT,
        "%,d inputs: %,d accepted, %,d refused; slowest %.1f ms, most allocated %.1f MB",
        accepted + refused,
        accepted,
        refused,
        slowest / 1e6,
        mostAllocated / 1e6);
  }
}
