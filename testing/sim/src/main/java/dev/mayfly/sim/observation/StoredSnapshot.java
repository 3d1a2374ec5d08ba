package dev.mayfly.sim.observation;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.TpuCreateQuota;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.state.job.JobDemands;
import dev.mayfly.core.state.job.TaskTimeReader;
import dev.mayfly.core.state.worker.MonthReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the next plan of a cluster is made from, as it is stored now. */
public final class StoredSnapshot {
  private StoredSnapshot() {}

  private static List<JobQueue.OwnerUse> uses(GroundTruth groundTruth, Cluster cluster) {
    return groundTruth.all(JobQueue.class).stream()
        .filter(it -> it.cluster().equals(cluster.uid()))
        .flatMap(it -> it.ownerUses().stream())
        .toList();
  }

  /** Of all running jobs of the cluster, with what their tasks take if that decides anything. */
  public static ClusterSnapshot of(GroundTruth groundTruth, Cluster cluster) {
    var ledger = groundTruth.ledger();
    var demands = new JobDemands(ledger, groundTruth::now);
    var kept = kept(groundTruth, cluster);
    var workers = workers(groundTruth, cluster);
    var spent = new MonthReader(ledger).atMost(cluster, workers, groundTruth.now());
    var snapshot =
        new ClusterSnapshot(
                groundTruth.now(),
                cluster,
                workers,
                queue(groundTruth, cluster).stream()
                    .map(j ->
                        demands.of(
                            j, ledger.totals(j.key()), kept.getOrDefault(j.uid(), List.of())))
                    .toList(),
                groundTruth.all(Stockout.class),
                TpuCreateQuota.A_MINUTE)
            .withSpentThisMonth(spent)
            .withUses(uses(groundTruth, cluster));
    return new TaskTimeReader(ledger).plan(snapshot).of();
  }

  private static List<Worker> workers(GroundTruth groundTruth, Cluster cluster) {
    return groundTruth.all(Worker.class).stream()
        .filter(w -> w.cluster().equals(cluster.uid()))
        .filter(w -> !(w.state() instanceof WorkerState.Gone))
        .toList();
  }

  private static List<Job> queue(GroundTruth groundTruth, Cluster cluster) {
    var queue = new ArrayList<Job>();
    for (var job : groundTruth.all(Job.class))
      if (job.cluster().equals(cluster.uid()) && job.running()) queue.add(job);
    queue.sort(
        Comparator.comparing((Job j) -> -j.spec().priority()).thenComparing(Job::acceptedAt));
    return queue;
  }

  /** The workers that the last plan kept, by the job's uid. */
  private static Map<String, List<String>> kept(GroundTruth groundTruth, Cluster cluster) {
    var kept = new HashMap<String, List<String>>();
    groundTruth
        .ledger()
        .readSpoiled(new DocumentKey.OfJobQueue(cluster.uid()))
        .ifPresent(queue -> {
          for (var row : queue.value().rows()) kept.put(row.job(), row.kept());
        });
    return kept;
  }
}
