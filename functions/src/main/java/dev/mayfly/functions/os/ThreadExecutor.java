package dev.mayfly.functions.os;

import dev.mayfly.core.port.ScheduledExecutor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A timer thread starts a virtual thread for each task. */
final class ThreadExecutor implements ScheduledExecutor, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadExecutor.class);

  private final InstantSource clock;
  private final boolean waits;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("executor").factory());
  private final Executor work = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * @param waits whether the process may be suspended between its calls
   */
  ThreadExecutor(InstantSource clock, boolean waits) {
    this.clock = clock;
    this.waits = waits;
  }

  @Override
  public boolean waitUntil(Instant when) {
    if (!waits) return false;
    try {
      Thread.sleep(delay(when));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  /** Rounded up: an alarm may be late but never early. */
  private long delay(Instant when) {
    return Math.max(0, Duration.between(clock.instant(), when).plusNanos(999_999).toMillis());
  }

  @Override
  public void callAt(Instant when, Runnable task) {
    var _ = timer.schedule(() -> work.execute(() -> run(task)), delay(when), TimeUnit.MILLISECONDS);
  }

  /** Runs the tasks in parallel, each on a virtual thread. */
  @Override
  public void runAll(List<? extends Runnable> tasks) {
    var running = tasks.stream().map(task -> CompletableFuture.runAsync(task, work)).toList();
    var failed = Optional.<RuntimeException>empty();
    for (var each : running)
      try {
        each.join();
      } catch (CompletionException e) {
        if (failed.isEmpty() && e.getCause() instanceof RuntimeException cause)
          failed = Optional.of(cause);
        else if (!(e.getCause() instanceof RuntimeException)) throw e;
      }
    failed.ifPresent(e -> {
      throw e;
    });
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException failed) {
      LOG.warn("an alarm failed: {}", failed.getMessage(), failed);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
