package dev.mayfly.agent;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.ClockReading;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The single thread that owns the agent's state: handles events in order and hands out effects.
 *
 * <p>An alarm is the timeout of waiting for the next event.
 */
final class EventLoop implements Runnable, Consumer<AgentEvent> {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);

  private final BiFunction<AgentEvent, ClockReading, List<AgentEffect>> agent;
  private final Consumer<AgentEffect> executor;
  private final InstantSource wall;
  private final LongSupplier monotonic;
  private final LinkedBlockingQueue<AgentEvent> events = new LinkedBlockingQueue<>();
  private long wakeAt = Long.MAX_VALUE;
  private boolean armed;

  /**
   * @param agent the state machine
   * @param executor starts an effect and returns soon; never gets an alarm
   * @param monotonic in nanoseconds
   */
  EventLoop(
      BiFunction<AgentEvent, ClockReading, List<AgentEffect>> agent,
      Consumer<AgentEffect> executor,
      InstantSource wall,
      LongSupplier monotonic) {
    this.agent = agent;
    this.executor = executor;
    this.wall = wall;
    this.monotonic = monotonic;
  }

  /** Adds an event, from any thread. */
  @Override
  public void accept(AgentEvent event) {
    events.add(event);
  }

  @Override
  public void run() {
    try {
      while (true) {
        handle(next());
      }
    } catch (InterruptedException e) {
      LOG.info("loop ended");
    }
  }

  private AgentEvent next() throws InterruptedException {
    if (!armed) {
      return events.take();
    }
    long left = wakeAt - monotonic.getAsLong();
    var event = events.poll(Math.max(0, left), TimeUnit.NANOSECONDS);
    if (event != null) {
      return event;
    }
    armed = false;
    return new AgentEvent.Woke();
  }

  private void handle(AgentEvent event) {
    LOG.debug("event {}", event);
    var now = new ClockReading(wall.instant(), monotonic.getAsLong());
    for (var effect : agent.apply(event, now)) {
      LOG.debug("effect {}", effect);
      if (effect instanceof AgentEffect.WakeAt(long nanos)) {
        wakeAt = nanos;
        armed = true;
      } else {
        executor.accept(effect);
      }
    }
  }
}
