package dev.mayfly.agent;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * Ends the agent together with its parent process. The parent holds the other end of the agent's
 * standard input and writes nothing, so the input ends when the parent does, even by {@code kill
 * -9}. A parent opts in with MAYFLY_PARENT=stdin, because a service's standard input is at its end
 * from the start.
 */
final class ParentWatch implements Runnable {
  private static final String VARIABLE = "MAYFLY_PARENT";
  private static final int BUFFER_BYTES = 64;

  private final InputStream input;
  private final Runnable parentGone;

  /**
   * @param parentGone runs once, when the parent is gone
   */
  ParentWatch(InputStream input, Runnable parentGone) {
    this.input = input;
    this.parentGone = parentGone;
  }

  /** Whether the parent process holds the other end of standard input. */
  static boolean wanted(Map<String, String> environment) {
    return environment.getOrDefault(VARIABLE, "").equals("stdin");
  }

  @Override
  public void run() {
    try {
      var ignored = new byte[BUFFER_BYTES];
      while (input.read(ignored) >= 0) {
        // The content is ignored: a successful read proves that the parent is there.
      }
    } catch (IOException e) {
      // An unreadable pipe has no other end.
    }
    parentGone.run();
  }
}
