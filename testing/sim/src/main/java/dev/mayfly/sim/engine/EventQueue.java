package dev.mayfly.sim.engine;

import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Future events by time, those of one time in the order in which they were added. A heap whose keys
 * lie beside each other: to compare two events reads neither of them.
 */
final class EventQueue {
  /** A node has so many children. */
  private static final int WIDTH = 4;

  private static final int SMALL = 64;

  private final long startSecond;
  private long[] times = new long[SMALL];
  private long[] orders = new long[SMALL];
  private SimTime.@Nullable Event[] events = new SimTime.@Nullable Event[SMALL];
  private int size;

  /**
   * @param start no event is earlier
   */
  EventQueue(Instant start) {
    startSecond = start.getEpochSecond();
  }

  /** Nanoseconds since the start; what is centuries away has one time. */
  private long nanos(Instant at) {
    var seconds = at.getEpochSecond() - startSecond;
    return seconds > Integer.MAX_VALUE ? Long.MAX_VALUE : seconds * 1_000_000_000 + at.getNano();
  }

  void add(SimTime.Event event) {
    if (size == times.length) grow();
    place(size++, nanos(event.at()), event);
  }

  private void grow() {
    times = Arrays.copyOf(times, 2 * size);
    orders = Arrays.copyOf(orders, 2 * size);
    events = Arrays.copyOf(events, 2 * size);
  }

  /** Moves an event up from that free place to where it belongs. */
  private void place(int free, long time, SimTime.Event event) {
    var at = free;
    while (at > 0) {
      var parent = (at - 1) / WIDTH;
      if (!isBefore(time, event.order(), parent)) break;
      move(parent, at);
      at = parent;
    }
    set(at, time, event);
  }

  /** The first event, which leaves the queue; null if there is none. */
  SimTime.@Nullable Event poll() {
    if (size == 0) return null;
    var first = events[0];
    var last = events[--size];
    events[size] = null;
    if (size > 0 && last != null) sink(times[size], last);
    return first;
  }

  /** Moves an event down from the free first place to where it belongs. */
  private void sink(long time, SimTime.Event event) {
    var at = 0;
    while (WIDTH * at + 1 < size) {
      var least = leastChild(at);
      if (isBefore(time, event.order(), least)) break;
      move(least, at);
      at = least;
    }
    set(at, time, event);
  }

  private int leastChild(int parent) {
    var first = WIDTH * parent + 1;
    var least = first;
    for (var child = first + 1; child < Math.min(size, first + WIDTH); child++)
      if (isBefore(times[child], orders[child], least)) least = child;
    return least;
  }

  private boolean isBefore(long time, long order, int other) {
    return time < times[other] || (time == times[other] && order < orders[other]);
  }

  private void move(int from, int to) {
    times[to] = times[from];
    orders[to] = orders[from];
    events[to] = events[from];
  }

  private void set(int at, long time, SimTime.Event event) {
    times[at] = time;
    orders[at] = event.order();
    events[at] = event;
  }
}
