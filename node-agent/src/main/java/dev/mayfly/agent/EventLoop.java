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
 * The one thread that owns the agent's state: takes events in their order, hands out effects.
 *
 * <p>The one alarm is the time at which it stops waiting for an event.
 */
final class EventLoop implements Runnable, Consumer<AgentEvent> {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);

  private final BiFunction<AgentEvent, ClockReading, List<AgentEffect>> agent;
  private final Consumer<AgentEffect> performer;
  private final InstantSource wall;
  private final LongSupplier monotonic;
  private final LinkedBlockingQueue<AgentEvent> events = new LinkedBlockingQueue<>();
  private long wakeAt = Long.MAX_VALUE;
  private boolean armed;

  /**
   * @param agent decides
   * @param performer begins an effect and returns soon; never called with an alarm
   * @param monotonic in nanoseconds
   */
  EventLoop(
      BiFunction<AgentEvent, ClockReading, List<AgentEffect>> agent,
      Consumer<AgentEffect> performer,
      InstantSource wall,
      LongSupplier monotonic) {
    this.agent = agent;
    this.performer = performer;
    this.wall = wall;
    this.monotonic = monotonic;
  }

  /** Any thread tells what happened. */
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
        performer.accept(effect);
      }
    }
  }
}
