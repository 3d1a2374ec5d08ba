package dev.mayfly.agent.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * How many processes and threads a task may have at the same time, so that one that starts
 * processes without end leaves room for the agent and for other tasks.
 */
public final class ProcessLimit {
  /** Far above what programs with a thread for each of hundreds of CPUs need. */
  private static final long MOST = 16_384;

  private static final Path PROC = Path.of("/proc");

  private ProcessLimit() {}

  /** The limit on this machine. */
  public static long ofMachine() {
    return of(PROC);
  }

  /** At most half of what the kernel lets the whole machine have. */
  static long of(Path proc) {
    return Stream.of("threads-max", "pid_max")
        .map(name -> proc.resolve("sys/kernel").resolve(name))
        .mapToLong(ProcessLimit::half)
        .reduce(MOST, Math::min);
  }

  private static long half(Path file) {
    try {
      return Long.parseLong(Files.readString(file).strip()) / 2;
    } catch (IOException | NumberFormatException unknown) {
      return MOST;
    }
  }
}
