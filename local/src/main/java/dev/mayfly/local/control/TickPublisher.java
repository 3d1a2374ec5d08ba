package dev.mayfly.local.control;

import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.TickScheduler;
import dev.mayfly.core.port.TriggerBus;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays Cloud Scheduler: publishes ticks at an interval; while paused, only each sixtieth, as a
 * cleanup tick. The next tick makes up for one that cannot be sent.
 */
public final class TickPublisher implements TickScheduler, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TickPublisher.class);
  private static final int CLEANUP_INTERVAL = 60;

  private final TriggerBus triggerBus;
  private final Duration every;
  private volatile boolean paused;
  private int missed;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("ticks").factory());

  public TickPublisher(TriggerBus triggerBus, Duration every) {
    this.triggerBus = triggerBus;
    this.every = every;
  }

  /** Starts the ticks, the first at once. */
  public void start() {
    var _ = timer.scheduleAtFixedRate(this::tick, 0, every.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void tick() {
    if (!paused) send(new Trigger.Tick());
    else if (++missed % CLEANUP_INTERVAL == 0) send(new Trigger.CollectOrphans());
  }

  private void send(Trigger trigger) {
    try {
      triggerBus.send(trigger);
    } catch (MayflyException later) {
      LOG.warn("no tick: {}", later.getMessage());
    }
  }

  @Override
  public void pause() {
    if (!paused) LOG.info("ticks are paused");
    paused = true;
  }

  @Override
  public void resume() {
    if (paused) LOG.info("ticks are resumed");
    paused = false;
  }

  @Override
  public boolean paused() {
    return paused;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
