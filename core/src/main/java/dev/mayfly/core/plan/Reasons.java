package dev.mayfly.core.plan;

import dev.mayfly.core.model.ClusterSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Why a plan leaves something waiting, while it is made. */
final class Reasons {
  private final List<Decision> decisions = new ArrayList<>();
  private final Map<String, List<Plan.Why>> whys = new HashMap<>();
  private final Set<String> starved = new HashSet<>();

  void waits(String about, List<String> vetoes) {
    decisions.add(new Decision.Wait(about, vetoes));
  }

  /** The job has too little room and can't have more. */
  void lacks(Demand job, List<String> vetoes) {
    starved.add(job.job());
    waits("job/" + job.name(), vetoes);
  }

  void impossible(Demand job, ClusterSpec spec) {
    Feasibility.check(job.need(), job.place(), spec)
        .or(() -> Feasibility.together(job.need(), job.place(), job.gang(), spec))
        .ifPresent(why -> decisions.add(new Decision.Impossible(job.job(), job.name(), why)));
  }

  void why(Demand job, String kind, String text) {
    whys.computeIfAbsent("job/" + job.name(), _ -> new ArrayList<>()).add(new Plan.Why(kind, text));
  }

  List<Decision> decisions() {
    return decisions;
  }

  /** The jobs for which no room was found, by uid. */
  Set<String> starved() {
    return starved;
  }

  Map<String, List<Plan.Why>> whys() {
    return whys;
  }
}
