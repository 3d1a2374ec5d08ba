package dev.mayfly.core.text;

import java.util.Map;

/** Formats a process's exit code for people. */
public final class ExitCode {
  /** A shell adds this to the number of the signal that ended a process. */
  private static final int SIGNALLED = 128;

  private static final Map<Integer, String> SIGNALS =
      Map.ofEntries(
          Map.entry(1, "SIGHUP"),
          Map.entry(2, "SIGINT"),
          Map.entry(3, "SIGQUIT"),
          Map.entry(4, "SIGILL"),
          Map.entry(5, "SIGTRAP"),
          Map.entry(6, "SIGABRT"),
          Map.entry(7, "SIGBUS"),
          Map.entry(8, "SIGFPE"),
          Map.entry(9, "SIGKILL"),
          Map.entry(10, "SIGUSR1"),
          Map.entry(11, "SIGSEGV"),
          Map.entry(12, "SIGUSR2"),
          Map.entry(13, "SIGPIPE"),
          Map.entry(14, "SIGALRM"),
          Map.entry(15, "SIGTERM"),
          Map.entry(24, "SIGXCPU"),
          Map.entry(25, "SIGXFSZ"),
          Map.entry(31, "SIGSYS"));

  private ExitCode() {}

  /** For example {@code exit code 3} or {@code exit code 139, SIGSEGV}. */
  public static String format(int code) {
    var signal = SIGNALS.get(code - SIGNALLED);
    return "exit code " + code + (signal == null ? "" : ", " + signal);
  }
}
