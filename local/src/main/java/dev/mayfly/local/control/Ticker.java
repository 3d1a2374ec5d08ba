package dev.mayfly.local.control;

import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.port.Bus;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays Cloud Scheduler: publishes a tick now and then. A tick that can't be sent is made good by
 * the next.
 */
final class Ticker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Ticker.class);

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("ticks").factory());

  Ticker(Bus bus, Duration every) {
    var _ = timer.scheduleAtFixedRate(() -> tick(bus), 0, every.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void tick(Bus bus) {
    try {
      bus.send(new Hint.Tick());
    } catch (MayflyException later) {
      LOG.warn("no tick: {}", later.getMessage());
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
