package dev.mayfly.gcp.firestore;

import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.DocumentKey;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** All watches of one connection, and the timer that reopens broken ones. */
final class WatchRegistry implements AutoCloseable {
  private final FirestoreConnection firestoreConnection;
  private final DocumentNames documentNames;
  private final RandomGenerator random;
  private final List<FirestoreWatch> open = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService later =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("firestore-watches").factory());

  /**
   * @param random called by one thread at a time
   */
  WatchRegistry(
      FirestoreConnection firestoreConnection,
      DocumentNames documentNames,
      RandomGenerator random) {
    this.firestoreConnection = firestoreConnection;
    this.documentNames = documentNames;
    this.random = random;
  }

  FirestoreWatch open(String cluster, Consumer<ChangeSignal> listener) {
    var document = documentNames.name(new DocumentKey.OfChangeSignal(cluster));
    var watch =
        new FirestoreWatch(firestoreConnection, documentNames.database(), document, listener, this);
    open.add(watch);
    watch.begin();
    return watch;
  }

  /**
   * Runs after a random pause around {@code millis}, so that broken streams do not reopen together.
   */
  synchronized void after(long millis, Runnable work) {
    try {
      var pause = millis / 2 + random.nextLong(millis);
      var _ = later.schedule(work, pause, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closing) {
      // The connection is closing.
    }
  }

  void ended(FirestoreWatch watch) {
    open.remove(watch);
  }

  @Override
  public void close() {
    open.forEach(FirestoreWatch::close);
    later.shutdownNow();
  }
}
