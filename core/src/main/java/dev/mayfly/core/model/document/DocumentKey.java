package dev.mayfly.core.model.document;

import dev.mayfly.core.model.job.JobAddress;
import java.util.Optional;

/**
 * The location of a document.
 *
 * @param <D> the type stored there
 */
public sealed interface DocumentKey<D extends LedgerDocument> {
  record OfCluster(String cluster) implements DocumentKey<Cluster> {}

  record OfClusterName(String name) implements DocumentKey<ClusterName> {}

  record OfWorker(String cluster, String worker) implements DocumentKey<Worker> {}

  record OfHost(String cluster, String worker, int index) implements DocumentKey<WorkerHost> {}

  record OfJob(String cluster, String job) implements DocumentKey<Job> {}

  /**
   * A job's name, which is its owner's own.
   *
   * @param owner of the job; empty for jobs without one, which share names
   */
  record OfJobName(String cluster, Optional<String> owner, String name)
      implements DocumentKey<JobName> {
    /**
     * @param address {@code NAME}, or {@code OWNER/NAME}
     */
    public static OfJobName of(String cluster, String address) {
      var slash = address.indexOf('/');
      return slash < 0
          ? new OfJobName(cluster, Optional.empty(), address)
          : new OfJobName(
              cluster, Optional.of(address.substring(0, slash)), address.substring(slash + 1));
    }

    /** As users write it: {@code OWNER/NAME}, or {@code NAME}. */
    public String address() {
      return JobAddress.of(owner, name);
    }
  }

  /**
   * A schedule, whose name is its owner's own.
   *
   * @param owner of its jobs; empty for those without one
   */
  record OfSchedule(String cluster, Optional<String> owner, String name)
      implements DocumentKey<Schedule> {
    /**
     * @param address {@code NAME}, or {@code OWNER/NAME}
     */
    public static OfSchedule of(String cluster, String address) {
      var job = OfJobName.of(cluster, address);
      return new OfSchedule(cluster, job.owner(), job.name());
    }

    /** As users write it: {@code OWNER/NAME}, or {@code NAME}. */
    public String address() {
      return JobAddress.of(owner, name);
    }
  }

  record OfShard(String cluster, String job, long start) implements DocumentKey<Shard> {}

  record OfTaskAddition(String cluster, String job, String id)
      implements DocumentKey<TaskAddition> {}

  record OfJobQueue(String cluster) implements DocumentKey<JobQueue> {}

  record OfChangeSignal(String cluster) implements DocumentKey<ChangeSignal> {}

  record OfServingHistory(String cluster) implements DocumentKey<ServingHistory> {}

  record OfHeartbeats(String cluster, String instance) implements DocumentKey<Heartbeats> {}

  record OfEventRecord(String cluster, String id) implements DocumentKey<EventRecord> {}

  record OfUsage(String cluster, String id) implements DocumentKey<Usage> {}

  record OfUsageMonth(String cluster, String id) implements DocumentKey<Usage.Month> {}

  record OfStockout(String zone, String machineType) implements DocumentKey<Stockout> {}

  record OfRejectedMessage(String message) implements DocumentKey<RejectedMessage> {}

  record OfTickSchedule() implements DocumentKey<TickSchedule> {}

  record OfTpuCreateQuota() implements DocumentKey<TpuCreateQuota> {}

  /** The path in the ledger, as the console shows it. */
  default String path() {
    return switch (this) {
      case OfCluster(var cluster) -> "clusters/" + cluster;
      case OfClusterName(var name) -> "names/cluster." + name;
      case OfWorker(var cluster, var worker) -> "clusters/" + cluster + "/workers/" + worker;
      case OfHost(var cluster, var worker, var index) ->
          "clusters/" + cluster + "/workers/" + worker + "/hosts/" + index;
      case OfJob(var cluster, var job) -> "clusters/" + cluster + "/jobs/" + job;
      // Owners have dots and names have none: what follows the last dot is the name.
      case OfJobName(var cluster, var owner, var name) ->
          "clusters/" + cluster + "/names/job." + owner.map(o -> o + ".").orElse("") + name;
      case OfSchedule(var cluster, var owner, var name) ->
          "clusters/" + cluster + "/schedules/" + owner.map(o -> o + ".").orElse("") + name;
      case OfShard(var cluster, var job, var start) ->
          "clusters/" + cluster + "/jobs/" + job + "/shards/" + start;
      case OfTaskAddition(var cluster, var job, var id) ->
          "clusters/" + cluster + "/jobs/" + job + "/additions/" + id;
      case OfJobQueue(var cluster) -> "clusters/" + cluster + "/control/job-queue";
      case OfChangeSignal(var cluster) -> "clusters/" + cluster + "/control/change-signal";
      case OfServingHistory(var cluster) -> "clusters/" + cluster + "/control/serving-history";
      case OfHeartbeats(var cluster, var instance) ->
          "clusters/" + cluster + "/heartbeats/" + instance;
      case OfEventRecord(var cluster, var id) -> "clusters/" + cluster + "/events/" + id;
      case OfUsage(var cluster, var id) -> "clusters/" + cluster + "/usage/" + id;
      case OfUsageMonth(var cluster, var id) -> "clusters/" + cluster + "/months/" + id;
      case OfStockout(var zone, var machineType) -> "stockouts/" + zone + "+" + machineType;
      case OfRejectedMessage(var message) -> "rejections/" + message;
      case OfTickSchedule() -> "deployment/tick-schedule";
      case OfTpuCreateQuota() -> "deployment/tpu-create-quota";
    };
  }

  /** The type stored there. */
  @SuppressWarnings("unchecked") // each record says the same as its type argument
  default Class<D> type() {
    return (Class<D>)
        switch (this) {
          case OfCluster _ -> Cluster.class;
          case OfClusterName _ -> ClusterName.class;
          case OfWorker _ -> Worker.class;
          case OfHost _ -> WorkerHost.class;
          case OfJob _ -> Job.class;
          case OfJobName _ -> JobName.class;
          case OfSchedule _ -> Schedule.class;
          case OfShard _ -> Shard.class;
          case OfTaskAddition _ -> TaskAddition.class;
          case OfJobQueue _ -> JobQueue.class;
          case OfChangeSignal _ -> ChangeSignal.class;
          case OfServingHistory _ -> ServingHistory.class;
          case OfHeartbeats _ -> Heartbeats.class;
          case OfEventRecord _ -> EventRecord.class;
          case OfUsage _ -> Usage.class;
          case OfUsageMonth _ -> Usage.Month.class;
          case OfStockout _ -> Stockout.class;
          case OfRejectedMessage _ -> RejectedMessage.class;
          case OfTickSchedule _ -> TickSchedule.class;
          case OfTpuCreateQuota _ -> TpuCreateQuota.class;
        };
  }
}
