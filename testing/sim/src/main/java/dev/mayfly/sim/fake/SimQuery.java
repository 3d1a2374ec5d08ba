package dev.mayfly.sim.fake;

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
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerQuery;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Predicate;

/**
 * A query as a folder, a filter, an order and a limit.
 *
 * @param folder the path prefix of all results
 */
record SimQuery<D extends LedgerDocument>(
    Class<D> type, String folder, Predicate<D> filter, Comparator<D> order, int limit) {
  private static final int ALL = Integer.MAX_VALUE;

  @SuppressWarnings("unchecked")
  static <D extends LedgerDocument> SimQuery<D> of(LedgerQuery<D> ledgerQuery) {
    return (SimQuery<D>)
        switch (ledgerQuery) {
          case LedgerQuery.Clusters q -> clusters(q);
          case LedgerQuery.Workers q -> workers(q);
          case LedgerQuery.LiveJobs q -> jobs(q.cluster(), j -> !j.state().ended(), false, ALL);
          case LedgerQuery.Jobs q -> jobs(q.cluster(), j -> true, true, q.limit());
          case LedgerQuery.JobNames q ->
              new SimQuery<>(
                  JobName.class,
                  "clusters/" + q.cluster() + "/names/",
                  name -> name.name().equals(q.name()),
                  Comparator.comparing(name -> name.owner().orElse("")),
                  q.limit());
          case LedgerQuery.ReadyShards q ->
              shards(
                  q.cluster(),
                  q.job(),
                  s -> s.state() == Shard.State.READY && s.start() >= q.from(),
                  BY_START,
                  q.limit());
          case LedgerQuery.SpentShards q ->
              shards(
                  q.cluster(), q.job(), s -> s.state() == Shard.State.SPENT, BY_START, q.limit());
          case LedgerQuery.LeasedShards q ->
              shards(
                  q.cluster(),
                  q.job(),
                  s -> s.state() == Shard.State.LEASED,
                  Comparator.comparingLong(Shard::open).reversed().thenComparing(BY_START),
                  q.limit());
          case LedgerQuery.OpenShards q ->
              shards(
                  q.cluster(), q.job(), s -> s.state() != Shard.State.ENDED, BY_START, q.limit());
          case LedgerQuery.Shards q ->
              shards(q.cluster(), q.job(), s -> s.start() >= q.from(), BY_START, q.limit());
          case LedgerQuery.AllHeartbeats q ->
              new SimQuery<>(
                  Heartbeats.class,
                  "clusters/" + q.cluster() + "/heartbeats/",
                  b -> true,
                  Comparator.comparing(Heartbeats::instance),
                  ALL);
          case LedgerQuery.Events q -> events(q);
          case LedgerQuery.EventsOfMessage q ->
              new SimQuery<>(
                  EventRecord.class,
                  "clusters/" + q.cluster() + "/events/",
                  e -> e.messageId().filter(q.message()::equals).isPresent(),
                  Comparator.comparing(EventRecord::id),
                  q.limit());
          case LedgerQuery.Usages q ->
              new SimQuery<>(
                  Usage.class,
                  "clusters/" + q.cluster() + "/usage/",
                  u -> u.id().compareTo(q.from()) >= 0,
                  Comparator.comparing(Usage::id),
                  q.limit());
          case LedgerQuery.PendingNotifications q ->
              new SimQuery<>(
                  EventRecord.class,
                  "clusters/",
                  e -> e.notification().isPresent(),
                  Comparator.comparing(EventRecord::id),
                  q.limit());
          case LedgerQuery.Stockouts _ ->
              new SimQuery<>(
                  Stockout.class,
                  "stockouts/",
                  s -> true,
                  Comparator.comparing(Stockout::zone),
                  ALL);
          case LedgerQuery.RejectedMessages q ->
              new SimQuery<>(
                  RejectedMessage.class,
                  "rejections/",
                  r -> true,
                  Comparator.comparing(RejectedMessage::at)
                      .reversed()
                      .thenComparing(RejectedMessage::message),
                  q.limit());
        };
  }

  private static final Comparator<Shard> BY_START = Comparator.comparingLong(Shard::start);

  private static SimQuery<Cluster> clusters(LedgerQuery.Clusters q) {
    return new SimQuery<>(
        Cluster.class,
        "clusters/",
        c -> q.gone() || c.phase() != Cluster.Phase.GONE,
        Comparator.comparing(Cluster::uid),
        ALL);
  }

  private static SimQuery<Worker> workers(LedgerQuery.Workers q) {
    Comparator<Worker> order =
        q.gone()
            ? Comparator.comparing(Worker::createdAt).reversed().thenComparing(Worker::name)
            : Comparator.comparing(Worker::name);
    return new SimQuery<>(
        Worker.class,
        "clusters/" + q.cluster() + "/workers/",
        w -> q.gone() || !(w.state() instanceof WorkerState.Gone),
        order,
        q.limit());
  }

  private static SimQuery<Job> jobs(
      String cluster, Predicate<Job> filter, boolean newest, int limit) {
    var oldest = Comparator.comparing(Job::submittedAt);
    return new SimQuery<>(
        Job.class,
        "clusters/" + cluster + "/jobs/",
        filter,
        (newest ? oldest.reversed() : oldest).thenComparing(Job::uid),
        limit);
  }

  private static SimQuery<Shard> shards(
      String cluster, String job, Predicate<Shard> filter, Comparator<Shard> order, int limit) {
    return new SimQuery<>(
        Shard.class, new DocumentKey.OfJob(cluster, job).path() + "/shards/", filter, order, limit);
  }

  private static SimQuery<EventRecord> events(LedgerQuery.Events q) {
    return new SimQuery<>(
        EventRecord.class,
        "clusters/" + q.cluster() + "/events/",
        e ->
            q.about().map(about -> about.equals(e.about())).orElse(true)
                && q.until().map(until -> !e.at().isAfter(until)).orElse(true),
        Comparator.comparing(EventRecord::at).thenComparing(EventRecord::id).reversed(),
        q.limit());
  }

  List<VersionedDocument<D>> answer(
      SortedMap<String, VersionedDocument<? extends LedgerDocument>> documents) {
    return documents.subMap(folder, folder + Character.MAX_VALUE).values().stream()
        .filter(s -> type.isInstance(s.value()))
        .map(s -> new VersionedDocument<>(type.cast(s.value()), s.version()))
        .filter(s -> filter.test(s.value()))
        .sorted(Comparator.comparing(VersionedDocument::value, order))
        .limit(limit)
        .toList();
  }
}
