package dev.mayfly.gcp.firestore;

import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Pulse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** All watches of one connection, and the clock by which broken ones are opened again. */
final class Watches implements AutoCloseable {
  private final Calls calls;
  private final Names names;
  private final RandomGenerator random;
  private final List<PulseWatch> open = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService later =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("firestore-watches").factory());

  /**
   * @param random is called by one thread at a time
   */
  Watches(Calls calls, Names names, RandomGenerator random) {
    this.calls = calls;
    this.names = names;
    this.random = random;
  }

  PulseWatch open(String cluster, Consumer<Pulse> listener) {
    var document = names.name(new Key.OfPulse(cluster));
    var watch = new PulseWatch(calls, names.database(), document, listener, this);
    open.add(watch);
    watch.begin();
    return watch;
  }

  /** After about so long: streams that broke together are not opened together. */
  synchronized void after(long millis, Runnable work) {
    try {
      var pause = millis / 2 + random.nextLong(millis);
      var _ = later.schedule(work, pause, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closing) {
      // Nothing is opened any more.
    }
  }

  void ended(PulseWatch watch) {
    open.remove(watch);
  }

  @Override
  public void close() {
    open.forEach(PulseWatch::close);
    later.shutdownNow();
  }
}
