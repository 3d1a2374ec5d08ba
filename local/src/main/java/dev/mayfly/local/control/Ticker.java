package dev.mayfly.local.control;

import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.port.Bus;
import dev.mayfly.core.port.Schedule;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays Cloud Scheduler: publishes a tick now and then, unless paused; and then only a sweep after
 * every sixty. One that can't be sent is made good by the next.
 */
public final class Ticker implements Schedule, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Ticker.class);
  private static final int SWEEP = 60;

  private final Bus bus;
  private final Duration every;
  private volatile boolean paused;
  private int missed;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("ticks").factory());

  public Ticker(Bus bus, Duration every) {
    this.bus = bus;
    this.every = every;
  }

  /** The first tick comes at once. */
  public void start() {
    var _ = timer.scheduleAtFixedRate(this::tick, 0, every.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void tick() {
    if (!paused) send(new Hint.Tick());
    else if (++missed % SWEEP == 0) send(new Hint.Sweep());
  }

  private void send(Hint hint) {
    try {
      bus.send(hint);
    } catch (MayflyException later) {
      LOG.warn("no tick: {}", later.getMessage());
    }
  }

  @Override
  public void pause() {
    if (!paused) LOG.info("nothing to look after: ticks are paused");
    paused = true;
  }

  @Override
  public void resume() {
    if (paused) LOG.info("ticks come again");
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
