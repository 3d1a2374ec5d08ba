package dev.mayfly.gcp.firestore;

import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.Direction;
import dev.mayfly.core.model.Beats;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Rejection;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Stockout;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Listing;
import dev.mayfly.core.port.Query;
import dev.mayfly.wire.text.Words;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A query as Firestore's.
 *
 * @param under the document that the collection is under, from the root, or empty
 */
record Question<D extends Document>(
    Class<D> type, String under, StructuredQuery query, Comparator<D> order) {
  private static final String STATE = "state";
  private static final String STATE_WORD = "state.state";
  private static final String START = "start";

  /** As Firestore orders the documents. */
  Question(Class<D> type, String under, StructuredQuery query) {
    this(type, under, query, (_, _) -> 0);
  }

  /** In the order that was asked for. */
  Listing<D> sorted(Listing<D> found) {
    return found.sorted(order);
  }

  @SuppressWarnings("unchecked") // each query's record names what comes back
  static <D extends Document> Question<D> of(Query<D> query) {
    return (Question<D>)
        switch (query) {
          case Query.Clusters q -> clusters(q);
          case Query.Workers q -> workers(q);
          case Query.LiveJobs q -> liveJobs(q);
          case Query.Jobs q ->
              jobs(
                  q.cluster(),
                  new Asked("jobs").by("submittedAt", Direction.DESCENDING).limit(q.limit()));
          case Query.ReadyShards q ->
              shards(q.cluster(), q.job(), in(Shard.State.READY).from(START, q.from()), q.limit());
          case Query.SpentShards q ->
              shards(q.cluster(), q.job(), in(Shard.State.SPENT), q.limit());
          case Query.LeasedShards q ->
              shards(
                  q.cluster(),
                  q.job(),
                  in(Shard.State.LEASED).by("totals.leased", Direction.DESCENDING),
                  q.limit());
          case Query.OpenShards q ->
              shards(
                  q.cluster(),
                  q.job(),
                  new Asked("shards")
                      .but(STATE, Words.of(Shard.State.ENDED))
                      .by(STATE, Direction.ASCENDING),
                  q.limit());
          case Query.Shards q ->
              shards(q.cluster(), q.job(), new Asked("shards").from(START, q.from()), q.limit());
          case Query.AllBeats q ->
              new Question<>(Beats.class, cluster(q.cluster()), new Asked("beats").query());
          case Query.Events q -> events(q);
          case Query.Stockouts _ ->
              new Question<>(Stockout.class, "", new Asked("stockouts").query());
          case Query.Rejections q ->
              new Question<>(
                  Rejection.class,
                  "",
                  new Asked("rejections").by("at", Direction.DESCENDING).limit(q.limit()).query());
        };
  }

  private static Question<Cluster> clusters(Query.Clusters q) {
    var asked = new Asked("clusters");
    if (!q.gone()) asked.but("phase", Words.of(Cluster.Phase.GONE));
    return new Question<>(Cluster.class, "", asked.query(), Comparator.comparing(Cluster::uid));
  }

  private static Question<Worker> workers(Query.Workers q) {
    var asked = new Asked("workers").limit(q.limit());
    var under = cluster(q.cluster());
    if (q.gone())
      return new Question<>(
          Worker.class, under, asked.by("createdAt", Direction.DESCENDING).query());
    asked.but(STATE_WORD, Words.of(WorkerState.Gone.class));
    return new Question<>(Worker.class, under, asked.query(), Comparator.comparing(Worker::name));
  }

  private static Question<Job> liveJobs(Query.LiveJobs q) {
    var asked =
        new Asked("jobs")
            .but(STATE_WORD, Words.of(JobState.Ended.class))
            .by(STATE_WORD, Direction.ASCENDING)
            .by("submittedAt", Direction.ASCENDING);
    return new Question<>(
        Job.class, cluster(q.cluster()), asked.query(), Comparator.comparing(Job::submittedAt));
  }

  private static Question<Job> jobs(String cluster, Asked asked) {
    return new Question<>(Job.class, cluster(cluster), asked.query());
  }

  private static Question<Shard> shards(String cluster, String job, Asked asked, int limit) {
    var query = asked.by(START, Direction.ASCENDING).limit(limit).query();
    return new Question<>(Shard.class, cluster(cluster) + "/jobs/" + job, query);
  }

  private static Asked in(Shard.State... states) {
    return new Asked("shards").among(STATE, words(states));
  }

  private static Question<Event> events(Query.Events q) {
    var asked = new Asked("events").by("at", Direction.DESCENDING).limit(q.limit());
    q.about().ifPresent(about -> asked.among("about", List.of(about)));
    return new Question<>(Event.class, cluster(q.cluster()), asked.query());
  }

  private static String cluster(String uid) {
    return "/clusters/" + uid;
  }

  private static List<String> words(Enum<?>... constants) {
    return Arrays.stream(constants).map(Words::of).toList();
  }
}
