package dev.mayfly.cli.job;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.query.estimate.DurationSample;
import dev.mayfly.core.query.estimate.JobForecast;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.util.Optional;

/**
 * What a job takes and costs that is not submitted.
 *
 * @param each what a task takes, if a person says it; otherwise it is what the tasks of the newest
 *     job of the name took
 */
record DryRunForecast(Optional<Duration> each, CliContext cliContext) {
  JobForecast of(JobSpec job, long tasks, ClusterSpec cluster) {
    if (each.isPresent())
      return JobForecast.of(
          job,
          tasks,
          cluster,
          DurationSample.said(each.get()),
          "if each takes " + HumanDuration.exact(each.get()));
    var api = cliContext.api();
    var before = api.findJob(cluster.name(), job.address());
    return before
        .flatMap(it -> api.estimate(cluster.name(), it.uid()))
        .flatMap(estimate -> estimate.took())
        .map(took ->
            JobForecast.of(
                job, tasks, cluster, took, took.basis(job.name(), before.get().submittedAt())))
        .orElseGet(() ->
            JobForecast.unknown(
                "no job %s has done a task before; --each 20m says what one takes"
                    .formatted(job.name())));
  }
}
