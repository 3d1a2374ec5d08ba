package dev.mayfly.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventQueueTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00.5Z");
  private static final SimProcess WORLD = new SimProcess("world");

  private final EventQueue queue = new EventQueue(START);
  private long order;

  private SimTime.Event at(Instant at) {
    return new SimTime.Event(at, order++, WORLD, () -> {}, true);
  }

  @Test
  void eventsLeaveByTimeThenByOrder() {
    var random = new Random(7);
    var waiting = new ArrayList<SimTime.Event>();
    var first = Comparator.comparing(SimTime.Event::at).thenComparingLong(SimTime.Event::order);

    for (var i = 0; i < 20_000; i++)
      if (random.nextInt(5) < 3) {
        var next = at(START.plusNanos(random.nextInt(1_000)));
        waiting.add(next);
        queue.add(next);
      } else {
        waiting.sort(first);
        var expected = waiting.isEmpty() ? null : waiting.removeFirst();
        assertThat(queue.poll()).isSameAs(expected);
      }
  }

  @Test
  void whatIsNeverDueComesLast() {
    var never = at(Instant.MAX);
    var late = at(START.plus(Duration.ofDays(365)));
    queue.add(never);
    queue.add(late);

    assertThat(queue.poll()).isSameAs(late);
    assertThat(queue.poll()).isSameAs(never);
    assertThat(queue.poll()).isNull();
  }
}
