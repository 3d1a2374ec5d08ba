package dev.mayfly.agent.task;

import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Jobs as an agent knows them, with only what a test is about. */
final class Sheets {
  private Sheets() {}

  static JobSheet secretly(Map<String, String> secrets, List<String> command) {
    var run =
        new JobSpec.Run(
            command,
            Optional.empty(),
            Map.of(),
            Duration.ofMinutes(1),
            Duration.ofSeconds(5),
            Duration.ofMinutes(15),
            secrets,
            Optional.empty());
    return sheet(run);
  }

  static JobSheet sheet(Optional<String> code, String... command) {
    return sheet(
        new JobSpec.Run(
            List.of(command),
            code,
            Map.of(),
            Duration.ofMinutes(1),
            Duration.ofSeconds(5),
            Duration.ofMinutes(15)));
  }

  private static JobSheet sheet(JobSpec.Run run) {
    var spec =
        new JobSpec(
            "job",
            "cluster",
            Optional.empty(),
            new TaskSource.Count(10),
            new JobSpec.Data(Optional.empty(), false, false, false),
            run,
            Resources.cpu(1, 1 << 20),
            new JobSpec.Retries(3, 100),
            50,
            List.of(),
            false);
    return new JobSheet("j1", "hash", spec, "gs://lab", Map.of(), 10, Optional.empty());
  }
}
