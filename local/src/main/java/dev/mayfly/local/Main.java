package dev.mayfly.local;

import java.io.IOException;

/**
 * {@code mayfly local}: runs the laptop cloud in the foreground until it is interrupted. Starts two
 * processes, the simulated cloud and the control plane, and restarts them when they die. Exit code
 * 78 means invalid settings.
 */
public final class Main {
  private static final int BAD_SETUP = 78;

  private Main() {}

  public static void main(String[] arguments) throws InterruptedException {
    try {
      var options = LocalOptions.of(arguments, System.getenv());
      var supervisor = new Supervisor(options, System.out);
      // Before the start: a signal that comes in the middle of it ends what has started, too.
      Runtime.getRuntime().addShutdownHook(new Thread(supervisor::close));
      supervisor.start();
      System.exit(supervisor.await());
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("mayfly local: " + e.getMessage());
      System.exit(BAD_SETUP);
    }
  }
}
