package dev.mayfly.agent;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * Ends the agent with whoever started it. That process holds the other end of the agent's standard
 * input and writes nothing: the input ends when the process ends, however it ends, a {@code kill
 * -9} included. Only who starts an agent so says so (MAYFLY_PARENT=stdin): a service's standard
 * input is at its end from the beginning.
 */
final class ParentWatch implements Runnable {
  private static final String VARIABLE = "MAYFLY_PARENT";
  private static final int ROOM = 64;

  private final InputStream input;
  private final Runnable cut;

  /**
   * @param cut runs once, when the other end is gone
   */
  ParentWatch(InputStream input, Runnable cut) {
    this.input = input;
    this.cut = cut;
  }

  /** Whether whoever started this process holds such an end. */
  static boolean wanted(Map<String, String> environment) {
    return environment.getOrDefault(VARIABLE, "").equals("stdin");
  }

  @Override
  public void run() {
    try {
      var ignored = new byte[ROOM];
      while (input.read(ignored) >= 0) {
        // Nothing is said this way; whatever comes shows that the other end is there.
      }
    } catch (IOException e) {
      // A pipe that cannot be read has no other end.
    }
    cut.run();
  }
}
