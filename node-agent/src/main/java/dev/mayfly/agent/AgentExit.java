package dev.mayfly.agent;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;

/**
 * How this process ends.
 *
 * <p>SIGTERM, or the end of its {@link ParentWatch}, asks the loop to give everything back; the
 * process ends when the loop says so, or after {@code patience}.
 */
final class AgentExit {
  /** It was asked to end, and did. */
  static final int DONE = 0;

  /** The machine is to be switched off; the service's unit does that on this code. */
  static final int POWER_OFF = 42;

  /** A failure that a restart may mend, such as a metadata server that does not answer. */
  static final int TRY_AGAIN = 75;

  /** A setting is wrong or missing. */
  static final int BAD_SETTINGS = 78;

  /** A bug. */
  static final int BUG = 70;

  private final CompletableFuture<Integer> code = new CompletableFuture<>();
  private final Duration patience;
  private volatile boolean asked;

  AgentExit(Duration patience) {
    this.patience = patience;
  }

  /** The process is to end with this code; the first call decides. */
  synchronized void end(int exitCode, String reason) {
    if (code.isDone()) {
      return;
    }
    // Before it is so: whoever waits for it stops the process at once.
    log(Level.INFO, "agent ends code=" + exitCode + " reason=" + reason);
    code.complete(exitCode);
  }

  /** Waits for {@link #end}. */
  int await() {
    return code.join();
  }

  /**
   * From now on SIGTERM and SIGINT run {@code ask}; the exit code is then the loop's too, and not
   * the signal's.
   */
  void onSignal(Runnable ask) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> shutDown(ask), "shutdown"));
  }

  /**
   * Whoever started this process is gone: as with a signal, everything is given back.
   *
   * @param again what to do if the process was asked to end before: nobody waits for it any more
   */
  void parentEnded(Runnable again) {
    if (asked) {
      again.run();
    } else {
      System.exit(DONE);
    }
  }

  private void shutDown(Runnable ask) {
    asked = true;
    if (!code.isDone()) {
      ask.run();
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
      log(Level.WARNING, "agent ends without having given everything back");
      return TRY_AGAIN;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return TRY_AGAIN;
    } catch (ExecutionException e) {
      throw new AssertionError("nobody completes it with a failure", e);
    }
  }
}
