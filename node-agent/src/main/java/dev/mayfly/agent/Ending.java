package dev.mayfly.agent;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How this process ends.
 *
 * <p>SIGTERM asks the loop to give everything back; the process ends when the loop says so, or
 * after {@code patience}.
 */
final class Ending {
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

  private static final Logger LOG = LoggerFactory.getLogger(Ending.class);

  private final CompletableFuture<Integer> code = new CompletableFuture<>();
  private final Duration patience;

  Ending(Duration patience) {
    this.patience = patience;
  }

  /** The process is to end with this code; the first call decides. */
  void end(int exitCode, String reason) {
    if (code.complete(exitCode)) {
      LOG.info("agent ends code={} reason={}", exitCode, reason);
    }
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

  private void shutDown(Runnable ask) {
    if (!code.isDone()) {
      ask.run();
    }
    Runtime.getRuntime().halt(waitFor());
  }

  private int waitFor() {
    try {
      return code.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      LOG.warn("agent ends without having given everything back");
      return TRY_AGAIN;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return TRY_AGAIN;
    } catch (ExecutionException e) {
      throw new AssertionError("nobody completes it with a failure", e);
    }
  }
}
