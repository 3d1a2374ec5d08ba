package dev.mayfly.core.plan;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.plan.capacity.ClusterCapacity;
import dev.mayfly.core.plan.capacity.KeptWorkers;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.preemption.RunningPreemptionPlanner;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.PoolVeto;
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
  private final Map<String, LinkedHashSet<Plan.Found>> found = new HashMap<>();
  private final Set<String> starved = new HashSet<>();
  private final List<RunningPreemptionPlanner.Lack> lacking = new ArrayList<>();

  void of(JobDemand job, List<Veto> vetoes) {
    if (vetoes.isEmpty()) return;
    var all = jobs.computeIfAbsent(job.job(), _ -> new LinkedHashSet<>());
    for (var veto : vetoes) if (!isTold(all, veto)) all.add(veto);
  }

  /** Types among which a pool chooses have one maximum, which is told once. */
  private static boolean isTold(Set<Veto> all, Veto veto) {
    return veto instanceof PoolVeto.AtMaximum full
        && all.stream()
            .anyMatch(
                it -> it instanceof PoolVeto.AtMaximum told && told.pool().equals(full.pool()));
  }

  /** The job's tasks have room on workers that are there. */
  void found(JobDemand job, List<ClusterCapacity.Taken> taken) {
    for (var each : taken) {
      var where =
          each.use() == ClusterCapacity.Use.IN_FLIGHT ? Plan.Where.IN_FLIGHT : Plan.Where.READY;
      found(job, new Plan.Found(each.at().pool(), each.at().zone(), where, 0));
    }
  }

  /** Whether some of the job's tasks have room. */
  boolean hasRoom(JobDemand job) {
    return found.containsKey(job.job());
  }

  /** Machines are launched for the job's tasks. */
  void launched(JobDemand job, ClusterCapacity.Room room) {
    found(
        job, new Plan.Found(room.at().pool(), room.at().zone(), Plan.Where.LAUNCHED, room.count()));
  }

  private void found(JobDemand job, Plan.Found room) {
    found.computeIfAbsent(job.job(), _ -> new LinkedHashSet<>()).add(room);
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

  /** So many of its tasks, each for a part of a machine, lack room and can get no more. */
  void lacks(JobDemand job, long tasks) {
    lacks(job);
    lacking.add(new RunningPreemptionPlanner.Lack(job, tasks));
  }

  /** Which running tasks end for what lacks room: the last of a plan. */
  List<PlanDecision> endRunning(
      ClusterSnapshot clusterSnapshot, List<PlanDecision> decided, KeptWorkers keptWorkers) {
    var planner = new RunningPreemptionPlanner(clusterSnapshot, decided, keptWorkers.keepers());
    var outcome = planner.end(lacking, found(), jobs());
    for (var lack : lacking)
      of(lack.job(), outcome.vetoes().getOrDefault(lack.job().job(), List.of()));
    return outcome.decisions();
  }

  void impossible(JobDemand job, ClusterSpec spec) {
    Feasibility.check(job.need(), job.place(), job.gang(), spec)
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

  /** By uid. */
  Map<String, List<Plan.Found>> found() {
    return lists(found);
  }

  private static <T> Map<String, List<T>> lists(Map<String, LinkedHashSet<T>> sets) {
    var lists = new HashMap<String, List<T>>();
    sets.forEach((key, values) -> lists.put(key, new ArrayList<>(values)));
    return lists;
  }
}
