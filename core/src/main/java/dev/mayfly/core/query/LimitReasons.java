package dev.mayfly.core.query;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.text.HumanAmounts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which machines hold a job's tasks to fewer limits than it asks for. */
final class LimitReasons {
  private LimitReasons() {}

  /**
   * @param workers of the cluster
   * @param job by uid
   */
  static List<JobExplanation.Reason> of(List<Worker> workers, String job) {
    var byText = new LinkedHashMap<String, List<String>>();
    for (var worker : workers)
      if (worker.held().stream().anyMatch(held -> held.job().equals(job)))
        worker
            .machineProblem()
            .filter(it -> it.is(MachineProblem.Kind.UNLIMITED))
            .ifPresent(
                it -> byText.computeIfAbsent(it.text(), _ -> new ArrayList<>()).add(worker.name()));
    return byText.entrySet().stream().map(LimitReasons::reason).toList();
  }

  private static JobExplanation.Reason reason(Map.Entry<String, List<String>> same) {
    var workers = same.getValue();
    var which =
        workers.size() == 1
            ? "worker %s, which has".formatted(workers.getFirst())
            : HumanAmounts.count(workers.size(), "worker") + ", which have";
    return new JobExplanation.Reason(
        "limits", "%s tasks of it: %s".formatted(which, same.getKey()));
  }
}
