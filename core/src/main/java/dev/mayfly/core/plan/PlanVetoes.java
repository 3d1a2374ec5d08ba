package dev.mayfly.core.plan;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.Veto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Why a plan in progress leaves jobs and pools waiting: each cause once, in order. */
final class PlanVetoes {
  private final Map<String, LinkedHashSet<Veto>> jobs = new HashMap<>();
  private final Map<String, LinkedHashSet<Veto>> pools = new HashMap<>();
  private final Set<String> starved = new HashSet<>();

  void of(JobDemand job, List<Veto> vetoes) {
    if (!vetoes.isEmpty())
      jobs.computeIfAbsent(job.job(), _ -> new LinkedHashSet<>()).addAll(vetoes);
  }

  /** Why the pool is below its minimum. */
  void ofPool(PoolSpec pool, List<Veto> vetoes) {
    if (!vetoes.isEmpty())
      pools.computeIfAbsent(pool.name(), _ -> new LinkedHashSet<>()).addAll(vetoes);
  }

  /** The job lacks room and can get no more. */
  void lacks(JobDemand job) {
    starved.add(job.job());
  }

  void impossible(JobDemand job, ClusterSpec spec) {
    Feasibility.check(job.need(), job.place(), spec)
        .or(() -> Feasibility.together(job.need(), job.place(), job.gang(), spec))
        .ifPresent(why -> of(job, List.of(new JobVeto.Impossible(why))));
  }

  /** The jobs without room, by uid. */
  Set<String> starved() {
    return starved;
  }

  /** By uid. */
  Map<String, List<Veto>> jobs() {
    return lists(jobs);
  }

  /** By name. */
  Map<String, List<Veto>> pools() {
    return lists(pools);
  }

  private static Map<String, List<Veto>> lists(Map<String, LinkedHashSet<Veto>> sets) {
    var lists = new HashMap<String, List<Veto>>();
    sets.forEach((key, vetoes) -> lists.put(key, new ArrayList<>(vetoes)));
    return lists;
  }
}
