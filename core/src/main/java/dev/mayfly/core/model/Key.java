package dev.mayfly.core.model;

/**
 * Where a document is.
 *
 * @param <D> what is stored there
 */
public sealed interface Key<D extends Document> {
  /** The path in the ledger, as the console shows it. */
  String path();

  Class<D> type();

  record OfCluster(String cluster) implements Key<Cluster> {
    @Override
    public String path() {
      return "clusters/" + cluster;
    }

    @Override
    public Class<Cluster> type() {
      return Cluster.class;
    }
  }

  record OfClusterName(String name) implements Key<ClusterName> {
    @Override
    public String path() {
      return "names/cluster." + name;
    }

    @Override
    public Class<ClusterName> type() {
      return ClusterName.class;
    }
  }

  record OfWorker(String cluster, String worker) implements Key<Worker> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/workers/" + worker;
    }

    @Override
    public Class<Worker> type() {
      return Worker.class;
    }
  }

  record OfHost(String cluster, String worker, int index) implements Key<WorkerHost> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/workers/" + worker + "/hosts/" + index;
    }

    @Override
    public Class<WorkerHost> type() {
      return WorkerHost.class;
    }
  }

  record OfJob(String cluster, String job) implements Key<Job> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/jobs/" + job;
    }

    @Override
    public Class<Job> type() {
      return Job.class;
    }
  }

  record OfJobName(String cluster, String name) implements Key<JobName> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/names/job." + name;
    }

    @Override
    public Class<JobName> type() {
      return JobName.class;
    }
  }

  record OfShard(String cluster, String job, long start) implements Key<Shard> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/jobs/" + job + "/shards/" + start;
    }

    @Override
    public Class<Shard> type() {
      return Shard.class;
    }
  }

  record OfTurns(String cluster) implements Key<Turns> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/control/turns";
    }

    @Override
    public Class<Turns> type() {
      return Turns.class;
    }
  }

  record OfPulse(String cluster) implements Key<Pulse> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/control/pulse";
    }

    @Override
    public Class<Pulse> type() {
      return Pulse.class;
    }
  }

  record OfServed(String cluster) implements Key<Served> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/control/served";
    }

    @Override
    public Class<Served> type() {
      return Served.class;
    }
  }

  record OfBeats(String cluster, String instance) implements Key<Beats> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/beats/" + instance;
    }

    @Override
    public Class<Beats> type() {
      return Beats.class;
    }
  }

  record OfEvent(String cluster, String id) implements Key<Event> {
    @Override
    public String path() {
      return "clusters/" + cluster + "/events/" + id;
    }

    @Override
    public Class<Event> type() {
      return Event.class;
    }
  }

  record OfStockout(String zone, String machineType) implements Key<Stockout> {
    @Override
    public String path() {
      return "stockouts/" + zone + "+" + machineType;
    }

    @Override
    public Class<Stockout> type() {
      return Stockout.class;
    }
  }

  record OfRejection(String message) implements Key<Rejection> {
    @Override
    public String path() {
      return "rejections/" + message;
    }

    @Override
    public Class<Rejection> type() {
      return Rejection.class;
    }
  }

  record OfTicks() implements Key<Ticks> {
    @Override
    public String path() {
      return "deployment/ticks";
    }

    @Override
    public Class<Ticks> type() {
      return Ticks.class;
    }
  }

  record OfCreations() implements Key<Creations> {
    @Override
    public String path() {
      return "deployment/creations";
    }

    @Override
    public Class<Creations> type() {
      return Creations.class;
    }
  }
}
