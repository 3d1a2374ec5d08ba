package dev.mayfly.core.model.document;

/**
 * The location of a document.
 *
 * @param <D> the type stored there
 */
public sealed interface DocumentKey<D extends LedgerDocument> {
  /** The path in the ledger, as the console shows it. */
  String path();

  Class<D> type();

  record OfCluster(String cluster) implements DocumentKey<Cluster> {
    @Override
    public String path() {
      return "clusters/" + cluster;
    }

    @Override
    public Class<Cluster> type() {
      return Cluster.class;
    }
  }

  record OfClusterName(String name) implements DocumentKey<ClusterName> {
    @Override
    public String path() {
      return "names/cluster." + name;
    }

    @Override
    public Class<ClusterName> type() {
      return ClusterName.class;
    }
  }

  record OfWorker(String cluster, String worker) implements DocumentKey<Worker> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/workers/" + worker;
    }

    @Override
    public Class<Worker> type() {
      return Worker.class;
    }
  }

  record OfHost(String cluster, String worker, int index) implements DocumentKey<WorkerHost> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/workers/" + worker + "/hosts/" + index;
    }

    @Override
    public Class<WorkerHost> type() {
      return WorkerHost.class;
    }
  }

  record OfJob(String cluster, String job) implements DocumentKey<Job> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/jobs/" + job;
    }

    @Override
    public Class<Job> type() {
      return Job.class;
    }
  }

  record OfJobName(String cluster, String name) implements DocumentKey<JobName> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/names/job." + name;
    }

    @Override
    public Class<JobName> type() {
      return JobName.class;
    }
  }

  record OfShard(String cluster, String job, long start) implements DocumentKey<Shard> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/jobs/" + job + "/shards/" + start;
    }

    @Override
    public Class<Shard> type() {
      return Shard.class;
    }
  }

  record OfJobQueue(String cluster) implements DocumentKey<JobQueue> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/control/job-queue";
    }

    @Override
    public Class<JobQueue> type() {
      return JobQueue.class;
    }
  }

  record OfChangeSignal(String cluster) implements DocumentKey<ChangeSignal> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/control/change-signal";
    }

    @Override
    public Class<ChangeSignal> type() {
      return ChangeSignal.class;
    }
  }

  record OfServingHistory(String cluster) implements DocumentKey<ServingHistory> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/control/serving-history";
    }

    @Override
    public Class<ServingHistory> type() {
      return ServingHistory.class;
    }
  }

  record OfHeartbeats(String cluster, String instance) implements DocumentKey<Heartbeats> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/heartbeats/" + instance;
    }

    @Override
    public Class<Heartbeats> type() {
      return Heartbeats.class;
    }
  }

  record OfEventRecord(String cluster, String id) implements DocumentKey<EventRecord> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/events/" + id;
    }

    @Override
    public Class<EventRecord> type() {
      return EventRecord.class;
    }
  }

  record OfStockout(String zone, String machineType) implements DocumentKey<Stockout> {
    @Override
    public String path() {
      return "stockouts/" + zone + "+" + machineType;
    }

    @Override
    public Class<Stockout> type() {
      return Stockout.class;
    }
  }

  record OfRejectedMessage(String message) implements DocumentKey<RejectedMessage> {
    @Override
    public String path() {
      return "rejections/" + message;
    }

    @Override
    public Class<RejectedMessage> type() {
      return RejectedMessage.class;
    }
  }

  record OfTickSchedule() implements DocumentKey<TickSchedule> {
    @Override
    public String path() {
      return "deployment/tick-schedule";
    }

    @Override
    public Class<TickSchedule> type() {
      return TickSchedule.class;
    }
  }

  record OfTpuCreateQuota() implements DocumentKey<TpuCreateQuota> {
    @Override
    public String path() {
      return "deployment/tpu-create-quota";
    }

    @Override
    public Class<TpuCreateQuota> type() {
      return TpuCreateQuota.class;
    }
  }
}
