package dev.mayfly.cli.job;

import dev.mayfly.cli.client.JobSubmitter;
import dev.mayfly.cli.document.JobWarnings;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.wire.ParsedDocument;

/** A validated job and its cluster. */
record CheckedJob(ParsedDocument document, ClusterStatus cluster) {
  /** Says what its cluster allows, and what will probably not go as it was meant. */
  void warn(Screen screen) {
    for (var warning : JobWarnings.of(JobSubmitter.spec(document), cluster.spec()))
      screen.note("warning: " + document.at().of(warning.path()) + ": " + warning.message());
  }
}
