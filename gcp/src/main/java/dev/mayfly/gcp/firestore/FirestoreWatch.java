package dev.mayfly.gcp.firestore;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.ClientStream;
import com.google.api.gax.rpc.ResponseObserver;
import com.google.api.gax.rpc.StreamController;
import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.Target;
import com.google.firestore.v1.TargetChange;
import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.port.Ledger;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches one document by a stream and reopens a broken stream. A stream starts with the current
 * document, so no change is missed. A separate thread delivers changes, only the newest one.
 */
final class FirestoreWatch implements Ledger.Watch {
  private static final Logger LOG = LoggerFactory.getLogger(FirestoreWatch.class);
  private static final int TARGET = 1;
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 5_000;

  private final FirestoreConnection firestoreConnection;
  private final String database;
  private final String document;
  private final Consumer<ChangeSignal> listener;
  private final WatchRegistry watchRegistry;
  private final AtomicReference<@Nullable ChangeSignal> latest = new AtomicReference<>();
  private final Semaphore wakeups = new Semaphore(0);
  private volatile boolean open = true;
  private @Nullable ListenStream listenStream;
  private long pause = FIRST_PAUSE_MILLIS;

  FirestoreWatch(
      FirestoreConnection firestoreConnection,
      String database,
      String document,
      Consumer<ChangeSignal> listener,
      WatchRegistry watchRegistry) {
    this.firestoreConnection = firestoreConnection;
    this.database = database;
    this.document = document;
    this.listener = listener;
    this.watchRegistry = watchRegistry;
  }

  void begin() {
    Thread.ofVirtual().name("change-signal").start(this::deliverLoop);
    connect();
  }

  private synchronized void connect() {
    if (!open) return;
    var next = new ListenStream();
    listenStream = next;
    try {
      next.requests = firestoreConnection.client().listenCallable().splitCall(next);
      next.requests.send(request());
    } catch (ApiException | IllegalStateException e) {
      broken(next, e);
    }
  }

  private ListenRequest request() {
    var documents = Target.DocumentsTarget.newBuilder().addDocuments(document);
    return ListenRequest.newBuilder()
        .setDatabase(database)
        .setAddTarget(Target.newBuilder().setTargetId(TARGET).setDocuments(documents))
        .build();
  }

  private void deliverLoop() {
    while (open) {
      wakeups.acquireUninterruptibly();
      wakeups.drainPermits();
      var newest = latest.getAndSet(null);
      if (open && newest != null) deliver(newest);
    }
  }

  private void deliver(ChangeSignal changeSignal) {
    try {
      listener.accept(changeSignal);
    } catch (RuntimeException e) {
      LOG.warn("delivery of cluster {}'s change signal failed", changeSignal.cluster(), e);
    }
  }

  private void receive(ListenResponse response) {
    if (response.hasDocumentChange()) {
      pause = FIRST_PAUSE_MILLIS;
      latest.set(decodeSignal(response.getDocumentChange().getDocument()));
      wakeups.release();
    }
    var change = response.getTargetChange().getTargetChangeType();
    if (response.hasTargetChange() && change == TargetChange.TargetChangeType.REMOVE)
      throw new IllegalStateException(
          "Firestore ended the watch: " + response.getTargetChange().getCause().getMessage());
  }

  /** An unreadable change signal still means a change; a tick rewrites it. */
  private ChangeSignal decodeSignal(com.google.firestore.v1.Document changed) {
    try {
      return DocumentMapper.decode(ChangeSignal.class, changed).value();
    } catch (RuntimeException unreadable) {
      LOG.warn("change signal {} is unreadable: {}", document, unreadable.getMessage());
      var parts = document.split("/");
      var at = Instant.ofEpochSecond(changed.getUpdateTime().getSeconds());
      return new ChangeSignal(parts[parts.length - 3], at, Map.of());
    }
  }

  private synchronized void broken(ListenStream which, @Nullable Throwable why) {
    if (!open || which != listenStream) return;
    listenStream = null;
    LOG.info("the watch of {} broke and is reopened: {}", document, String.valueOf(why));
    watchRegistry.after(pause, this::connect);
    pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
  }

  @Override
  public void close() {
    open = false;
    wakeups.release();
    synchronized (this) {
      if (listenStream != null) listenStream.end();
      listenStream = null;
    }
    watchRegistry.ended(this);
  }

  /** The observer of one stream. */
  private final class ListenStream implements ResponseObserver<ListenResponse> {
    private @Nullable ClientStream<ListenRequest> requests;
    private @Nullable StreamController controller;

    @Override
    public void onStart(StreamController started) {
      controller = started;
    }

    @Override
    public void onResponse(ListenResponse response) {
      try {
        receive(response);
      } catch (IllegalStateException e) {
        end();
        broken(this, e);
      }
    }

    @Override
    public void onError(Throwable e) {
      broken(this, e);
    }

    @Override
    public void onComplete() {
      broken(this, null);
    }

    void end() {
      if (controller != null) controller.cancel();
    }
  }
}
