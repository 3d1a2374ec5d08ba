package dev.mayfly.sim.fake;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Calls that are under way at the same time in one process: each on a thread of its own, of which
 * never more than one goes on. A call that stands still at a port call goes on by an event of
 * virtual time, so that its order among all others is the seed's.
 *
 * <p>A call that stands still must hold no monitor: whoever waited for it would wait for ever.
 */
public final class Strands implements AutoCloseable {
  /** On the real clock; long after any step of a world. */
  private static final int LIMIT_SECONDS = 60;

  private static final ThreadLocal<@Nullable Strand> CURRENT = new ThreadLocal<>();

  /** One call. */
  private static final class Strand {
    private final Scope scope;
    private final Semaphore go = new Semaphore(0);
    private final Semaphore back = new Semaphore(0);
    private Optional<Throwable> thrown = Optional.empty();
    private boolean ended;

    Strand(Scope scope) {
      this.scope = scope;
    }
  }

  private final SimTime time;
  private final Set<Strand> open = new LinkedHashSet<>();
  private boolean closing;

  public Strands(SimTime time) {
    this.time = time;
  }

  /** From now on the events of that process are calls that may overlap. */
  public void overlap(Scope scope) {
    scope.carriedBy(work -> begin(scope, work));
  }

  /** Whether this is in such a call. */
  public boolean inside() {
    return CURRENT.get() != null;
  }

  /** Whether a call of this process stands still now. */
  public boolean another(Scope scope) {
    return open.stream().anyMatch(s -> s.scope == scope && s != CURRENT.get());
  }

  private void begin(Scope scope, Runnable work) {
    var strand = new Strand(scope);
    open.add(strand);
    Thread.ofVirtual().start(() -> happen(strand, work));
    goOn(strand);
  }

  private static void happen(Strand strand, Runnable work) {
    strand.go.acquireUninterruptibly();
    CURRENT.set(strand);
    try {
      work.run();
    } catch (RuntimeException | Error thrown) {
      strand.thrown = Optional.of(thrown);
    } finally {
      strand.ended = true;
      strand.back.release();
    }
  }

  /** Until it stands still or has ended. */
  private void goOn(Strand strand) {
    strand.go.release();
    await(strand);
    if (!strand.ended) return;
    open.remove(strand);
    strand.thrown.ifPresent(thrown -> {
      if (thrown instanceof Error error) throw error;
      throw (RuntimeException) thrown;
    });
  }

  private static void await(Strand strand) {
    try {
      if (!strand.back.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS))
        throw new IllegalStateException(
            "a call of " + strand.scope + " waits for what another one holds over a port call");
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  /** The call stands still for so long while others go on; it ends here if its process dies. */
  public void pause(Duration span) {
    var strand = CURRENT.get();
    if (strand == null) throw new IllegalStateException("this is no call that can stand still");
    if (closing) throw new Crash("the world is over");
    time.goOnAfter(span, strand.scope, () -> goOn(strand));
    strand.back.release();
    strand.go.acquireUninterruptibly();
    if (closing) throw new Crash("the world is over");
  }

  /** Ends the threads of all calls that stand still. What they do then is of no world. */
  @Override
  public void close() {
    closing = true;
    for (var strand : List.copyOf(open)) {
      strand.go.release();
      await(strand);
    }
    open.clear();
  }
}
