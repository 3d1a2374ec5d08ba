package dev.mayfly.sim.fake;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.BatchSize;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Listing;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
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
 * The ledger in memory: exact but for its times, atomic and always there. {@link HookedLedger} is
 * how processes see it.
 */
public final class SimLedger implements Ledger {
  /** What one write changed. */
  public record Change(Optional<Document> before, Optional<Document> after) {
    public Document document() {
      return after.or(() -> before).orElseThrow();
    }
  }

  /** Sees each batch once all of it is written. */
  public interface Observer {
    void committed(List<Change> batch);
  }

  private final SimTime time;
  private final Supplier<Duration> watchDelay;
  private final TreeMap<String, Stored<? extends Document>> documents = new TreeMap<>();
  private final Set<String> spoiled = new TreeSet<>();
  private final List<SimWatch> watches = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private final List<Observer> observers = new ArrayList<>();
  private Predicate<List<Write>> crowded = _ -> false;
  private long version;

  /**
   * @param watchDelay how long each telling of a pulse takes; changes meanwhile come as one
   */
  public SimLedger(SimTime time, Supplier<Duration> watchDelay) {
    this.time = time;
    this.watchDelay = watchDelay;
  }

  public void observe(Observer observer) {
    observers.add(observer);
  }

  /** All documents whose paths begin so, by path. */
  public Collection<Document> under(String prefix) {
    var found = new ArrayList<Document>();
    documents
        .subMap(prefix, prefix + Character.MAX_VALUE)
        .values()
        .forEach(s -> found.add(s.value()));
    return found;
  }

  /** From now on what is there cannot be read, as if somebody had edited it by hand. */
  public void spoil(Key<?> key) {
    touch(key);
    if (documents.containsKey(key.path())) spoiled.add(key.path());
  }

  /** Somebody has put it right again; nothing happens if nothing was wrong. */
  public void mend(Key<?> key) {
    if (spoiled.remove(key.path())) touch(key);
  }

  /** Puts everything right again. */
  public void mend() {
    for (var stored : List.copyOf(documents.values())) mend(stored.value().key());
  }

  /** The document as it is, whether or not anybody could read it. */
  public <D extends Document> Optional<Stored<D>> truly(Key<D> key) {
    return Optional.ofNullable(at(key));
  }

  @Override
  public <D extends Document> Optional<Stored<D>> read(Key<D> key) {
    return readAll(List.of(key)).complete().stream().findFirst();
  }

  @Override
  public <D extends Document> Listing<D> readAll(Collection<? extends Key<D>> keys) {
    var found = new Listing.Builder<D>();
    for (var key : keys) truly(key).ifPresent(d -> add(found, d));
    return found.build();
  }

  @Override
  public <D extends Document> Listing<D> query(Query<D> query) {
    var found = new Listing.Builder<D>();
    SimQueries.of(query).answer(documents).forEach(d -> add(found, d));
    return found.build();
  }

  private <D extends Document> void add(Listing.Builder<D> found, Stored<D> document) {
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
  public Totals totals(Key.OfJob job) {
    var sum = new Totals(0, 0, 0, 0, 0);
    for (var document : under(job.path() + "/shards/"))
      if (document instanceof Shard s) sum = plus(sum, s);
    return sum;
  }

  private static Totals plus(Totals t, Shard s) {
    return new Totals(
        t.done() + s.done().count(),
        t.failed() + s.failed().count(),
        t.ready() + (s.waits() ? s.open() : 0),
        t.leased() + (s.state() == Shard.State.LEASED ? s.open() : 0),
        t.shards() + 1);
  }

  /** All of it at one moment, as a backup has it. */
  public record Backup(List<Document> documents) {}

  public Backup backup() {
    return new Backup(documents.values().stream().<Document>map(Stored::value).toList());
  }

  /** Restores the backup as a new database: versions are new, and all watches are gone. */
  public void restore(Backup backup) {
    documents.clear();
    spoiled.clear();
    watches.clear();
    for (var document : backup.documents)
      documents.put(document.key().path(), new Stored<>(document, "v" + ++version));
  }

  /** From now on batches for which that is so are refused: too many want one of its documents. */
  public void crowded(Predicate<List<Write>> when) {
    crowded = when;
  }

  @Override
  public Committed commit(List<Write> writes) {
    if (crowded.test(writes)) throw new Unavailable("too much contention on these documents");
    var once = new HashMap<String, Write>();
    for (var write : writes)
      if (once.put(write.key().path(), write) != null)
        throw new IllegalArgumentException("twice in one batch: " + write.key());
    if (writes.size() > BatchSize.MOST)
      throw new IllegalArgumentException(writes.size() + " writes in a batch");
    for (var write : writes) if (conflicts(write)) return new Committed.Conflict(write.key());
    var versions = writes.stream().map(this::write).toList();
    var batch = List.copyOf(changes);
    changes.clear();
    observers.forEach(o -> o.committed(batch));
    return new Committed.Done(versions);
  }

  /** The batch is on its way, and nobody waits for what becomes of it. */
  void commitAfter(Duration delay, List<Write> writes) {
    time.after(delay, () -> commit(writes));
  }

  private boolean conflicts(Write write) {
    var there = at(write.key());
    return switch (write) {
      case Write.Create _ -> there != null;
      case Write.Update u -> there == null || !there.version().equals(u.version());
      case Write.Put _, Write.Delete _, Write.Notify _ -> false;
    };
  }

  private String write(Write write) {
    return switch (write) {
      case Write.Create c -> put(c.document());
      case Write.Update u -> put(u.document());
      case Write.Put p -> put(p.document());
      case Write.Delete d -> delete(d.key());
      case Write.Notify n -> notify(n);
    };
  }

  private String put(Document written) {
    var document = Micros.kept(written);
    var next = new Stored<>(document, "v" + ++version);
    var before = documents.put(document.key().path(), next);
    spoiled.remove(document.key().path());
    tell(before, Optional.of(document));
    if (document instanceof Pulse p) watches.forEach(w -> w.ring(p.cluster()));
    return next.version();
  }

  private String delete(Key<?> key) {
    var before = documents.remove(key.path());
    spoiled.remove(key.path());
    if (before != null) tell(before, Optional.empty());
    return "";
  }

  private void tell(@org.jspecify.annotations.Nullable Stored<?> before, Optional<Document> after) {
    Optional<Document> old = before == null ? Optional.empty() : Optional.of(before.value());
    changes.add(new Change(old, after));
  }

  private String notify(Write.Notify n) {
    var old =
        readAll(List.of(new Key.OfPulse(n.cluster()))).some().stream()
            .map(Stored::value)
            .findFirst();
    var workers = new TreeMap<String, Instant>(old.map(Pulse::workers).orElse(java.util.Map.of()));
    n.workers().forEach(w -> workers.put(w, n.at()));
    var work = n.work() ? n.at() : old.map(Pulse::work).orElse(Instant.EPOCH);
    return put(new Pulse(n.cluster(), work, workers));
  }

  /** Somebody else wrote the document as it is: its version changes and nothing more. */
  public void touch(Key<?> key) {
    var there = documents.get(key.path());
    if (there != null) documents.put(key.path(), new Stored<>(there.value(), "v" + ++version));
  }

  @Override
  public Watch watch(String cluster, Consumer<Pulse> listener) {
    return watch(cluster, new Scope("watch"), listener);
  }

  /** A watch that dies with its process. */
  Watch watch(String cluster, Scope scope, Consumer<Pulse> listener) {
    var watch = new SimWatch(cluster, scope, listener);
    watches.add(watch);
    if (at(new Key.OfPulse(cluster)) != null) watch.ring(cluster);
    return watch;
  }

  @SuppressWarnings("unchecked")
  private <D extends Document> @org.jspecify.annotations.Nullable Stored<D> at(Key<D> key) {
    return (Stored<D>) documents.get(key.path());
  }

  private final class SimWatch implements Watch {
    private final String cluster;
    private final Scope scope;
    private final Consumer<Pulse> listener;
    private boolean open = true;
    private boolean ringing;

    SimWatch(String cluster, Scope scope, Consumer<Pulse> listener) {
      this.cluster = cluster;
      this.scope = scope;
      this.listener = listener;
    }

    void ring(String of) {
      if (!open || ringing || !of.equals(cluster)) return;
      ringing = true;
      time.after(watchDelay.get(), scope, this::deliver);
    }

    private void deliver() {
      ringing = false;
      if (open)
        readAll(List.of(new Key.OfPulse(cluster))).some().forEach(p -> listener.accept(p.value()));
    }

    @Override
    public void close() {
      open = false;
      watches.remove(this);
    }
  }
}
