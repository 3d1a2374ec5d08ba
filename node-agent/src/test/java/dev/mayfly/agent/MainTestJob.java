package dev.mayfly.agent;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OnDemandRules;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Placement;
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
            new JobSpec.Data(
                Optional.of(bucket + "/out/{index}"),
                false,
                OutputMode.UPLOADED,
                false,
                Optional.empty()),
            new JobSpec.Run(
                List.of("sh", "-c", command),
                Optional.empty(),
                Map.of(),
                Duration.ofMinutes(1),
                Duration.ofSeconds(5),
                Duration.ofMinutes(15),
                Map.of(),
                Optional.empty(),
                Map.of(),
                TaskRights.NONE,
                Optional.of(TaskEnvironment.NONE.withCheckpoint(checkpoint))),
            Resources.cpu(1, 1 << 20),
            new RetryRules(3, 100, OnDemandRules.NEVER, List.of()),
            50,
            Placement.ANYWHERE,
            false,
            0,
            false,
            Optional.empty(),
            Optional.empty());
    var items = LongStream.range(0, tasks).mapToObj(TaskItem::counted).toList();
    return new JobInfo(
        "j1", "h1", spec, bucket, Map.of(), tasks, Optional.of(items), Optional.empty());
  }
}
