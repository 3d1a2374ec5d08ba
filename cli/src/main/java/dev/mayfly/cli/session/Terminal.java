package dev.mayfly.cli.session;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The terminal that a session shares with this process: its settings, its foreground and its keys.
 */
@SuppressWarnings("restricted") // A few calls of the C library; the launcher grants them.
final class Terminal {
  private static final int INTERRUPT = 2;
  private static final int QUIT = 3;
  private static final int TERMINAL_OUTPUT = 22;
  private static final Linker LINKER = Linker.nativeLinker();

  private Terminal() {}

  /** Whether both input and output are a terminal. */
  static boolean isInteractive() {
    var isTerminal = function("isatty", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    return isTerminal.isPresent()
        && call(isTerminal.get(), 0) == 1
        && call(isTerminal.get(), 1) == 1;
  }

  /**
   * Leaves the keys that interrupt to the process in the foreground: this one would end first, and
   * the session would lose its terminal. The handler is a harmless function of the C library, and
   * not "ignore", which a child would inherit.
   */
  static void leaveKeysToChild() {
    LINKER
        .defaultLookup()
        .find("abs")
        .ifPresent(harmless -> {
          signal(INTERRUPT, harmless);
          signal(QUIT, harmless);
        });
  }

  /** The settings now, for {@link #restore}; empty without a terminal. */
  static Optional<String> settings() {
    try {
      var process =
          new ProcessBuilder("stty", "-g")
              .redirectInput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return process.waitFor() == 0 ? Optional.of(text.strip()) : Optional.empty();
    } catch (IOException noStty) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /**
   * Takes the terminal back from a session that was killed and could not return it: the foreground
   * and the settings.
   */
  static void restore(String settings) {
    signal(TERMINAL_OUTPUT, MemorySegment.ofAddress(1)); // SIG_IGN
    var group = function("getpgrp", FunctionDescriptor.of(JAVA_INT));
    var foreground = function("tcsetpgrp", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    if (group.isPresent() && foreground.isPresent()) call(foreground.get(), 0, call(group.get()));
    try {
      new ProcessBuilder(List.of("stty", settings)).inheritIO().start().waitFor();
    } catch (IOException gone) {
      // Without a terminal there is nothing to restore.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void signal(int number, MemorySegment handler) {
    var signal = LINKER.defaultLookup().find("signal");
    if (signal.isEmpty()) return;
    var type = FunctionDescriptor.of(ADDRESS, JAVA_INT, ADDRESS);
    try {
      var before =
          (MemorySegment) LINKER.downcallHandle(signal.get(), type).invokeExact(number, handler);
      assert before != null;
    } catch (Throwable broken) {
      throw broken(broken);
    }
  }

  private static Optional<java.lang.invoke.MethodHandle> function(
      String name, FunctionDescriptor type) {
    return LINKER.defaultLookup().find(name).map(at -> LINKER.downcallHandle(at, type));
  }

  private static int call(java.lang.invoke.MethodHandle function, Object... arguments) {
    try {
      return (int) function.invokeWithArguments(arguments);
    } catch (Throwable broken) {
      throw broken(broken);
    }
  }

  private static IllegalStateException broken(Throwable failure) {
    return new IllegalStateException("a call into the C library failed: " + failure, failure);
  }
}
