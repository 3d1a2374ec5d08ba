package dev.mayfly.cli.job;

import dev.mayfly.cli.client.ApiClient;
import dev.mayfly.cli.client.JobSubmitter;
import dev.mayfly.cli.document.JobWarnings;
import dev.mayfly.cli.document.KeptCheckpoints;
import dev.mayfly.cli.document.UnsentFiles;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.wire.ParsedDocument;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A validated job and its cluster.
 *
 * @param items those of the file that it names
 */
record CheckedJob(ParsedDocument document, ClusterStatus cluster, Optional<JobItems> items) {
  CheckedJob(ParsedDocument document, ClusterStatus cluster) {
    this(document, cluster, Optional.empty());
  }

  /** The same job with another document. */
  CheckedJob with(ParsedDocument changed) {
    return new CheckedJob(changed, cluster, items);
  }

  /** Says what its cluster allows, and what will probably not go as it was meant. */
  void warn(ApiClient api, Screen screen) {
    var job = JobSubmitter.spec(document);
    say(JobWarnings.of(job, cluster.spec()), api, screen);
  }

  /** As above, of a job whose file is in the folder. */
  void warn(ApiClient api, Screen screen, Path folder) {
    var job = JobSubmitter.spec(document);
    var warnings = new ArrayList<>(JobWarnings.of(job, cluster.spec()));
    UnsentFiles.of(job, folder).ifPresent(warnings::add);
    say(warnings, api, screen);
  }

  private void say(List<InputError> known, ApiClient api, Screen screen) {
    var job = JobSubmitter.spec(document);
    var warnings = new ArrayList<>(known);
    if (KeptCheckpoints.of(job).isEmpty() && KeptCheckpoints.ofRepeat(job).isPresent())
      api.findJob(job.cluster(), job.address())
          .flatMap(_ -> KeptCheckpoints.ofRepeat(job))
          .ifPresent(warnings::add);
    UnknownWorkers.of(job, () -> api.workers(job.cluster(), false)).ifPresent(warnings::add);
    for (var warning : warnings)
      screen.note("warning: " + document.at().of(warning.path()) + ": " + warning.message());
  }
}
