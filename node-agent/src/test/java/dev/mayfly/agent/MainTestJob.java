package dev.mayfly.agent;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.sync.JobInfo;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/** The job that {@link MainTest} gives its agent: one shell command per task. */
final class MainTestJob {
  private MainTestJob() {}

  /**
   * @param checkpoint where the tasks' checkpoints go
   */
  static JobInfo of(int tasks, String bucket, String command, Optional<String> checkpoint) {
    var spec =
        new JobSpec(
            "job",
            "c1",
            Optional.empty(),
            new TaskSource.Count(tasks),
            new JobSpec.Data(Optional.of(bucket + "/out/{index}"), false, false, false),
            new JobSpec.Run(
                    List.of("sh", "-c", command),
                    Optional.empty(),
                    Map.of(),
                    Duration.ofMinutes(1),
                    Duration.ofSeconds(5),
                    Duration.ofMinutes(15))
                .with(TaskEnvironment.NONE.withCheckpoint(checkpoint)),
            Resources.cpu(1, 1 << 20),
            new RetryRules(3, 100),
            50,
            List.of(),
            false);
    var items = LongStream.range(0, tasks).mapToObj(TaskItem::counted).toList();
    return new JobInfo("j1", "h1", spec, bucket, Map.of(), tasks, Optional.of(items));
  }
}
