package dev.mayfly.local.ledger;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Heartbeats;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.RejectedMessage;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.port.LedgerQuery;
import java.util.ArrayList;
import java.util.List;

/** A query as SQL with parameter values. */
record SqlQuery<D extends LedgerDocument>(Class<D> type, String where, List<Object> values) {
  private static final String ALL = " limit -1";

  @SuppressWarnings("unchecked") // each query's record names the type of its results
  static <D extends LedgerDocument> SqlQuery<D> of(LedgerQuery<D> ledgerQuery) {
    return (SqlQuery<D>)
        switch (ledgerQuery) {
          case LedgerQuery.Clusters q ->
              new SqlQuery<>(
                  Cluster.class,
                  "kind = 'cluster'" + but(q.gone(), "gone") + " order by path" + ALL,
                  List.of());
          case LedgerQuery.Workers q -> workers(q);
          case LedgerQuery.LiveJobs q ->
              jobs(" and word <> 'ended' order by number, path" + ALL, List.of(q.cluster()));
          case LedgerQuery.Jobs q ->
              jobs(" order by number desc, path limit ?", List.of(q.cluster(), q.limit()));
          case LedgerQuery.JobNames q ->
              new SqlQuery<>(
                  JobName.class,
                  "kind = 'job-name' and cluster = ? and job = ? order by word limit ?",
                  List.of(q.cluster(), q.name(), q.limit()));
          case LedgerQuery.ReadyShards q ->
              shards(
                  " and word = 'ready' and number >= ? order by number limit ?",
                  List.of(q.cluster(), q.job(), q.from(), q.limit()));
          case LedgerQuery.SpentShards q ->
              shards(
                  " and word = 'spent' order by number limit ?",
                  List.of(q.cluster(), q.job(), q.limit()));
          case LedgerQuery.LeasedShards q ->
              shards(
                  " and word = 'leased' order by open desc, number limit ?",
                  List.of(q.cluster(), q.job(), q.limit()));
          case LedgerQuery.OpenShards q ->
              shards(
                  " and word <> 'ended' order by number limit ?",
                  List.of(q.cluster(), q.job(), q.limit()));
          case LedgerQuery.Shards q ->
              shards(
                  " and number >= ? order by number limit ?",
                  List.of(q.cluster(), q.job(), q.from(), q.limit()));
          case LedgerQuery.AllHeartbeats q ->
              new SqlQuery<>(
                  Heartbeats.class,
                  "kind = 'heartbeats' and cluster = ? order by path" + ALL,
                  List.of(q.cluster()));
          case LedgerQuery.Usages q ->
              new SqlQuery<>(
                  Usage.class,
                  "kind = 'usage' and cluster = ? and path >= ? order by path limit ?",
                  List.of(
                      q.cluster(),
                      new DocumentKey.OfUsage(q.cluster(), q.from()).path(),
                      q.limit()));
          case LedgerQuery.Events q -> events(q);
          case LedgerQuery.EventsOfMessage q ->
              new SqlQuery<>(
                  EventRecord.class,
                  "kind = 'event' and cluster = ? and job = ? order by path limit ?",
                  List.of(q.cluster(), q.message(), q.limit()));
          case LedgerQuery.PendingNotifications q ->
              new SqlQuery<>(
                  EventRecord.class,
                  "kind = 'event' and open > 0 order by path limit ?",
                  List.of(q.limit()));
          case LedgerQuery.Stockouts _ ->
              new SqlQuery<>(Stockout.class, "kind = 'stockout' order by path" + ALL, List.of());
          case LedgerQuery.RejectedMessages q ->
              new SqlQuery<>(
                  RejectedMessage.class,
                  "kind = 'rejection' order by number desc, path limit ?",
                  List.of(q.limit()));
        };
  }

  private static String but(boolean all, String word) {
    return all ? "" : " and word <> '" + word + "'";
  }

  private static SqlQuery<Worker> workers(LedgerQuery.Workers q) {
    var order = q.gone() ? " order by number desc, path" : " order by path";
    return new SqlQuery<>(
        Worker.class,
        "kind = 'worker' and cluster = ?" + but(q.gone(), "gone") + order + " limit ?",
        List.of(q.cluster(), q.limit()));
  }

  private static SqlQuery<Job> jobs(String rest, List<Object> values) {
    return new SqlQuery<>(Job.class, "kind = 'job' and cluster = ?" + rest, values);
  }

  private static SqlQuery<Shard> shards(String rest, List<Object> values) {
    return new SqlQuery<>(Shard.class, "kind = 'shard' and cluster = ? and job = ?" + rest, values);
  }

  private static SqlQuery<EventRecord> events(LedgerQuery.Events q) {
    var where = new StringBuilder("kind = 'event' and cluster = ?");
    var values = new ArrayList<Object>(List.of(q.cluster()));
    q.about()
        .ifPresent(about -> {
          where.append(" and word = ?");
          values.add(about);
        });
    q.until()
        .ifPresent(until -> {
          where.append(" and number <= ?");
          values.add(QueryColumns.micros(until));
        });
    values.add(q.limit());
    return new SqlQuery<>(
        EventRecord.class, where + " order by number desc, path desc limit ?", values);
  }
}
