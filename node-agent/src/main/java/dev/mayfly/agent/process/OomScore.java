package dev.mayfly.agent.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The agent's service asks the kernel's OOM killer to spare the agent. A task would inherit that
 * and be spared at the expense of everything else on the machine: {@link LaunchSteps#ordinary}
 * undoes it.
 */
public final class OomScore {
  private static final boolean SPARED = spared(Path.of("/proc/self/oom_score_adj"));

  private OomScore() {}

  /** Whether this process, and hence its children, is spared. */
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
