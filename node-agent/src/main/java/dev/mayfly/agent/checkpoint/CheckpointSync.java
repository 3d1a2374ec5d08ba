package dev.mayfly.agent.checkpoint;

import dev.mayfly.agent.files.TaskFolder;
import dev.mayfly.agent.files.TaskFolder.TaskFile;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.model.job.CheckpointManifest;
import dev.mayfly.core.model.job.CheckpointManifest.StoredFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores one attempt's checkpoints while it runs: whenever its folder has changed and then been
 * quiet for some seconds, or, once the folder has a file {@code .complete}, whenever that file
 * changes. A folder that changes during its upload is not stored; the next quiet moment is.
 *
 * <p>Thread-safe; one call works at a time, and {@link #tick} does nothing meanwhile.
 */
public final class CheckpointSync {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointSync.class);
  private static final Duration QUIET = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofSeconds(15);

  /** The file by which a task says that its folder is complete. */
  private static final String MARKER = ".complete";

  private final CheckpointStore checkpointStore;
  private final TaskFolder folder;
  private final Attempt attempt;
  private final LongSupplier nanos;
  private List<StoredFile> stored;
  private Map<String, State> seen = Map.of();
  private long changed;
  private long last;
  private Optional<Long> failed = Optional.empty();
  private final ReentrantLock lock = new ReentrantLock();

  /** The attempt that the checkpoints are of. */
  public record Attempt(String job, String name) {}

  /** What tells a changed file from the same one. */
  private record State(long size, long modifiedMillis) {
    /** To the millisecond, which a stored time keeps. */
    static State of(long size, Instant modified) {
      return new State(size, modified.toEpochMilli());
    }
  }

  /**
   * @param restored the checkpoint that the folder was filled with
   * @param nanos measures the quiet time
   */
  public CheckpointSync(
      CheckpointStore checkpointStore,
      TaskFolder folder,
      Attempt attempt,
      Optional<CheckpointManifest> restored,
      LongSupplier nanos) {
    this.checkpointStore = checkpointStore;
    this.folder = folder;
    this.attempt = attempt;
    this.nanos = nanos;
    stored = restored.map(CheckpointManifest::files).orElse(List.of());
  }

  /** Stores the folder if it is due. Call it about every second. */
  public void tick() {
    if (!lock.tryLock()) return;
    try {
      if (failed.filter(at -> nanos.getAsLong() - at < PAUSE.toNanos()).isPresent()) return;
      attempted(this::storeIfDue);
    } finally {
      lock.unlock();
    }
  }

  private void storeIfDue() throws IOException {
    var files = files();
    var now = states(files);
    if (!now.equals(seen)) {
      seen = now;
      changed = nanos.getAsLong();
    }
    var quiet = nanos.getAsLong() - changed >= QUIET.toNanos();
    if (isNew(now) && (now.containsKey(MARKER) ? isMarked(now) : quiet)) store(files);
  }

  /** Stores the folder as it is. Call it when the attempt has no processes any more. */
  public void finish() {
    lock.lock();
    try {
      attempted(() -> {
        var files = files();
        if (isNew(states(files))) store(files);
      });
    } finally {
      lock.unlock();
    }
  }

  private interface Step {
    void go() throws IOException;
  }

  /** A checkpoint that cannot be stored does not end its task. */
  private void attempted(Step step) {
    try {
      step.go();
      failed = Optional.empty();
    } catch (IOException | UncheckedIOException | MayflyException e) {
      failed = Optional.of(nanos.getAsLong());
      LOG.warn("checkpoint not stored attempt={} reason={}", attempt.name(), e.toString());
    }
  }

  private List<TaskFile> files() throws IOException {
    return folder.at(List.of());
  }

  private static Map<String, State> states(List<TaskFile> files) {
    var states = new TreeMap<String, State>();
    for (var file : files)
      states.put(file.path(), State.of(file.content().size(), file.modified()));
    return states;
  }

  private Map<String, State> storedStates() {
    var states = new TreeMap<String, State>();
    for (var file : stored) states.put(file.path(), State.of(file.size(), file.modified()));
    return states;
  }

  /** An empty folder is no checkpoint. */
  private boolean isNew(Map<String, State> now) {
    return !now.isEmpty() && !now.equals(storedStates());
  }

  private boolean isMarked(Map<String, State> now) {
    return !String.valueOf(now.get(MARKER)).equals(String.valueOf(storedStates().get(MARKER)));
  }

  private void store(List<TaskFile> files) throws IOException {
    last = Math.max(last + 1, checkpointStore.nextNumber());
    var number = last;
    var name = CheckpointStore.name(number, attempt.name());
    var uploaded = checkpointStore.upload(name, files, stored);
    if (!states(files()).equals(states(files))) {
      LOG.info("checkpoint changed during its upload attempt={}", attempt.name());
      return;
    }
    var manifest = new CheckpointManifest(number, attempt.job(), attempt.name(), uploaded);
    checkpointStore.complete(name, manifest);
    stored = uploaded;
    checkpointStore.prune();
  }
}
