package dev.mayfly.local.ledger;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Listing;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
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
  private final String file;
  private final List<PulseWatch> watches = new CopyOnWriteArrayList<>();

  private SqliteLedger(Path file) {
    sessions = new Sessions(file);
    this.file = file + " (SQLite: table docs, column json)";
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
    return new SqliteLedger(folder.resolve("ledger.db"));
  }

  @Override
  public <D extends Document> Optional<Stored<D>> read(Key<D> key) {
    return found(key.type(), Documents.ONE, List.of(key.path())).complete().stream().findFirst();
  }

  private <D extends Document> Listing<D> found(Class<D> type, String sql, List<?> values) {
    return sessions.read(session -> {
      var listing = new Listing.Builder<D>();
      session.each(sql, values, row -> Documents.read(type, row, file, listing));
      return listing.build();
    });
  }

  @Override
  public <D extends Document> Listing<D> readAll(Collection<? extends Key<D>> keys) {
    if (keys.size() > MOST_KEYS)
      throw new IllegalArgumentException(keys.size() + " keys; at most " + MOST_KEYS);
    if (keys.isEmpty()) return new Listing<>(List.of(), List.of());
    var paths = keys.stream().map(Key::path).toList();
    var type = keys.iterator().next().type();
    var sql = Documents.SELECT + "path in (?" + ", ?".repeat(paths.size() - 1) + ")";
    var place = new HashMap<String, Integer>();
    for (var path : paths) place.put(path, place.size());
    return found(type, sql, paths).sorted(Comparator.comparing(d -> place.get(d.key().path())));
  }

  @Override
  public <D extends Document> Listing<D> query(Query<D> query) {
    var question = Question.of(query);
    return found(question.type(), Documents.SELECT + question.where(), question.values());
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
