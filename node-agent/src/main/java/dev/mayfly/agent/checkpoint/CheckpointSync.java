package dev.mayfly.agent.checkpoint;

import dev.mayfly.agent.files.TaskFolder;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.files.FolderContent;
import dev.mayfly.core.files.StoragePolicy;
import dev.mayfly.core.model.CheckpointManifest;
import dev.mayfly.core.model.CheckpointManifest.StoredFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
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

  private static final int MOST_SAID = 5;

  private final CheckpointStore checkpointStore;
  private final TaskFolder folder;
  private final Attempt attempt;
  private final Consumer<String> log;
  private final LongSupplier nanos;
  private final Optional<String> continued;
  private List<StoredFile> stored;
  private Map<String, State> storedStates;
  private List<String> storedFolders;
  private Optional<FolderContent> seen = Optional.empty();
  private Set<String> said = Set.of();
  private Optional<String> saidFailure = Optional.empty();
  private long changed;
  private long last;
  private final AtomicReference<Optional<Instant>> newlyKept =
      new AtomicReference<>(Optional.empty());
  private Optional<Long> failed = Optional.empty();
  private final ReentrantLock lock = new ReentrantLock();

  /** The attempt that the checkpoints are of. */
  public record Attempt(String job, String name, CheckpointMaker maker) {}

  /**
   * What tells a changed file from the same one.
   *
   * @param modifiedMillis to the millisecond, which a stored time keeps
   * @param place where the content is: a link may lead elsewhere than before
   */
  private record State(long size, long modifiedMillis, String place) {
    static State of(FolderContent.StoredFile file) {
      return new State(file.size(), file.modified().toEpochMilli(), String.join("/", file.place()));
    }

    static State of(StoredFile file) {
      return new State(file.size(), file.modified().toEpochMilli(), file.path());
    }
  }

  /**
   * @param restored the checkpoint that the folder was filled with
   * @param log receives what the task's user must read, in the task's log
   * @param nanos measures the quiet time
   */
  public CheckpointSync(
      CheckpointStore checkpointStore,
      TaskFolder folder,
      Attempt attempt,
      Optional<CheckpointStore.Restored> restored,
      Consumer<String> log,
      LongSupplier nanos) {
    this.checkpointStore = checkpointStore;
    this.folder = folder;
    this.attempt = attempt;
    this.log = log;
    this.nanos = nanos;
    var manifest = restored.map(CheckpointStore.Restored::manifest);
    stored = manifest.map(CheckpointManifest::files).orElse(List.of());
    storedFolders = manifest.map(CheckpointManifest::folders).orElse(List.of());
    storedStates = states(stored, StoredFile::path, State::of);
    continued = restored.map(from -> RestoredText.checkpoint(from, attempt));
    restored.ifPresent(from -> log.accept(checkpointStore.sentence(from, attempt)));
  }

  /** The checkpoint that the attempt began with, in words; empty if it began with nothing. */
  public Optional<String> continued() {
    return continued;
  }

  /** After a checkpoint was stored, once: when the newest of what it has was written. */
  public Optional<Instant> takeKept() {
    return newlyKept.getAndSet(Optional.empty());
  }

  /** Stores the folder if it is due. Call it about every second. */
  public void tick() {
    if (!lock.tryLock()) return;
    try {
      if (failed.filter(at -> nanos.getAsLong() - at < PAUSE.toNanos()).isPresent()) return;
      attempted(this::storeIfDue, "it is tried again");
    } finally {
      lock.unlock();
    }
  }

  private void storeIfDue() throws IOException {
    var content = content();
    if (!seen.equals(Optional.of(content))) {
      seen = Optional.of(content);
      changed = nanos.getAsLong();
    }
    var now = states(content);
    var quiet = nanos.getAsLong() - changed >= QUIET.toNanos();
    var due = isNew(content) && (now.containsKey(MARKER) ? isMarked(now) : quiet);
    if (due || quiet) sayLeftOut(content);
    if (due) store(content);
  }

  /** Says what is left out of a folder that is about to be stored; stores nothing. */
  public void look() {
    lock.lock();
    try {
      attempted(() -> sayLeftOut(content()), "it is tried once more");
    } finally {
      lock.unlock();
    }
  }

  /** Stores the folder as it is. Call it when the attempt has no processes any more. */
  public void finish() {
    lock.lock();
    try {
      attempted(
          () -> {
            var content = content();
            sayLeftOut(content);
            if (isNew(content)) store(content);
          },
          "the attempt has ended");
    } finally {
      lock.unlock();
    }
  }

  private interface Step {
    void go() throws IOException;
  }

  /** A checkpoint that cannot be stored does not end its task. */
  private void attempted(Step step, String then) {
    try {
      step.go();
      failed = Optional.empty();
    } catch (IOException | UncheckedIOException | MayflyException e) {
      failed = Optional.of(nanos.getAsLong());
      var reason = e.getMessage() == null ? e.toString() : e.getMessage();
      sayFailure("no checkpoint is stored: " + reason + "; " + then);
      LOG.warn("checkpoint not stored attempt={} reason={}", attempt.name(), e.toString());
    }
  }

  private FolderContent content() throws IOException {
    return folder
        .content(StoragePolicy.CHECKPOINT, checkpointStore.names(attempt.name()))
        .orElseThrow(() ->
            new InvalidInputException(
                "$MAYFLY_CHECKPOINT",
                "is no longer a folder; put files into the one that was there"));
  }

  private void sayLeftOut(FolderContent content) {
    var lines = new LinkedHashSet<String>();
    for (var one : content.leftOut()) {
      if (lines.size() == MOST_SAID) break;
      lines.add("left out of the checkpoint: " + one.sentence(StoragePolicy.CHECKPOINT));
    }
    var more = content.leftOut().size() - lines.size();
    if (more > 0) lines.add("left out of the checkpoint: %,d more".formatted(more));
    lines.stream().filter(line -> !said.contains(line)).forEach(log);
    said = lines;
  }

  /** Says it once until a checkpoint is stored. */
  private void sayFailure(String line) {
    if (!saidFailure.equals(Optional.of(line))) log.accept(line);
    saidFailure = Optional.of(line);
  }

  private static Map<String, State> states(FolderContent content) {
    return states(content.files(), FolderContent.StoredFile::path, State::of);
  }

  private static <T> Map<String, State> states(
      List<T> files, Function<T, String> path, Function<T, State> state) {
    return files.stream().collect(Collectors.toMap(path, state, (_, newer) -> newer));
  }

  /** An empty folder is no checkpoint. */
  private boolean isNew(FolderContent content) {
    return !content.files().isEmpty()
        && !(states(content).equals(storedStates) && content.folders().equals(storedFolders));
  }

  private boolean isMarked(Map<String, State> now) {
    return !String.valueOf(now.get(MARKER)).equals(String.valueOf(storedStates.get(MARKER)));
  }

  private void store(FolderContent content) throws IOException {
    last = Math.max(last + 1, checkpointStore.nextNumber());
    var number = last;
    var name = CheckpointStore.name(number, attempt.name());
    var uploaded = checkpointStore.upload(name, content.files(), stored, folder::open);
    if (!states(content()).equals(states(content))) {
      LOG.info("checkpoint changed during its upload attempt={}", attempt.name());
      return;
    }
    var manifest =
        new CheckpointManifest(number, attempt.job(), attempt.name(), uploaded, content.folders());
    checkpointStore.complete(name, manifest, attempt.maker());
    newlyKept.set(newest(content));
    stored = uploaded;
    storedStates = states(content);
    storedFolders = content.folders();
    saidFailure = Optional.empty();
    checkpointStore.prune();
  }

  private static Optional<Instant> newest(FolderContent content) {
    return content.files().stream()
        .map(FolderContent.StoredFile::modified)
        .max(Comparator.naturalOrder());
  }
}
