package dev.mayfly.local.os;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.functions.os.LogFormatter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;

/** A process that serves until it is killed. */
public final class ServerProcess {
  private static final int BAD_SETUP = 78;

  private ServerProcess() {}

  /** What a process does first. */
  public interface Start {
    void run() throws IOException, InterruptedException;
  }

  /**
   * Starts and then waits forever; exit code 78 means that it cannot start, for what its log says
   * in one line.
   *
   * @param name for its log, such as {@code the control plane}
   */
  public static void run(String name, Start start) throws InterruptedException {
    LogFormatter.install();
    try {
      start.run();
      new CountDownLatch(1).await();
    } catch (IOException
        | IllegalArgumentException
        | UncheckedIOException
        | UnavailableException e) {
      LoggerFactory.getLogger(ServerProcess.class)
          .error("{} cannot start: {}", name, e.getMessage());
      System.exit(BAD_SETUP);
    }
  }
}
