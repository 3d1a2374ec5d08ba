package dev.mayfly.sim.fake;

import java.util.ArrayDeque;

/**
 * A process in the simulation: what belongs to it stops with it. It may be killed for ever, or
 * frozen and resumed, after which everything that was held back happens at once and in order.
 */
public final class Scope {
  /** The one that is never busy: weather, wires and whatever else no process runs. */
  static final String WORLD = "world";

  private final String name;
  private final ArrayDeque<Runnable> held = new ArrayDeque<>();
  private boolean alive = true;
  private boolean frozen;
  private int depth;

  public Scope(String name) {
    this.name = name;
  }

  public String name() {
    return name;
  }

  public boolean alive() {
    return alive;
  }

  public boolean frozen() {
    return frozen;
  }

  /**
   * Whether an event of this process may happen now: it is there, awake, and not in the middle of
   * one.
   */
  public boolean runnable() {
    return alive && !frozen && (depth == 0 || name.equals(WORLD));
  }

  public void kill() {
    alive = false;
    held.clear();
  }

  public void freeze() {
    frozen = true;
  }

  public void resume() {
    frozen = false;
    if (depth == 0) release();
  }

  void hold(Runnable putBack) {
    held.add(putBack);
  }

  void run(Runnable task) {
    depth++;
    try {
      task.run();
    } finally {
      depth--;
      if (depth == 0 && !frozen) release();
    }
  }

  private void release() {
    while (!held.isEmpty()) held.poll().run();
  }

  @Override
  public String toString() {
    return name;
  }
}
