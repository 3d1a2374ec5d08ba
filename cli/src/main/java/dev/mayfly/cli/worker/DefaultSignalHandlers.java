package dev.mayfly.cli.worker;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;

/**
 * Restores the default signal handlers. Java handles only one interrupt, and its shutdown may take
 * a while; afterwards a second interrupt ends the process at once.
 */
@SuppressWarnings("restricted") // One call of the C library; the launcher grants it.
final class DefaultSignalHandlers {
  private static final int INTERRUPT = 2;
  private static final int TERMINATE = 15;

  private DefaultSignalHandlers() {}

  /** Restores the system's default actions for these signals. */
  static void restore() {
    var linker = Linker.nativeLinker();
    var signal = linker.defaultLookup().find("signal");
    if (signal.isEmpty()) return;
    var call =
        linker.downcallHandle(signal.get(), FunctionDescriptor.of(ADDRESS, JAVA_INT, ADDRESS));
    try {
      var interrupt = (MemorySegment) call.invokeExact(INTERRUPT, MemorySegment.NULL);
      var terminate = (MemorySegment) call.invokeExact(TERMINATE, MemorySegment.NULL);
      assert interrupt != null && terminate != null;
    } catch (Throwable broken) {
      throw new IllegalStateException("a call into the C library failed: " + broken, broken);
    }
  }
}
