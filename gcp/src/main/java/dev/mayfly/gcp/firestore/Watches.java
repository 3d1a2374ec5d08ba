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

/** All watches of one connection, and the clock by which broken ones are opened again. */
final class Watches implements AutoCloseable {
  private final Calls calls;
  private final Names names;
  private final List<PulseWatch> open = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService later =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("firestore-watches").factory());

  Watches(Calls calls, Names names) {
    this.calls = calls;
    this.names = names;
  }

  PulseWatch open(String cluster, Consumer<Pulse> listener) {
    var document = names.name(new Key.OfPulse(cluster));
    var watch = new PulseWatch(calls, names.database(), document, listener, this);
    open.add(watch);
    watch.begin();
    return watch;
  }

  void after(long millis, Runnable work) {
    try {
      var _ = later.schedule(work, millis, TimeUnit.MILLISECONDS);
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
