package dev.mayfly.local.ledger;

import dev.mayfly.core.model.Beats;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Rejection;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Stockout;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.port.Query;
import java.util.List;

/** A query as SQL with its values. */
record Question<D extends Document>(Class<D> type, String where, List<Object> values) {
  private static final String ALL = " limit -1";

  @SuppressWarnings("unchecked") // each query's record names what comes back
  static <D extends Document> Question<D> of(Query<D> query) {
    return (Question<D>)
        switch (query) {
          case Query.Clusters q ->
              new Question<>(
                  Cluster.class,
                  "kind = 'cluster'" + but(q.gone(), "gone") + " order by path" + ALL,
                  List.of());
          case Query.Workers q -> workers(q);
          case Query.LiveJobs q ->
              jobs(" and word <> 'ended' order by number, path" + ALL, List.of(q.cluster()));
          case Query.Jobs q ->
              jobs(" order by number desc, path limit ?", List.of(q.cluster(), q.limit()));
          case Query.ReadyShards q ->
              shards(
                  " and word = 'ready' and number >= ? order by number limit ?",
                  List.of(q.cluster(), q.job(), q.from(), q.limit()));
          case Query.SpentShards q ->
              shards(
                  " and word = 'spent' order by number limit ?",
                  List.of(q.cluster(), q.job(), q.limit()));
          case Query.LeasedShards q ->
              shards(
                  " and word = 'leased' order by open desc, number limit ?",
                  List.of(q.cluster(), q.job(), q.limit()));
          case Query.OpenShards q ->
              shards(
                  " and word <> 'ended' order by number limit ?",
                  List.of(q.cluster(), q.job(), q.limit()));
          case Query.Shards q ->
              shards(
                  " and number >= ? order by number limit ?",
                  List.of(q.cluster(), q.job(), q.from(), q.limit()));
          case Query.AllBeats q ->
              new Question<>(
                  Beats.class,
                  "kind = 'beats' and cluster = ? order by path" + ALL,
                  List.of(q.cluster()));
          case Query.Events q -> events(q);
          case Query.Stockouts _ ->
              new Question<>(Stockout.class, "kind = 'stockout' order by path" + ALL, List.of());
          case Query.Rejections q ->
              new Question<>(
                  Rejection.class,
                  "kind = 'rejection' order by number desc, path limit ?",
                  List.of(q.limit()));
        };
  }

  private static String but(boolean all, String word) {
    return all ? "" : " and word <> '" + word + "'";
  }

  private static Question<Worker> workers(Query.Workers q) {
    var order = q.gone() ? " order by number desc, path" : " order by path";
    return new Question<>(
        Worker.class,
        "kind = 'worker' and cluster = ?" + but(q.gone(), "gone") + order + " limit ?",
        List.of(q.cluster(), q.limit()));
  }

  private static Question<Job> jobs(String rest, List<Object> values) {
    return new Question<>(Job.class, "kind = 'job' and cluster = ?" + rest, values);
  }

  private static Question<Shard> shards(String rest, List<Object> values) {
    return new Question<>(Shard.class, "kind = 'shard' and cluster = ? and job = ?" + rest, values);
  }

  private static Question<Event> events(Query.Events q) {
    var about = q.about().isPresent() ? " and word = ?" : "";
    List<Object> values =
        q.about().isPresent()
            ? List.of(q.cluster(), q.about().get(), q.limit())
            : List.of(q.cluster(), q.limit());
    return new Question<>(
        Event.class,
        "kind = 'event' and cluster = ?" + about + " order by number desc, path limit ?",
        values);
  }
}
