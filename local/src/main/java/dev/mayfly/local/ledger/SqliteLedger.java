package dev.mayfly.local.ledger;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * All state of a laptop cloud in one file. Commits are durable when they return and exact between
 * processes too; watches hear the commits of this process alone, which is the only one that has a
 * control plane.
 */
public final class SqliteLedger implements Ledger, AutoCloseable {
  private static final int MOST_KEYS = 500;
  private static final String TOTALS =
      """
      select coalesce(sum(done), 0), coalesce(sum(failed), 0), coalesce(sum(iif(word in ('ready', 'spent'), open, 0)), 0),
        coalesce(sum(iif(word = 'leased', open, 0)), 0), count(*)
      from docs where kind = 'shard' and cluster = ? and job = ?\
      """;

  private final Sessions sessions;
  private final List<PulseWatch> watches = new CopyOnWriteArrayList<>();

  private SqliteLedger(Sessions sessions) {
    this.sessions = sessions;
  }

  /**
   * Opens the ledger under {@code home}, or makes an empty one. After a crash it is as the last
   * commit left it. Throws {@link Unavailable} if the folder cannot be written.
   *
   * @param home {@code $MAYFLY_HOME}
   */
  public static SqliteLedger open(Path home) {
    Library.unpack(home.resolve("native"));
    var folder = home.resolve("ledger");
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new Unavailable("cannot make the folder " + folder + ": " + e.getMessage(), e);
    }
    return new SqliteLedger(new Sessions(folder.resolve("ledger.db")));
  }

  @Override
  public <D extends Document> Optional<Stored<D>> read(Key<D> key) {
    return sessions.read(s -> one(s, key));
  }

  private static <D extends Document> Optional<Stored<D>> one(Session session, Key<D> key) {
    var found =
        session.all(Documents.ONE, List.of(key.path()), row -> Documents.stored(key.type(), row));
    return found.stream().findFirst();
  }

  @Override
  public <D extends Document> List<Stored<D>> readAll(Collection<? extends Key<D>> keys) {
    if (keys.size() > MOST_KEYS)
      throw new IllegalArgumentException(keys.size() + " keys; at most " + MOST_KEYS);
    if (keys.isEmpty()) return List.of();
    var paths = keys.stream().map(Key::path).toList();
    var type = keys.iterator().next().type();
    var sql = Documents.SELECT + "path in (?" + ", ?".repeat(paths.size() - 1) + ")";
    var found = new HashMap<String, Stored<D>>();
    sessions.read(
        s -> s.all(sql, paths, row -> found.put(row.getString(3), Documents.stored(type, row))));
    return inOrder(paths, found);
  }

  private static <D extends Document> List<Stored<D>> inOrder(
      List<String> paths, Map<String, Stored<D>> found) {
    var list = new ArrayList<Stored<D>>();
    for (var path : paths) Optional.ofNullable(found.get(path)).ifPresent(list::add);
    return list;
  }

  @Override
  public <D extends Document> List<Stored<D>> query(Query<D> query) {
    var question = Question.of(query);
    var sql = Documents.SELECT + question.where();
    return sessions.read(
        s -> s.all(sql, question.values(), row -> Documents.stored(question.type(), row)));
  }

  @Override
  public Totals totals(Key.OfJob job) {
    return sessions
        .read(s ->
            s.all(
                TOTALS,
                List.of(job.cluster(), job.job()),
                row ->
                    new Totals(
                        row.getLong(1),
                        row.getLong(2),
                        row.getLong(3),
                        row.getLong(4),
                        row.getLong(5))))
        .getFirst();
  }

  @Override
  public Committed commit(List<Write> writes) {
    if (writes.isEmpty()) return new Committed.Done(List.of());
    var batch = new Batch(writes);
    var committed = sessions.write(batch::run, Committed::done);
    if (!committed.done()) return committed;
    for (var write : writes) if (write.key() instanceof Key.OfPulse pulse) ring(pulse.cluster());
    return committed;
  }

  private void ring(String cluster) {
    for (var watch : watches) watch.ring(cluster);
  }

  @Override
  public Watch watch(String cluster, Consumer<Pulse> listener) {
    var key = new Key.OfPulse(cluster);
    var watch =
        new PulseWatch(cluster, () -> read(key).map(Stored::value), listener, watches::remove);
    watches.add(watch);
    Thread.ofVirtual().name("pulse-" + cluster).start(watch);
    return watch;
  }

  /** Ends all watches and closes the file. */
  @Override
  public void close() {
    watches.forEach(PulseWatch::close);
    sessions.close();
  }
}
