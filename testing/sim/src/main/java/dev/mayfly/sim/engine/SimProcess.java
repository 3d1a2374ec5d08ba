package dev.mayfly.sim.engine;

import java.util.ArrayDeque;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A simulated process: its events stop with it. It may be killed for good, or frozen and resumed;
 * on resumption all held-back events run at once, in order.
 */
public final class SimProcess {
  /** The process that is never busy, for faults, networks and everything outside of processes. */
  static final String WORLD = "world";

  private final String name;
  private final BiConsumer<SimProcess, Throwable> failed;
  private final ArrayDeque<Runnable> held = new ArrayDeque<>();
  private Consumer<Runnable> carrier = Runnable::run;
  private boolean overlaps;
  private boolean alive = true;
  private boolean frozen;
  private int depth;

  /** A process whose events must not throw. */
  public SimProcess(String name) {
    this(
        name,
        (simProcess, thrown) -> {
          throw thrown instanceof RuntimeException e ? e : new IllegalStateException(thrown);
        });
  }

  /**
   * @param failed receives what an event of this process threw; a {@link SimulatedCrash} has killed
   *     it by then
   */
  public SimProcess(String name, BiConsumer<SimProcess, Throwable> failed) {
    this.name = name;
    this.failed = failed;
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
   * Whether an event of this process may run now: it is alive, awake, and not in an event already.
   */
  public boolean runnable() {
    return alive && !frozen && (overlaps || depth == 0 || name.equals(WORLD));
  }

  /** Lets its events overlap, each on its own thread. */
  void carriedBy(Consumer<Runnable> threads) {
    overlaps = true;
    carrier = threads;
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
    if (overlaps || depth == 0) release();
  }

  void hold(Runnable putBack) {
    held.add(putBack);
  }

  void run(Runnable task) {
    carrier.accept(() -> happen(task));
  }

  private void happen(Runnable task) {
    depth++;
    try {
      task.run();
    } catch (SimulatedCrash simulatedCrash) {
      kill();
      failed.accept(this, simulatedCrash);
    } catch (RuntimeException thrown) {
      failed.accept(this, thrown);
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
