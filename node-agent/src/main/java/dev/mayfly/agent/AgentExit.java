package dev.mayfly.agent;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;

/**
 * Ends this process.
 *
 * <p>SIGTERM, or the end of the parent ({@link ParentWatch}), asks the event loop to shut down. The
 * process ends when the loop reports completion, or after {@code patience}.
 */
final class AgentExit {
  /** Ended on request. */
  static final int DONE = 0;

  /** Power off the machine; the service's unit does it on this exit code. */
  static final int POWER_OFF = 42;

  /** A restart may fix the failure, for example a metadata server that does not answer. */
  static final int TRY_AGAIN = 75;

  /** A setting is wrong or missing. */
  static final int BAD_SETTINGS = 78;

  /** A bug. */
  static final int BUG = 70;

  private final CompletableFuture<Integer> code = new CompletableFuture<>();
  private final Duration patience;
  private volatile boolean shutdownRequested;

  AgentExit(Duration patience) {
    this.patience = patience;
  }

  /** Ends the process with this code; the first call wins. */
  synchronized void end(int exitCode, String reason) {
    if (code.isDone()) {
      return;
    }
    // Log before completing: completion ends the process at once.
    log(Level.INFO, "agent ends code=" + exitCode + " reason=" + reason);
    code.complete(exitCode);
  }

  /** Waits for {@link #end}. */
  int await() {
    return code.join();
  }

  /**
   * Runs {@code requestShutdown} on SIGTERM and SIGINT. The exit code is then the loop's, not the
   * signal's.
   */
  void onSignal(Runnable requestShutdown) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> shutDown(requestShutdown), "shutdown"));
  }

  /**
   * Shuts down as on a signal, because the parent process is gone.
   *
   * @param again runs if shutdown was requested before: no process waits for it any longer
   */
  void parentEnded(Runnable again) {
    if (shutdownRequested) {
      again.run();
    } else {
      System.exit(DONE);
    }
  }

  private void shutDown(Runnable requestShutdown) {
    shutdownRequested = true;
    if (!code.isDone()) {
      requestShutdown.run();
    }
    Runtime.getRuntime().halt(waitFor());
  }

  private static void log(Level level, String text) {
    AgentLogFormatter.printNow(level, AgentExit.class, text);
  }

  private int waitFor() {
    try {
      return code.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      log(Level.WARNING, "agent exits before its shutdown is complete");
      return TRY_AGAIN;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return TRY_AGAIN;
    } catch (ExecutionException e) {
      throw new AssertionError("never completed exceptionally", e);
    }
  }
}
