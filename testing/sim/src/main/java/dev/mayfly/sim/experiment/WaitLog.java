package dev.mayfly.sim.experiment;

import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.StatusQueries;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** For how long which reason was the first one for which tasks of a job waited. */
final class WaitLog {
  private final StatusQueries queries;
  private final Map<String, Map<String, ExperimentResult.Wait>> waits = new HashMap<>();

  WaitLog(StatusQueries queries) {
    this.queries = queries;
  }

  /**
   * None of its tasks ran for a minute.
   *
   * @param reason as the list of jobs has it, after its kind
   */
  void none(JobStatus job, String reason) {
    var at = reason.indexOf(": ");
    add(job, at < 0 ? "" : reason.substring(0, at), reason.substring(at < 0 ? 0 : at + 2), 1);
  }

  /** Not more of its tasks ran for so many minutes. */
  void some(JobStatus job, int minutes) {
    queries.explain(job.cluster(), job.uid()).reasons().stream()
        .filter(JobExplanation.Reason::tellsWhy)
        .findFirst()
        .ifPresent(reason -> add(job, reason.kind(), reason.text(), minutes));
  }

  private void add(JobStatus job, String kind, String text, int minutes) {
    var time = Duration.ofMinutes(minutes);
    waits
        .computeIfAbsent(job.uid(), _ -> new LinkedHashMap<>())
        .merge(
            kind,
            new ExperimentResult.Wait(kind, RunTime.told(text), time),
            (old, next) -> new ExperimentResult.Wait(kind, next.reason(), old.time().plus(time)));
  }

  /** The longest first. */
  List<ExperimentResult.Wait> of(JobStatus job) {
    return waits.getOrDefault(job.uid(), Map.of()).values().stream()
        .sorted(Comparator.comparing(ExperimentResult.Wait::time).reversed())
        .toList();
  }
}
