package dev.mayfly.agent.task;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.sync.JobInfo;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Jobs as an agent knows them, minimal for each test. */
final class TestJobs {
  private TestJobs() {}

  static JobInfo secretly(Map<String, String> secrets, List<String> command) {
    var run =
        new JobSpec.Run(
            command,
            Optional.empty(),
            Map.of(),
            Duration.ofMinutes(1),
            Duration.ofSeconds(5),
            Duration.ofMinutes(15),
            secrets,
            Optional.empty(),
            Map.of());
    return jobInfo(run);
  }

  static JobInfo jobInfo(Optional<String> code, String... command) {
    return jobInfo(
        new JobSpec.Run(
            List.of(command),
            code,
            Map.of(),
            Duration.ofMinutes(1),
            Duration.ofSeconds(5),
            Duration.ofMinutes(15)));
  }

  /** A job with input, on a host with TPU chips. */
  static JobInfo onTpu(String... command) {
    var run =
        new JobSpec.Run(
            List.of(command),
            Optional.empty(),
            Map.of(),
            Duration.ofMinutes(1),
            Duration.ofSeconds(5),
            Duration.ofMinutes(15));
    return jobInfo(run, new Resources(1_000, 1 << 20, 0, 4), true);
  }

  /** As above, with rights. */
  static JobInfo with(TaskRights taskRights, JobInfo plain) {
    return new JobInfo(
        plain.job(),
        plain.hash(),
        plain.spec().with(taskRights),
        plain.bucket(),
        plain.env(),
        plain.tasks(),
        plain.items());
  }

  /** As above, in this environment. */
  static JobInfo with(TaskEnvironment environment, JobInfo plain) {
    var spec = plain.spec();
    return new JobInfo(
        plain.job(),
        plain.hash(),
        new JobSpec(
            spec.name(),
            spec.cluster(),
            spec.owner(),
            spec.tasks(),
            spec.data(),
            spec.run().with(environment),
            spec.resources(),
            spec.retries(),
            spec.priority(),
            spec.place().pools(),
            spec.exclusive()),
        plain.bucket(),
        plain.env(),
        plain.tasks(),
        plain.items());
  }

  /** As above, for this owner. */
  static JobInfo owned(String owner, JobInfo plain) {
    var spec = plain.spec();
    return new JobInfo(
        plain.job(),
        plain.hash(),
        new JobSpec(
            spec.name(),
            spec.cluster(),
            Optional.of(owner),
            spec.tasks(),
            spec.data(),
            spec.run(),
            spec.resources(),
            spec.retries(),
            spec.priority(),
            spec.place().pools(),
            spec.exclusive()),
        plain.bucket(),
        plain.env(),
        plain.tasks(),
        plain.items());
  }

  static JobInfo withEnv(Map<String, String> env, String... command) {
    return jobInfo(
        new JobSpec.Run(
            List.of(command),
            Optional.empty(),
            env,
            Duration.ofMinutes(1),
            Duration.ofSeconds(5),
            Duration.ofMinutes(15)));
  }

  static JobInfo inImage(String image, Resources need, String... command) {
    var run =
        new JobSpec.Run(
            List.of(command),
            Optional.empty(),
            Map.of(),
            Duration.ofMinutes(1),
            Duration.ofSeconds(5),
            Duration.ofMinutes(15),
            Map.of(),
            Optional.of(image),
            Map.of());
    return jobInfo(run, need, false);
  }

  /** A quarter of a GPU with a gibibyte of its memory. */
  static JobInfo onGpu(String... command) {
    var run =
        new JobSpec.Run(
            List.of(command),
            Optional.empty(),
            Map.of(),
            Duration.ofMinutes(1),
            Duration.ofSeconds(5),
            Duration.ofMinutes(15));
    return jobInfo(run, new Resources(1_000, 1 << 20, 250, 0, 1L << 30), false);
  }

  private static JobInfo jobInfo(JobSpec.Run run) {
    return jobInfo(run, Resources.cpu(1, 1 << 20), false);
  }

  private static JobInfo jobInfo(JobSpec.Run run, Resources need, boolean inputs) {
    var spec =
        new JobSpec(
            "job",
            "cluster",
            Optional.empty(),
            new TaskSource.Count(10),
            new JobSpec.Data(Optional.empty(), inputs, false, false),
            run,
            need,
            new RetryRules(3, 100),
            50,
            List.of(),
            false);
    return new JobInfo("j1", "hash", spec, "gs://lab", Map.of(), 10, Optional.empty());
  }
}
