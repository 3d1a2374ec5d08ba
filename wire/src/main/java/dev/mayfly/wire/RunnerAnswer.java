package dev.mayfly.wire;

import dev.mayfly.core.error.InvalidInputException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The line with which a runner says that it is done with a task.
 *
 * @param task that of its {@link RunnerTask}
 * @param exitCode always there: 0 to 255, as a process of the task's own would end with
 * @param message for the end of the task's log
 * @param last true if the runner takes no further task, and ends
 */
public record RunnerAnswer(
    String task, Optional<Integer> exitCode, Optional<String> message, Optional<Boolean> last) {
  public RunnerAnswer {
    if (exitCode.isEmpty()) throw new IllegalArgumentException("exitCode is missing");
    if (exitCode.get() < 0 || exitCode.get() > 255)
      throw new IllegalArgumentException(
          "exitCode %d is not from 0 to 255, as those of processes are".formatted(exitCode.get()));
  }

  /** Throws {@link InvalidInputException} for a line that is no answer. */
  public static RunnerAnswer of(String line) {
    return Wire.shared().read(RunnerAnswer.class, line.getBytes(StandardCharsets.UTF_8));
  }

  public int code() {
    return exitCode.orElseThrow();
  }

  /** Whether the runner takes no further task. */
  public boolean isLast() {
    return last.orElse(false);
  }
}
