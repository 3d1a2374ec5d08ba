package dev.mayfly.core.plan;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Why a plan in progress leaves jobs and pools waiting. */
final class PlanVetoes {
  private final List<PlanDecision> planDecisions = new ArrayList<>();
  private final Map<String, List<Plan.Reason>> whys = new HashMap<>();
  private final Set<String> starved = new HashSet<>();

  void waits(String about, List<String> vetoes) {
    planDecisions.add(new PlanDecision.Wait(about, vetoes));
  }

  /** The job lacks room and can get no more. */
  void lacks(JobDemand job, List<String> vetoes) {
    starved.add(job.job());
    waits("job/" + job.address(), vetoes);
  }

  void impossible(JobDemand job, ClusterSpec spec) {
    Feasibility.check(job.need(), job.place(), spec)
        .or(() -> Feasibility.together(job.need(), job.place(), job.gang(), spec))
        .ifPresent(
            why -> planDecisions.add(new PlanDecision.Impossible(job.job(), job.name(), why)));
  }

  void why(JobDemand job, String kind, String text) {
    whys.computeIfAbsent("job/" + job.address(), _ -> new ArrayList<>())
        .add(new Plan.Reason(kind, text));
  }

  List<PlanDecision> decisions() {
    return planDecisions;
  }

  /** The jobs without room, by uid. */
  Set<String> starved() {
    return starved;
  }

  Map<String, List<Plan.Reason>> whys() {
    return whys;
  }
}
