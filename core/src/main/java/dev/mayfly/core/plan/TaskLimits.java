package dev.mayfly.core.plan;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.veto.LimitVeto;
import dev.mayfly.core.plan.veto.Veto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Limits what jobs demand to what they may still run: by their own limit, and together with the
 * other jobs of their owner.
 *
 * <p><b>Must:</b> no job demands more machines than the tasks that it may run can use.
 *
 * <p><b>Goals:</b> the first jobs in the queue demand first.
 */
final class TaskLimits {
  private final ClusterSpec spec;
  private final List<JobDemand> demands = new ArrayList<>();
  private final Map<String, Veto> vetoes = new HashMap<>();
  private final Map<String, Long> leased = new HashMap<>();
  private final Map<String, Long> demanded = new HashMap<>();
  private final Map<String, Long> wanted = new HashMap<>();

  /**
   * @param jobs in the order of the queue
   */
  TaskLimits(List<JobDemand> jobs, ClusterSpec spec) {
    this.spec = spec;
    for (var job : jobs) leased.merge(owner(job), job.leased(), Long::sum);
    var own = jobs.stream().map(this::ofJob).toList();
    for (var job : own) wanted.merge(owner(job), job.ready(), Long::sum);
    for (var job : own) demands.add(ofOwner(job));
  }

  /** In the same order, with the ready tasks that may run. */
  List<JobDemand> demands() {
    return demands;
  }

  /** By uid, the limit of a job none of whose ready tasks may run. */
  Map<String, Veto> vetoes() {
    return vetoes;
  }

  private JobDemand ofJob(JobDemand job) {
    var most = job.standing().concurrency();
    if (most == 0) return job;
    var allowed = Math.min(job.ready(), Math.max(0, most - job.leased()));
    return limited(job, allowed, new LimitVeto.OfJob(job.name(), most, job.leased()));
  }

  private JobDemand ofOwner(JobDemand job) {
    var owner = owner(job);
    var most = spec.limit().of(owner);
    if (most.isEmpty()) return job;
    var has = leased.getOrDefault(owner, 0L);
    var before = demanded.getOrDefault(owner, 0L);
    var allowed = Math.min(job.ready(), Math.max(0, most.get() - has - before));
    demanded.merge(owner, allowed, Long::sum);
    var enough = has + wanted.getOrDefault(owner, 0L) - job.ready() + 1;
    var why = new LimitVeto.OfOwner(owner, spec.name(), most.get(), has, before, enough);
    return limited(job, allowed, why);
  }

  private JobDemand limited(JobDemand job, long allowed, Veto why) {
    if (allowed == 0 && job.ready() > 0) vetoes.put(job.job(), why);
    return job.withReady(allowed);
  }

  private static String owner(JobDemand job) {
    return job.standing().owner();
  }
}
