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
import dev.mayfly.core.port.Query;
import dev.mayfly.wire.text.Words;
import java.util.Arrays;
import java.util.List;

/**
 * A query as Firestore's.
 *
 * @param under the document that the collection is under, from the root, or empty
 */
record Question<D extends Document>(Class<D> type, String under, StructuredQuery query) {
  private static final String STATE = "state";
  private static final String STATE_WORD = "state.state";
  private static final String START = "start";

  @SuppressWarnings("unchecked") // each query's record names what comes back
  static <D extends Document> Question<D> of(Query<D> query) {
    return (Question<D>)
        switch (query) {
          case Query.Clusters q -> clusters(q);
          case Query.Workers q -> workers(q);
          case Query.LiveJobs q ->
              jobs(
                  q.cluster(),
                  new Asked("jobs")
                      .among(STATE_WORD, words(JobState.class, JobState.Ended.class))
                      .by("submittedAt", Direction.ASCENDING));
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
                  in(Shard.State.READY, Shard.State.SPENT, Shard.State.LEASED),
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
    if (!q.gone()) asked.among("phase", words(Cluster.Phase.UP, Cluster.Phase.GOING));
    return new Question<>(Cluster.class, "", asked.query());
  }

  private static Question<Worker> workers(Query.Workers q) {
    var asked = new Asked("workers").limit(q.limit());
    if (q.gone()) asked.by("createdAt", Direction.DESCENDING);
    else asked.among(STATE_WORD, words(WorkerState.class, WorkerState.Gone.class));
    return new Question<>(Worker.class, cluster(q.cluster()), asked.query());
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

  /** Every state but one, whatever states there will be. */
  private static List<String> words(Class<?> states, Class<?> but) {
    return Arrays.stream(states.getPermittedSubclasses())
        .filter(state -> state != but)
        .map(Words::of)
        .toList();
  }
}
