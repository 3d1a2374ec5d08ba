package dev.mayfly.sim.engine;

import dev.mayfly.core.port.ScheduledExecutor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Virtual time: a clock and the queue of future events, ordered by time, then by insertion. One
 * event is one step.
 *
 * <p>An event belongs to a {@link SimProcess}: a process that may die or freeze. Events of a dead
 * process never run; those of a busy or frozen one run later.
 */
public final class SimTime implements InstantSource, ScheduledExecutor {
  /**
   * @param begins whether it starts a call rather than continuing one
   */
  record Event(Instant at, long order, SimProcess scope, Runnable task, boolean begins) {
    void happen() {
      if (begins) scope.run(task);
      else task.run();
    }
  }

  private final EventQueue queue;
  private final SimProcess world = new SimProcess(SimProcess.WORLD);
  private Instant now;
  private long order;
  private long steps;

  public SimTime(Instant start) {
    now = start;
    queue = new EventQueue(start);
  }

  @Override
  public Instant instant() {
    return now;
  }

  /** How many events have run. */
  public long steps() {
    return steps;
  }

  @Override
  public void callAt(Instant when, Runnable task) {
    at(when, world, task);
  }

  public void at(Instant when, SimProcess simProcess, Runnable task) {
    queue.add(new Event(when.isBefore(now) ? now : when, order++, simProcess, task, true));
  }

  public void after(Duration delay, Runnable task) {
    at(now.plus(delay), world, task);
  }

  public void after(Duration delay, SimProcess simProcess, Runnable task) {
    at(now.plus(delay), simProcess, task);
  }

  /** Continues a paused call of that process. */
  void goOnAfter(Duration delay, SimProcess simProcess, Runnable rest) {
    queue.add(new Event(now.plus(delay), order++, simProcess, rest, false));
  }

  /** The executor of one process: what is scheduled dies and freezes with it. */
  public ScheduledExecutor executor(SimProcess simProcess) {
    return (when, task) -> at(when, simProcess, task);
  }

  /** Runs the next event due by {@code until}; without one, only advances the clock. */
  public boolean step(Instant until) {
    var next = queue.poll();
    if (next != null && !next.at.isAfter(until) && !next.scope.runnable()) {
      List<Event> aside = new ArrayList<>();
      while (next != null && !next.at.isAfter(until) && !next.scope.runnable()) {
        if (next.scope.alive()) aside.add(next);
        next = queue.poll();
      }
      aside.forEach(this::putBack);
    }
    if (next != null && next.at.isAfter(until)) {
      queue.add(next);
      next = null;
    }
    if (next == null) {
      if (until.isAfter(now)) now = until;
      return false;
    }
    if (next.at.isAfter(now)) now = next.at;
    steps++;
    next.happen();
    return true;
  }

  /** An event that its process cannot run now is held back by the process. */
  private void putBack(Event event) {
    event.scope.hold(() -> queue.add(event));
  }

  /** Runs all events until then, in order. */
  public void advanceTo(Instant until) {
    while (step(until)) {}
  }

  public void advance(Duration time) {
    advanceTo(now.plus(time));
  }
}
