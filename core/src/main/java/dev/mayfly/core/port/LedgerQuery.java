package dev.mayfly.core.port;

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
import java.time.Instant;
import java.util.Optional;

/**
 * All ledger queries other than reads by key. Each needs at most one index.
 *
 * @param <D> the document type of the result
 */
public sealed interface LedgerQuery<D extends LedgerDocument> {
  /** Clusters that are not GONE, by uid; all of them if {@code gone}. */
  record Clusters(boolean gone) implements LedgerQuery<Cluster> {}

  /**
   * Workers that are not GONE, by name; with {@code gone}, these too, newest {@code createdAt}
   * first.
   */
  record Workers(String cluster, boolean gone, int limit) implements LedgerQuery<Worker> {}

  /** Jobs that have not ended, oldest {@code submittedAt} first. */
  record LiveJobs(String cluster) implements LedgerQuery<Job> {}

  /** Jobs of any state, newest {@code submittedAt} first. */
  record Jobs(String cluster, int limit) implements LedgerQuery<Job> {}

  /** The documents of one job name, one for each owner that used it, by owner; no owner first. */
  record JobNames(String cluster, String name, int limit) implements LedgerQuery<JobName> {}

  /** READY shards of a job whose start is at least {@code from}, by start. */
  record ReadyShards(String cluster, String job, long from, int limit)
      implements LedgerQuery<Shard> {}

  /** SPENT shards of a job, by start. */
  record SpentShards(String cluster, String job, int limit) implements LedgerQuery<Shard> {}

  /** LEASED shards of a job, those with the most open tasks first. */
  record LeasedShards(String cluster, String job, int limit) implements LedgerQuery<Shard> {}

  /** Shards of a job that are not ENDED, in any order. */
  record OpenShards(String cluster, String job, int limit) implements LedgerQuery<Shard> {}

  /** All shards of a job whose start is at least {@code from}, by start. */
  record Shards(String cluster, String job, long from, int limit) implements LedgerQuery<Shard> {}

  record AllHeartbeats(String cluster) implements LedgerQuery<Heartbeats> {}

  /**
   * Newest first; about one name, or all.
   *
   * @param until only those of then and before; empty: the newest
   */
  record Events(String cluster, Optional<String> about, Optional<Instant> until, int limit)
      implements LedgerQuery<EventRecord> {
    /** The newest. */
    public Events(String cluster, Optional<String> about, int limit) {
      this(cluster, about, Optional.empty(), limit);
    }
  }

  /** Events of a message's commands, in any order; those of older versions are not among them. */
  record EventsOfMessage(String cluster, String message, int limit)
      implements LedgerQuery<EventRecord> {}

  /**
   * Events of all clusters, gone ones too, with a notification still to be published; in any order.
   */
  record PendingNotifications(int limit) implements LedgerQuery<EventRecord> {}

  /** What a cluster's machines were used for, from an id on, by id: days before ended machines. */
  record Usages(String cluster, String from, int limit) implements LedgerQuery<Usage> {}

  record Stockouts() implements LedgerQuery<Stockout> {}

  /** Newest first. */
  record RejectedMessages(int limit) implements LedgerQuery<RejectedMessage> {}
}
