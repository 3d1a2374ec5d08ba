package dev.mayfly.sim.engine;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Concurrent calls of one process, each on its own thread, of which one runs at a time. A call
 * paused at a port call is resumed by an event of virtual time, so the seed determines the order.
 *
 * <p>A paused call must hold no monitor: a call that waits for the monitor would wait for ever.
 */
public final class CooperativeThreads implements AutoCloseable {
  /** Of real time; far longer than any step of a world. */
  private static final int LIMIT_SECONDS = 60;

  private static final ThreadLocal<@Nullable CooperativeThread> CURRENT = new ThreadLocal<>();

  /** One call. */
  private static final class CooperativeThread {
    private final SimProcess simProcess;
    private final Semaphore go = new Semaphore(0);
    private final Semaphore back = new Semaphore(0);
    private Optional<Throwable> thrown = Optional.empty();
    private boolean ended;

    CooperativeThread(SimProcess simProcess) {
      this.simProcess = simProcess;
    }
  }

  private final SimTime time;
  private final Set<CooperativeThread> open = new LinkedHashSet<>();
  private boolean closing;

  public CooperativeThreads(SimTime time) {
    this.time = time;
  }

  /** Makes the events of that process calls that may overlap. */
  public void overlap(SimProcess simProcess) {
    simProcess.carriedBy(work -> begin(simProcess, work));
  }

  /** Whether the current thread is such a call. */
  public boolean inside() {
    return CURRENT.get() != null;
  }

  /** Whether a call of this process is paused. */
  public boolean another(SimProcess simProcess) {
    return open.stream().anyMatch(s -> s.simProcess == simProcess && s != CURRENT.get());
  }

  private void begin(SimProcess simProcess, Runnable work) {
    var cooperativeThread = new CooperativeThread(simProcess);
    open.add(cooperativeThread);
    Thread.ofVirtual().start(() -> happen(cooperativeThread, work));
    goOn(cooperativeThread);
  }

  private static void happen(CooperativeThread cooperativeThread, Runnable work) {
    cooperativeThread.go.acquireUninterruptibly();
    CURRENT.set(cooperativeThread);
    try {
      work.run();
    } catch (RuntimeException | Error thrown) {
      cooperativeThread.thrown = Optional.of(thrown);
    } finally {
      cooperativeThread.ended = true;
      cooperativeThread.back.release();
    }
  }

  /** Runs the call until it pauses or ends. */
  private void goOn(CooperativeThread cooperativeThread) {
    cooperativeThread.go.release();
    await(cooperativeThread);
    if (!cooperativeThread.ended) return;
    open.remove(cooperativeThread);
    cooperativeThread.thrown.ifPresent(thrown -> {
      if (thrown instanceof Error error) throw error;
      throw (RuntimeException) thrown;
    });
  }

  private static void await(CooperativeThread cooperativeThread) {
    try {
      if (!cooperativeThread.back.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS))
        throw new IllegalStateException(
            "a call of "
                + cooperativeThread.simProcess
                + " waits for what another one holds over a port call");
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  /** Pauses the call while others run; it ends here if its process dies. */
  public void pause(Duration span) {
    var cooperativeThread = CURRENT.get();
    if (cooperativeThread == null)
      throw new IllegalStateException("this is no call that can stand still");
    if (closing) throw new SimulatedCrash("the world is over");
    time.goOnAfter(span, cooperativeThread.simProcess, () -> goOn(cooperativeThread));
    cooperativeThread.back.release();
    cooperativeThread.go.acquireUninterruptibly();
    if (closing) throw new SimulatedCrash("the world is over");
  }

  /** Ends the threads of all paused calls. Their effects no longer count. */
  @Override
  public void close() {
    closing = true;
    for (var cooperativeThread : List.copyOf(open)) {
      cooperativeThread.go.release();
      await(cooperativeThread);
    }
    open.clear();
  }
}
