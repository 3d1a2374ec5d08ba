package dev.mayfly.sim.fake;

import dev.mayfly.core.model.Beats;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Rejection;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Stockout;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Predicate;

/**
 * Each query as a folder, a filter, an order and a limit.
 *
 * @param folder the path that all documents of the answer begin with
 */
record SimQueries<D extends Document>(
    Class<D> type, String folder, Predicate<D> filter, Comparator<D> order, int limit) {
  private static final int ALL = Integer.MAX_VALUE;

  @SuppressWarnings("unchecked")
  static <D extends Document> SimQueries<D> of(Query<D> query) {
    return (SimQueries<D>)
        switch (query) {
          case Query.Clusters q -> clusters(q);
          case Query.Workers q -> workers(q);
          case Query.LiveJobs q -> jobs(q.cluster(), j -> !j.state().ended(), false, ALL);
          case Query.Jobs q -> jobs(q.cluster(), j -> true, true, q.limit());
          case Query.ReadyShards q ->
              shards(
                  q.cluster(),
                  q.job(),
                  s -> s.state() == Shard.State.READY && s.start() >= q.from(),
                  BY_START,
                  q.limit());
          case Query.SpentShards q ->
              shards(
                  q.cluster(), q.job(), s -> s.state() == Shard.State.SPENT, BY_START, q.limit());
          case Query.LeasedShards q ->
              shards(
                  q.cluster(),
                  q.job(),
                  s -> s.state() == Shard.State.LEASED,
                  Comparator.comparingLong(Shard::open).reversed().thenComparing(BY_START),
                  q.limit());
          case Query.OpenShards q ->
              shards(
                  q.cluster(), q.job(), s -> s.state() != Shard.State.ENDED, BY_START, q.limit());
          case Query.Shards q ->
              shards(q.cluster(), q.job(), s -> s.start() >= q.from(), BY_START, q.limit());
          case Query.AllBeats q ->
              new SimQueries<>(
                  Beats.class,
                  "clusters/" + q.cluster() + "/beats/",
                  b -> true,
                  Comparator.comparing(Beats::instance),
                  ALL);
          case Query.Events q -> events(q);
          case Query.Stockouts _ ->
              new SimQueries<>(
                  Stockout.class,
                  "stockouts/",
                  s -> true,
                  Comparator.comparing(Stockout::zone),
                  ALL);
          case Query.Rejections q ->
              new SimQueries<>(
                  Rejection.class,
                  "rejections/",
                  r -> true,
                  Comparator.comparing(Rejection::at).reversed().thenComparing(Rejection::message),
                  q.limit());
        };
  }

  private static final Comparator<Shard> BY_START = Comparator.comparingLong(Shard::start);

  private static SimQueries<Cluster> clusters(Query.Clusters q) {
    return new SimQueries<>(
        Cluster.class,
        "clusters/",
        c -> q.gone() || c.phase() != Cluster.Phase.GONE,
        Comparator.comparing(Cluster::uid),
        ALL);
  }

  private static SimQueries<Worker> workers(Query.Workers q) {
    Comparator<Worker> order =
        q.gone()
            ? Comparator.comparing(Worker::createdAt).reversed().thenComparing(Worker::name)
            : Comparator.comparing(Worker::name);
    return new SimQueries<>(
        Worker.class,
        "clusters/" + q.cluster() + "/workers/",
        w -> q.gone() || !(w.state() instanceof WorkerState.Gone),
        order,
        q.limit());
  }

  private static SimQueries<Job> jobs(
      String cluster, Predicate<Job> filter, boolean newest, int limit) {
    var oldest = Comparator.comparing(Job::submittedAt);
    return new SimQueries<>(
        Job.class,
        "clusters/" + cluster + "/jobs/",
        filter,
        (newest ? oldest.reversed() : oldest).thenComparing(Job::uid),
        limit);
  }

  private static SimQueries<Shard> shards(
      String cluster, String job, Predicate<Shard> filter, Comparator<Shard> order, int limit) {
    return new SimQueries<>(
        Shard.class, new Key.OfJob(cluster, job).path() + "/shards/", filter, order, limit);
  }

  private static SimQueries<Event> events(Query.Events q) {
    return new SimQueries<>(
        Event.class,
        "clusters/" + q.cluster() + "/events/",
        e -> q.about().isEmpty() || q.about().get().equals(e.about()),
        Comparator.comparing(Event::at).reversed().thenComparing(Event::id),
        q.limit());
  }

  List<Stored<D>> answer(SortedMap<String, Stored<? extends Document>> documents) {
    return documents.subMap(folder, folder + Character.MAX_VALUE).values().stream()
        .filter(s -> type.isInstance(s.value()))
        .map(s -> new Stored<>(type.cast(s.value()), s.version()))
        .filter(s -> filter.test(s.value()))
        .sorted(Comparator.comparing(Stored::value, order))
        .limit(limit)
        .toList();
  }
}
