package dev.mayfly.agent.logs;

import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of all attempts on this machine.
 *
 * <p>A clock calls {@link #tick}. Each log is worked on by one thread of {@code workers} at a time.
 */
public final class LogUploader {
  private static final Logger LOG = LoggerFactory.getLogger(LogUploader.class);
  private static final int TRIES = 5;

  private final ObjectStore objectStore;
  private final UploadPolicy uploadPolicy;
  private final Executor workers;
  private final Map<String, OpenLog> open = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<Void>> ending = new ConcurrentHashMap<>();
  private volatile Set<String> followed = Set.of();

  /**
   * @param first the least time between two pieces
   * @param last what it grows to
   * @param cap the most bytes that are kept of one log
   */
  public record UploadPolicy(Duration first, Duration last, long cap) {}

  public LogUploader(ObjectStore objectStore, UploadPolicy uploadPolicy, Executor workers) {
    this.objectStore = objectStore;
    this.uploadPolicy = uploadPolicy;
    this.workers = workers;
  }

  /**
   * Begins to send an attempt's log.
   *
   * @param id of the attempt
   * @param job whose followers raise its rate
   * @param hidden secrets that the attempt knows: in the log they are stars
   */
  public void open(
      String id,
      String job,
      LogFile file,
      IntFunction<ObjectUrl> place,
      Collection<String> hidden) {
    var pieces =
        new LogPieces(file, objectStore, place, uploadPolicy.cap(), new LogRedactor(hidden));
    open.put(
        id,
        new OpenLog(
            id, job, pieces, new LogUploadInterval(uploadPolicy.first(), uploadPolicy.last())));
  }

  /** Somebody reads these jobs' logs now; takes the place of the call before. */
  public void follow(List<String> jobs) {
    followed = Set.copyOf(jobs);
  }

  /** Sends what is due, this much time after the last tick. */
  public void tick(Duration passed) {
    open.values().forEach(log -> log.tick(passed, followed.contains(log.job)));
  }

  /**
   * Sends the rest of a log whose attempt has ended; the result completes when it is in the store,
   * or was given up after some tries. An attempt that never opened one is complete at once.
   */
  public CompletableFuture<Void> finish(String id) {
    var log = open.remove(id);
    if (log == null) {
      return ending.getOrDefault(id, CompletableFuture.completedFuture(null));
    }
    if (log.nothing()) {
      return CompletableFuture.completedFuture(null);
    }
    var done = new CompletableFuture<Void>();
    ending.put(id, done);
    workers.execute(() -> {
      try {
        log.finish();
      } catch (RuntimeException mistake) {
        LOG.error("log not sent attempt={}", id, mistake);
      } finally {
        ending.remove(id);
        done.complete(null);
      }
    });
    return done;
  }

  /**
   * Sends everything now; completes when the logs of all attempts that have ended are in the store.
   */
  public CompletableFuture<Void> flush() {
    open.values().forEach(OpenLog::sendNow);
    return CompletableFuture.allOf(ending.values().toArray(CompletableFuture[]::new));
  }

  private final class OpenLog {
    private final String id;
    private final String job;
    private final LogPieces pieces;
    private final LogUploadInterval pace;
    private final AtomicBoolean busy = new AtomicBoolean();
    private final ReentrantLock alone = new ReentrantLock();

    OpenLog(String id, String job, LogPieces pieces, LogUploadInterval pace) {
      this.id = id;
      this.job = job;
      this.pieces = pieces;
      this.pace = pace;
    }

    /** Pace and pieces are the clock's while nobody is busy with them. */
    void tick(Duration passed, boolean isFollowed) {
      if (!busy.get() && (pace.passed(passed, isFollowed) || tried(pieces::overflowing))) {
        sendNow();
      }
    }

    void sendNow() {
      if (busy.compareAndSet(false, true)) {
        workers.execute(this::send);
      }
    }

    /** Whether the attempt ended without ever printing. */
    boolean nothing() {
      return !busy.get() && tried(pieces::untouched);
    }

    private void send() {
      alone.lock();
      try {
        if (tried(pieces::news)) {
          pace.sent();
        }
        boolean unused = tried(pieces::send);
      } finally {
        alone.unlock();
        busy.set(false);
      }
    }

    private void finish() {
      alone.lock();
      try {
        long pause = 100;
        for (int i = 0; i < TRIES; i++, pause *= 3) {
          if (tried(pieces::finish)) {
            return;
          }
          Thread.sleep(pause);
        }
        LOG.warn("log given up attempt={} tries={}", id, TRIES);
        boolean unused = tried(pieces::giveUp);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        alone.unlock();
      }
    }

    private boolean tried(Try what) {
      try {
        return what.run();
      } catch (IOException | MayflyException e) {
        LOG.warn("log not sent attempt={} reason={}", id, e.getMessage());
        return false;
      }
    }
  }

  private interface Try {
    boolean run() throws IOException;
  }
}
