package dev.mayfly.core.port;

import dev.mayfly.core.model.Beats;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Rejection;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Stockout;
import dev.mayfly.core.model.Worker;
import java.util.Optional;

/**
 * Every question that is asked of the ledger beyond reading by key. Each needs at most one index.
 *
 * @param <D> what comes back
 */
public sealed interface Query<D extends Document> {
  /** Clusters that are not GONE, by uid; all of them if {@code gone}. */
  record Clusters(boolean gone) implements Query<Cluster> {}

  /**
   * Workers that are not Gone, by name; with {@code gone}, those too, newest {@code createdAt}
   * first.
   */
  record Workers(String cluster, boolean gone, int limit) implements Query<Worker> {}

  /** Jobs that have not ended, oldest {@code submittedAt} first. */
  record LiveJobs(String cluster) implements Query<Job> {}

  /** Jobs of any state, newest {@code submittedAt} first. */
  record Jobs(String cluster, int limit) implements Query<Job> {}

  /** READY shards of a job whose start is at least {@code from}, by start. */
  record ReadyShards(String cluster, String job, long from, int limit) implements Query<Shard> {}

  /** SPENT shards of a job, by start. */
  record SpentShards(String cluster, String job, int limit) implements Query<Shard> {}

  /** LEASED shards of a job, those with the most open tasks first. */
  record LeasedShards(String cluster, String job, int limit) implements Query<Shard> {}

  /** Shards of a job that are not ENDED, in any order. */
  record OpenShards(String cluster, String job, int limit) implements Query<Shard> {}

  /** All shards of a job whose start is at least {@code from}, by start. */
  record Shards(String cluster, String job, long from, int limit) implements Query<Shard> {}

  record AllBeats(String cluster) implements Query<Beats> {}

  /** Newest first; about one thing, or all. */
  record Events(String cluster, Optional<String> about, int limit) implements Query<Event> {}

  record Stockouts() implements Query<Stockout> {}

  /** Newest first. */
  record Rejections(int limit) implements Query<Rejection> {}
}
