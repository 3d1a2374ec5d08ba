package dev.mayfly.agent.logs;

import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 * The logs of all attempts on this machine, and the histories of their metrics.
 *
 * <p>A timer calls {@link #tick}. Each log is processed by one thread of {@code workers} at a time.
 */
public final class LogUploader {
  private static final Logger LOG = LoggerFactory.getLogger(LogUploader.class);
  private static final int MAX_TRIES = 5;

  /** Each object has a whole history, so they are stored less often than logs. */
  private static final Duration METRICS_FIRST = Duration.ofMinutes(1);

  private static final Duration METRICS_LAST = Duration.ofMinutes(10);

  private final ObjectStore objectStore;
  private final UploadPolicy uploadPolicy;
  private final Executor workers;
  private final Map<String, OpenLog> open = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<Void>> ending = new ConcurrentHashMap<>();
  private volatile Set<String> followed = Set.of();

  /**
   * @param first the minimum time between two pieces
   * @param last the maximum of that time
   * @param cap the maximum number of bytes kept of one log whose job has no limit of its own
   */
  public record UploadPolicy(Duration first, Duration last, long cap) {}

  /**
   * Where a log is stored.
   *
   * @param place the object of a piece, by number
   * @param limit bytes kept of it; the policy's if empty
   */
  public record LogDestination(IntFunction<ObjectUrl> place, Optional<Long> limit) {}

  public LogUploader(ObjectStore objectStore, UploadPolicy uploadPolicy, Executor workers) {
    this.objectStore = objectStore;
    this.uploadPolicy = uploadPolicy;
    this.workers = workers;
  }

  /**
   * Starts to send an attempt's log.
   *
   * @param id of the attempt
   * @param job raises the rate while its logs are followed
   * @param hidden secrets that the attempt knows, overwritten in the log
   */
  public void open(
      String id, String job, LogFile file, LogDestination to, Collection<String> hidden) {
    var cap = to.limit().orElse(uploadPolicy.cap());
    var pieces = new LogPieces(file, objectStore, to.place(), cap, new LogRedactor(hidden));
    open.put(
        id,
        new OpenLog(
            id, job, pieces, new LogUploadInterval(uploadPolicy.first(), uploadPolicy.last())));
  }

  /**
   * Starts to store the history of an attempt's metrics, beside its log.
   *
   * @param id of the attempt
   * @param job raises the rate while its logs are followed
   * @param place the object of each whole history, by number
   */
  public void openMetrics(
      String id, String job, StoredHistory metrics, IntFunction<ObjectUrl> place) {
    open.put(
        metrics(id),
        new OpenLog(
            metrics(id),
            job,
            new MetricsPieces(metrics, objectStore, place),
            new LogUploadInterval(METRICS_FIRST, METRICS_LAST)));
  }

  private static String metrics(String id) {
    return id + " metrics";
  }

  /** Sets the jobs whose logs are followed; replaces the previous set. */
  public void follow(List<String> jobs) {
    followed = Set.copyOf(jobs);
  }

  /** Sends pieces that are due, {@code passed} after the last tick. */
  public void tick(Duration passed) {
    open.values().forEach(log -> log.tick(passed, followed.contains(log.job)));
  }

  /**
   * Sends the rest of an ended attempt's log, and of its metrics' history. Completes when both are
   * in the store or were given up after several tries; at once for an attempt without.
   */
  public CompletableFuture<Void> finish(String id) {
    return CompletableFuture.allOf(rest(id), rest(metrics(id)));
  }

  private CompletableFuture<Void> rest(String id) {
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

  /** Sends everything now. Completes when the logs of all ended attempts are in the store. */
  public CompletableFuture<Void> flush() {
    open.values().forEach(OpenLog::sendNow);
    return CompletableFuture.allOf(ending.values().toArray(CompletableFuture[]::new));
  }

  private final class OpenLog {
    private final String id;
    private final String job;
    private final StoredPieces pieces;
    private final LogUploadInterval interval;
    private final AtomicBoolean busy = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();

    OpenLog(String id, String job, StoredPieces pieces, LogUploadInterval interval) {
      this.id = id;
      this.job = job;
      this.pieces = pieces;
      this.interval = interval;
    }

    /** Only the timer's thread uses interval and pieces while the log is not busy. */
    void tick(Duration passed, boolean isFollowed) {
      if (!busy.get() && (interval.passed(passed, isFollowed) || tried(pieces::overflowing))) {
        sendNow();
      }
    }

    void sendNow() {
      if (busy.compareAndSet(false, true)) {
        workers.execute(this::send);
      }
    }

    /** Whether the attempt ended without output. */
    boolean nothing() {
      return !busy.get() && tried(pieces::untouched);
    }

    private void send() {
      lock.lock();
      try {
        if (tried(pieces::hasNew)) {
          interval.sent();
        }
        boolean unused = done(pieces::send);
      } finally {
        lock.unlock();
        busy.set(false);
      }
    }

    private void finish() {
      lock.lock();
      try {
        long pause = 100;
        for (int i = 0; i < MAX_TRIES; i++, pause *= 3) {
          if (done(pieces::finish)) {
            return;
          }
          Thread.sleep(pause);
        }
        LOG.warn("log given up attempt={} tries={}", id, MAX_TRIES);
        boolean unused = done(pieces::giveUp);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        lock.unlock();
      }
    }

    private boolean done(Step step) {
      return tried(() -> {
        step.run();
        return true;
      });
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

  private interface Step {
    void run() throws IOException;
  }
}
