package dev.mayfly.core.query;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.WorkerState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Why ready workers take no tasks, for {@link JobExplainer}: one reason per cause. */
final class UnfitReasons {
  private static final int NAMED = 3;

  private UnfitReasons() {}

  /** Whether the worker takes no tasks; missing limits alone do not prevent that. */
  static boolean isUnfit(Worker worker) {
    return worker.state() instanceof WorkerState.Ready
        && worker.problem().filter(p -> !p.startsWith(SyncReport.UNLIMITED)).isPresent();
  }

  static List<JobExplanation.Reason> of(List<Worker> workers) {
    var byCause = new LinkedHashMap<String, List<String>>();
    for (var worker : workers)
      if (isUnfit(worker))
        byCause
            .computeIfAbsent(worker.problem().orElse(""), p -> new ArrayList<>())
            .add(worker.name());
    return byCause.entrySet().stream().map(UnfitReasons::reason).toList();
  }

  private static JobExplanation.Reason reason(Map.Entry<String, List<String>> problemAndNames) {
    var names = problemAndNames.getValue();
    var subject =
        (names.size() == 1 ? "worker " : "workers ")
            + String.join(", ", names.stream().limit(NAMED).toList())
            + (names.size() > NAMED ? " and " + (names.size() - NAMED) + " more" : "");
    var problem = problemAndNames.getKey();
    if (problem.startsWith(SyncReport.PREPARING)) {
      var what = problem.substring(SyncReport.PREPARING.length());
      return new JobExplanation.Reason(
          "preparing", subject + (names.size() == 1 ? " prepares: " : " prepare: ") + what);
    }
    if (problem.startsWith(SyncReport.UNFIT)) {
      var why = problem.substring(SyncReport.UNFIT.length());
      return new JobExplanation.Reason(
          "unfit", subject + (names.size() == 1 ? " takes" : " take") + " no tasks: " + why);
    }
    return new JobExplanation.Reason(
        "trouble", subject + (names.size() == 1 ? " reports: " : " report: ") + problem);
  }
}
