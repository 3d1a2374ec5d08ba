package dev.mayfly.local.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.model.BatchSize;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Listing;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import dev.mayfly.wire.Wire;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One batch of writes in one transaction. */
final class Batch {

  private static final String INSERT =
      "insert into docs (kind, cluster, job, word, number, open, done, failed, version, json, path)"
          + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String SET =
      "kind = ?, cluster = ?, job = ?, word = ?, number = ?, open = ?, done = ?, failed = ?, version = ?, json = ?";
  private static final String CREATE = INSERT + " on conflict do nothing";
  private static final String UPDATE = "update docs set " + SET + " where path = ? and version = ?";
  private static final String PUT =
      INSERT
          + " on conflict do update set kind = excluded.kind, cluster = excluded.cluster, job = excluded.job,"
          + " word = excluded.word, number = excluded.number, open = excluded.open, done = excluded.done,"
          + " failed = excluded.failed, version = excluded.version, json = excluded.json";

  private final Wire wire = Wire.shared();
  private final List<Write> writes;

  Batch(List<Write> writes) {
    if (writes.size() > BatchSize.MOST)
      throw new IllegalArgumentException(
          writes.size() + " writes in a batch; at most " + BatchSize.MOST);
    var paths = new HashSet<String>();
    for (var write : writes)
      if (!paths.add(write.key().path()))
        throw new IllegalArgumentException("twice in one batch: " + write.key().path());
    this.writes = writes;
  }

  Committed run(Session session) {
    var versions = new ArrayList<String>();
    var next = firstVersion(session);
    for (var write : writes) {
      if (!written(session, write, next)) return new Committed.Conflict(write.key());
      versions.add(write instanceof Write.Delete ? "" : Long.toString(next));
      next++;
    }
    return new Committed.Done(versions);
  }

  /** Versions are never used twice, not even after a document was deleted. */
  private long firstVersion(Session session) {
    session.change("update versions set last = last + ?", List.of(writes.size()));
    var last =
        session.all("select last from versions", List.of(), row -> row.getLong(1)).getFirst();
    return last - writes.size() + 1;
  }

  private boolean written(Session session, Write write, long version) {
    return switch (write) {
      case Write.Create c -> session.change(CREATE, values(c.document(), version)) == 1;
      case Write.Update u -> update(session, u, version);
      case Write.Put p -> session.change(PUT, values(p.document(), version)) == 1;
      case Write.Delete d ->
          session.change("delete from docs where path = ?", List.of(d.key().path())) >= 0;
      case Write.Notify n -> session.change(PUT, values(merged(session, n), version)) == 1;
    };
  }

  private boolean update(Session session, Write.Update update, long version) {
    var values = values(update.document(), version);
    values.add(update.version());
    return session.change(UPDATE, values) == 1;
  }

  private List<Object> values(Document document, long version) {
    var columns = Columns.of(document);
    return new ArrayList<>(
        List.of(
            columns.kind(),
            columns.cluster(),
            columns.job(),
            columns.word(),
            columns.number(),
            columns.open(),
            columns.done(),
            columns.failed(),
            version,
            new String(wire.document(document), UTF_8),
            document.key().path()));
  }

  private Pulse merged(Session session, Write.Notify notify) {
    var key = new Key.OfPulse(notify.cluster());
    var found = new Listing.Builder<Pulse>();
    session.each(
        Documents.ONE, List.of(key.path()), row -> Documents.read(Pulse.class, row, "", found));
    // A signal: one that cannot be read is written anew.
    var old = found.build().some().stream().map(Stored::value).findFirst();
    var workers = new TreeMap<String, Instant>(old.map(Pulse::workers).orElse(Map.of()));
    for (var worker : notify.workers()) workers.put(worker, notify.at());
    var work = notify.work() ? notify.at() : old.map(Pulse::work).orElse(Instant.EPOCH);
    return new Pulse(notify.cluster(), work, workers);
  }
}
