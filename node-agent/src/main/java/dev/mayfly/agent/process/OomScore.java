package dev.mayfly.agent.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The agent's service asks the kernel to spare the agent when memory ends. A task would inherit
 * that, and then anything else on the machine would be ended in its place: {@link
 * LaunchSteps#ordinary} takes it back.
 */
public final class OomScore {
  private static final boolean SPARED = spared(Path.of("/proc/self/oom_score_adj"));

  private OomScore() {}

  /** Whether this process is spared, and with it what it starts. */
  public static boolean spared() {
    return SPARED;
  }

  static boolean spared(Path own) {
    try {
      return Files.readString(own).strip().startsWith("-");
    } catch (IOException e) {
      return false;
    }
  }
}
