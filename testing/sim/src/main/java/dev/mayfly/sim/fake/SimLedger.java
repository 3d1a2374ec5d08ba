package dev.mayfly.sim.fake;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.BatchSize;
import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.QueryResult;
import dev.mayfly.sim.engine.SimProcess;
import dev.mayfly.sim.engine.SimTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The ledger in memory: exact except for latency, atomic and always available. {@link HookedLedger}
 * is a process's view of it.
 */
public final class SimLedger implements Ledger {
  /** The change by one write. */
  public record Change(Optional<LedgerDocument> before, Optional<LedgerDocument> after) {
    public LedgerDocument document() {
      return after.or(() -> before).orElseThrow();
    }
  }

  /** Sees each batch after its commit. */
  public interface Observer {
    void committed(List<Change> batch);
  }

  private final SimTime time;
  private final Supplier<Duration> watchDelay;
  private final TreeMap<String, VersionedDocument<? extends LedgerDocument>> documents =
      new TreeMap<>();
  private final Set<String> spoiled = new TreeSet<>();
  private final List<SimWatch> watches = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private final List<Observer> observers = new ArrayList<>();
  private Predicate<List<LedgerWrite>> crowded = _ -> false;
  private long version;

  /**
   * @param watchDelay the latency of each watch notification; changes in between are merged
   */
  public SimLedger(SimTime time, Supplier<Duration> watchDelay) {
    this.time = time;
    this.watchDelay = watchDelay;
  }

  public void observe(Observer observer) {
    observers.add(observer);
  }

  /** All documents whose paths have this prefix, by path. */
  public Collection<LedgerDocument> under(String prefix) {
    var found = new ArrayList<LedgerDocument>();
    documents
        .subMap(prefix, prefix + Character.MAX_VALUE)
        .values()
        .forEach(s -> found.add(s.value()));
    return found;
  }

  /** Makes the document unreadable, as after an edit by hand. */
  public void spoil(DocumentKey<?> documentKey) {
    touch(documentKey);
    if (documents.containsKey(documentKey.path())) spoiled.add(documentKey.path());
  }

  /** Makes the document readable again; no effect if it was readable. */
  public void mend(DocumentKey<?> documentKey) {
    if (spoiled.remove(documentKey.path())) touch(documentKey);
  }

  /** Whether the document, or one below it, is unreadable now. */
  public boolean isSpoiled(DocumentKey<?> documentKey) {
    var path = documentKey.path();
    return spoiled.stream().anyMatch(it -> it.equals(path) || it.startsWith(path + "/"));
  }

  /** Makes all documents readable again. */
  public void mend() {
    for (var stored : List.copyOf(documents.values())) mend(stored.value().key());
  }

  /** The document, even if it is unreadable. */
  public <D extends LedgerDocument> Optional<VersionedDocument<D>> readSpoiled(
      DocumentKey<D> documentKey) {
    return Optional.ofNullable(at(documentKey));
  }

  @Override
  public <D extends LedgerDocument> Optional<VersionedDocument<D>> read(
      DocumentKey<D> documentKey) {
    return readAll(List.of(documentKey)).requireComplete().stream().findFirst();
  }

  @Override
  public <D extends LedgerDocument> QueryResult<D> readAll(
      Collection<? extends DocumentKey<D>> keys) {
    var found = new QueryResult.Builder<D>();
    for (var documentKey : keys) readSpoiled(documentKey).ifPresent(d -> add(found, d));
    return found.build();
  }

  @Override
  public <D extends LedgerDocument> QueryResult<D> query(LedgerQuery<D> ledgerQuery) {
    var found = new QueryResult.Builder<D>();
    SimQuery.of(ledgerQuery).answer(documents).forEach(d -> add(found, d));
    return found.build();
  }

  private <D extends LedgerDocument> void add(
      QueryResult.Builder<D> found, VersionedDocument<D> document) {
    var path = document.value().key().path();
    found.add(
        path,
        "the simulation",
        () -> {
          if (spoiled.contains(path)) throw new IllegalArgumentException("state: hibernating?");
          return document;
        });
  }

  @Override
  public TaskTotals totals(DocumentKey.OfJob job) {
    var sum = TaskTotals.NONE;
    for (var ledgerDocument : under(job.path() + "/shards/"))
      if (ledgerDocument instanceof Shard s) sum = s.addedTo(sum);
    return sum;
  }

  /** A backup: all documents at one moment. */
  public record Backup(List<LedgerDocument> documents) {}

  public Backup backup() {
    return new Backup(
        documents.values().stream().<LedgerDocument>map(VersionedDocument::value).toList());
  }

  /** Restores the backup as a new database: with new versions, and without watches. */
  public void restore(Backup backup) {
    documents.clear();
    spoiled.clear();
    watches.clear();
    for (var ledgerDocument : backup.documents)
      documents.put(
          ledgerDocument.key().path(), new VersionedDocument<>(ledgerDocument, "v" + ++version));
  }

  /** Makes batches that match fail for contention on their documents. */
  public void crowded(Predicate<List<LedgerWrite>> when) {
    crowded = when;
  }

  @Override
  public CommitResult commit(List<LedgerWrite> ledgerWrites) {
    if (crowded.test(ledgerWrites))
      throw new UnavailableException("too much contention on these documents");
    var once = new HashMap<String, LedgerWrite>();
    for (var ledgerWrite : ledgerWrites)
      if (once.put(ledgerWrite.key().path(), ledgerWrite) != null)
        throw new IllegalArgumentException("twice in one batch: " + ledgerWrite.key());
    if (ledgerWrites.size() > BatchSize.MAX_WRITES)
      throw new IllegalArgumentException(ledgerWrites.size() + " writes in a batch");
    for (var ledgerWrite : ledgerWrites)
      if (conflicts(ledgerWrite)) return new CommitResult.Conflict(ledgerWrite.key());
    var versions = ledgerWrites.stream().map(this::write).toList();
    var batch = List.copyOf(changes);
    changes.clear();
    observers.forEach(o -> o.committed(batch));
    return new CommitResult.Done(versions);
  }

  /** Commits the batch later; no caller waits for the result. */
  void commitAfter(Duration delay, List<LedgerWrite> ledgerWrites) {
    time.after(delay, () -> commit(ledgerWrites));
  }

  private boolean conflicts(LedgerWrite ledgerWrite) {
    var there = at(ledgerWrite.key());
    return switch (ledgerWrite) {
      case LedgerWrite.Create _ -> there != null;
      case LedgerWrite.Update u -> there == null || !there.version().equals(u.version());
      case LedgerWrite.Put _, LedgerWrite.Delete _, LedgerWrite.Signal _ -> false;
    };
  }

  private String write(LedgerWrite ledgerWrite) {
    return switch (ledgerWrite) {
      case LedgerWrite.Create c -> put(c.document());
      case LedgerWrite.Update u -> put(u.document());
      case LedgerWrite.Put p -> put(p.document());
      case LedgerWrite.Delete d -> delete(d.key());
      case LedgerWrite.Signal s -> merge(s);
    };
  }

  private String put(LedgerDocument written) {
    var ledgerDocument = TimestampTruncator.kept(written);
    var next = new VersionedDocument<>(ledgerDocument, "v" + ++version);
    var before = documents.put(ledgerDocument.key().path(), next);
    spoiled.remove(ledgerDocument.key().path());
    tell(before, Optional.of(ledgerDocument));
    if (ledgerDocument instanceof ChangeSignal p) watches.forEach(w -> w.ring(p.cluster()));
    return next.version();
  }

  private String delete(DocumentKey<?> documentKey) {
    var before = documents.remove(documentKey.path());
    spoiled.remove(documentKey.path());
    if (before != null) tell(before, Optional.empty());
    return "";
  }

  private void tell(
      @org.jspecify.annotations.Nullable VersionedDocument<?> before,
      Optional<LedgerDocument> after) {
    Optional<LedgerDocument> old = before == null ? Optional.empty() : Optional.of(before.value());
    changes.add(new Change(old, after));
  }

  private String merge(LedgerWrite.Signal signal) {
    var old =
        readAll(List.of(new DocumentKey.OfChangeSignal(signal.cluster()))).readableOnly().stream()
            .map(VersionedDocument::value)
            .findFirst();
    var workers =
        new TreeMap<String, Instant>(old.map(ChangeSignal::workers).orElse(java.util.Map.of()));
    signal.workers().forEach(w -> workers.put(w, signal.at()));
    var work = signal.work() ? signal.at() : old.map(ChangeSignal::work).orElse(Instant.EPOCH);
    return put(new ChangeSignal(signal.cluster(), work, workers));
  }

  /** Another writer rewrites the document unchanged: only its version changes. */
  public void touch(DocumentKey<?> documentKey) {
    var there = documents.get(documentKey.path());
    if (there != null)
      documents.put(documentKey.path(), new VersionedDocument<>(there.value(), "v" + ++version));
  }

  @Override
  public Watch watch(String cluster, Consumer<ChangeSignal> listener) {
    return watch(cluster, new SimProcess("watch"), listener);
  }

  /** A watch that dies with its process. */
  Watch watch(String cluster, SimProcess simProcess, Consumer<ChangeSignal> listener) {
    var watch = new SimWatch(cluster, simProcess, listener);
    watches.add(watch);
    if (at(new DocumentKey.OfChangeSignal(cluster)) != null) watch.ring(cluster);
    return watch;
  }

  @SuppressWarnings("unchecked")
  private <D extends LedgerDocument> @org.jspecify.annotations.Nullable VersionedDocument<D> at(
      DocumentKey<D> documentKey) {
    return (VersionedDocument<D>) documents.get(documentKey.path());
  }

  private final class SimWatch implements Watch {
    private final String cluster;
    private final SimProcess simProcess;
    private final Consumer<ChangeSignal> listener;
    private boolean open = true;
    private boolean ringing;

    SimWatch(String cluster, SimProcess simProcess, Consumer<ChangeSignal> listener) {
      this.cluster = cluster;
      this.simProcess = simProcess;
      this.listener = listener;
    }

    void ring(String of) {
      if (!open || ringing || !of.equals(cluster)) return;
      ringing = true;
      time.after(watchDelay.get(), simProcess, this::deliver);
    }

    private void deliver() {
      ringing = false;
      if (open)
        readAll(List.of(new DocumentKey.OfChangeSignal(cluster)))
            .readableOnly()
            .forEach(p -> listener.accept(p.value()));
    }

    @Override
    public void close() {
      open = false;
      watches.remove(this);
    }
  }
}
