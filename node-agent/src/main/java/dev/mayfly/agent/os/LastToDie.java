package dev.mayfly.agent.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The agent's service asks the kernel to spare the agent when memory ends. A task would inherit
 * that, and then anything else on the machine would be ended in its place.
 */
public final class LastToDie {
  private static final boolean SPARED = spared(Path.of("/proc/self/oom_score_adj"));

  private LastToDie() {}

  /** This process is an ordinary one, and so are those that it starts. */
  public static void not(long pid) {
    if (SPARED) ordinary(Path.of("/proc/" + pid + "/oom_score_adj"));
  }

  static boolean spared(Path own) {
    try {
      return Files.readString(own).strip().startsWith("-");
    } catch (IOException e) {
      return false;
    }
  }

  /** One that is gone by now needs nothing. */
  static void ordinary(Path file) {
    try {
      Files.writeString(file, "0");
    } catch (IOException e) {
      // It ended before it could be told.
    }
  }
}
