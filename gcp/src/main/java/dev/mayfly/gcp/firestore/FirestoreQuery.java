package dev.mayfly.gcp.firestore;

import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.Direction;
import dev.mayfly.core.model.document.Cluster;
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
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.QueryResult;
import dev.mayfly.wire.text.KebabCase;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A ledger query as a Firestore query.
 *
 * @param under the parent document of the collection, from the root, or empty
 */
record FirestoreQuery<D extends LedgerDocument>(
    Class<D> type, String under, StructuredQuery query, Comparator<D> order) {
  private static final String STATE = "state";
  private static final String STATE_WORD = "state.state";
  private static final String START = "start";

  /** In Firestore's order. */
  FirestoreQuery(Class<D> type, String under, StructuredQuery query) {
    this(type, under, query, (_, _) -> 0);
  }

  /** In the requested order. */
  QueryResult<D> sorted(QueryResult<D> found) {
    return found.sorted(order);
  }

  @SuppressWarnings("unchecked") // each query's record names what comes back
  static <D extends LedgerDocument> FirestoreQuery<D> of(LedgerQuery<D> ledgerQuery) {
    return (FirestoreQuery<D>)
        switch (ledgerQuery) {
          case LedgerQuery.Clusters q -> clusters(q);
          case LedgerQuery.Workers q -> workers(q);
          case LedgerQuery.LiveJobs q -> liveJobs(q);
          case LedgerQuery.Jobs q ->
              jobs(
                  q.cluster(),
                  new CollectionQueryBuilder("jobs")
                      .orderBy("submittedAt", Direction.DESCENDING)
                      .limit(q.limit()));
          case LedgerQuery.JobNames q ->
              new FirestoreQuery<>(
                  JobName.class,
                  cluster(q.cluster()),
                  new CollectionQueryBuilder("names")
                      .whereIn("name", List.of(q.name()))
                      .limit(q.limit())
                      .query(),
                  Comparator.comparing((JobName name) -> name.owner().orElse("")));
          case LedgerQuery.ReadyShards q ->
              shards(
                  q.cluster(),
                  q.job(),
                  shardsInState(Shard.State.READY).whereAtLeast(START, q.from()),
                  q.limit());
          case LedgerQuery.SpentShards q ->
              shards(q.cluster(), q.job(), shardsInState(Shard.State.SPENT), q.limit());
          case LedgerQuery.LeasedShards q ->
              shards(
                  q.cluster(),
                  q.job(),
                  shardsInState(Shard.State.LEASED).orderBy("totals.leased", Direction.DESCENDING),
                  q.limit());
          case LedgerQuery.OpenShards q ->
              shards(
                  q.cluster(),
                  q.job(),
                  new CollectionQueryBuilder("shards")
                      .whereNot(STATE, KebabCase.of(Shard.State.ENDED))
                      .orderBy(STATE, Direction.ASCENDING),
                  q.limit());
          case LedgerQuery.Shards q ->
              shards(
                  q.cluster(),
                  q.job(),
                  new CollectionQueryBuilder("shards").whereAtLeast(START, q.from()),
                  q.limit());
          case LedgerQuery.AllHeartbeats q ->
              new FirestoreQuery<>(
                  Heartbeats.class,
                  cluster(q.cluster()),
                  new CollectionQueryBuilder("heartbeats").query());
          case LedgerQuery.Usages q ->
              new FirestoreQuery<>(
                  Usage.class,
                  cluster(q.cluster()),
                  new CollectionQueryBuilder("usage")
                      .whereAtLeast("id", q.from())
                      .limit(q.limit())
                      .query());
          case LedgerQuery.Events q -> events(q);
          case LedgerQuery.EventsOfMessage q ->
              new FirestoreQuery<>(
                  EventRecord.class,
                  cluster(q.cluster()),
                  new CollectionQueryBuilder("events")
                      .whereIn("messageId", List.of(q.message()))
                      .limit(q.limit())
                      .query());
          case LedgerQuery.PendingNotifications q ->
              new FirestoreQuery<>(
                  EventRecord.class,
                  "",
                  new CollectionQueryBuilder("events")
                      .inAllParents()
                      .orderBy("notification.kind", Direction.ASCENDING)
                      .orderBy("at", Direction.ASCENDING)
                      .limit(q.limit())
                      .query());
          case LedgerQuery.Stockouts _ ->
              new FirestoreQuery<>(
                  Stockout.class, "", new CollectionQueryBuilder("stockouts").query());
          case LedgerQuery.RejectedMessages q ->
              new FirestoreQuery<>(
                  RejectedMessage.class,
                  "",
                  new CollectionQueryBuilder("rejections")
                      .orderBy("at", Direction.DESCENDING)
                      .limit(q.limit())
                      .query());
        };
  }

  private static FirestoreQuery<Cluster> clusters(LedgerQuery.Clusters q) {
    var collectionQueryBuilder = new CollectionQueryBuilder("clusters");
    if (!q.gone()) collectionQueryBuilder.whereNot("phase", KebabCase.of(Cluster.Phase.GONE));
    return new FirestoreQuery<>(
        Cluster.class, "", collectionQueryBuilder.query(), Comparator.comparing(Cluster::uid));
  }

  private static FirestoreQuery<Worker> workers(LedgerQuery.Workers q) {
    var collectionQueryBuilder = new CollectionQueryBuilder("workers").limit(q.limit());
    var under = cluster(q.cluster());
    if (q.gone())
      return new FirestoreQuery<>(
          Worker.class,
          under,
          collectionQueryBuilder.orderBy("createdAt", Direction.DESCENDING).query());
    collectionQueryBuilder.whereNot(STATE_WORD, KebabCase.of(WorkerState.Gone.class));
    return new FirestoreQuery<>(
        Worker.class, under, collectionQueryBuilder.query(), Comparator.comparing(Worker::name));
  }

  private static FirestoreQuery<Job> liveJobs(LedgerQuery.LiveJobs q) {
    var collectionQueryBuilder =
        new CollectionQueryBuilder("jobs")
            .whereNot(STATE_WORD, KebabCase.of(JobState.Ended.class))
            .orderBy(STATE_WORD, Direction.ASCENDING)
            .orderBy("submittedAt", Direction.ASCENDING);
    return new FirestoreQuery<>(
        Job.class,
        cluster(q.cluster()),
        collectionQueryBuilder.query(),
        Comparator.comparing(Job::submittedAt));
  }

  private static FirestoreQuery<Job> jobs(
      String cluster, CollectionQueryBuilder collectionQueryBuilder) {
    return new FirestoreQuery<>(Job.class, cluster(cluster), collectionQueryBuilder.query());
  }

  private static FirestoreQuery<Shard> shards(
      String cluster, String job, CollectionQueryBuilder collectionQueryBuilder, int limit) {
    var query = collectionQueryBuilder.orderBy(START, Direction.ASCENDING).limit(limit).query();
    return new FirestoreQuery<>(Shard.class, cluster(cluster) + "/jobs/" + job, query);
  }

  private static CollectionQueryBuilder shardsInState(Shard.State... states) {
    return new CollectionQueryBuilder("shards").whereIn(STATE, words(states));
  }

  private static FirestoreQuery<EventRecord> events(LedgerQuery.Events q) {
    var collectionQueryBuilder =
        new CollectionQueryBuilder("events").orderBy("at", Direction.DESCENDING).limit(q.limit());
    q.about().ifPresent(about -> collectionQueryBuilder.whereIn("about", List.of(about)));
    q.until().ifPresent(until -> collectionQueryBuilder.whereAtMost("at", until));
    return new FirestoreQuery<>(
        EventRecord.class, cluster(q.cluster()), collectionQueryBuilder.query());
  }

  private static String cluster(String uid) {
    return "/clusters/" + uid;
  }

  private static List<String> words(Enum<?>... constants) {
    return Arrays.stream(constants).map(KebabCase::of).toList();
  }
}
