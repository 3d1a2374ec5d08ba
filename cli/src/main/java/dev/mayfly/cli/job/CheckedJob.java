package dev.mayfly.cli.job;

import dev.mayfly.cli.client.JobSubmitter;
import dev.mayfly.cli.document.UnkeyedFiles;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.core.plan.SecretsInClear;
import dev.mayfly.core.plan.ShortLives;
import dev.mayfly.core.plan.UnmountedPaths;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.wire.ParsedDocument;

/** A validated job and its cluster. */
record CheckedJob(ParsedDocument document, ClusterStatus cluster) {
  /** Says what its cluster allows, and what will probably not go as it was meant. */
  void warn(Screen screen) {
    var job = JobSubmitter.spec(document);
    SecretsInClear.of(job.run().env()).forEach(w -> screen.note("warning: " + w));
    UnkeyedFiles.of(job.run().taskEnvironment().setup()).forEach(w -> screen.note("warning: " + w));
    UnmountedPaths.of(job, cluster.spec()).forEach(w -> screen.note("warning: " + w));
    ShortLives.of(job, cluster.spec()).ifPresent(w -> screen.note("warning: " + w));
  }
}
