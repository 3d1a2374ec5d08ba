package dev.mayfly.agent.task;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.StopReason;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OnDemandRules;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.sync.JobInfo;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Jobs as an agent knows them, minimal for each test. */
public final class TestJobs {
  private TestJobs() {}

  public static JobInfo secretly(Map<String, String> secrets, List<String> command) {
    var run = run(command, Optional.empty(), Map.of(), secrets, Optional.empty());
    return jobInfo(run);
  }

  public static JobInfo jobInfo(Optional<String> code, String... command) {
    return jobInfo(run(List.of(command), code, Map.of(), Map.of(), Optional.empty()));
  }

  /** A job with input, on a host with TPU chips. */
  static JobInfo onTpu(String... command) {
    var run = run(List.of(command), Optional.empty(), Map.of(), Map.of(), Optional.empty());
    return jobInfo(run, new Resources(1_000, 1 << 20, 0, 4), true);
  }

  /** As above, with rights. */
  static JobInfo with(TaskRights taskRights, JobInfo plain) {
    return plain.withSpec(plain.spec().with(taskRights));
  }

  /** As above, in this environment. */
  public static JobInfo with(TaskEnvironment environment, JobInfo plain) {
    return plain.withSpec(plain.spec().with(environment));
  }

  /** As above, with its inputs downloaded. */
  public static JobInfo downloading(JobInfo plain) {
    return plain.withSpec(
        withData(
            plain.spec(),
            new JobSpec.Data(
                Optional.empty(), true, OutputMode.UPLOADED, false, Optional.empty())));
  }

  /** As above, for this owner. */
  static JobInfo owned(String owner, JobInfo plain) {
    return plain.withSpec(plain.spec().ownedBy(owner));
  }

  private static JobSpec withData(JobSpec spec, JobSpec.Data data) {
    return new JobSpec(
        spec.name(),
        spec.cluster(),
        spec.owner(),
        spec.tasks(),
        data,
        spec.run(),
        spec.resources(),
        spec.retries(),
        spec.priority(),
        spec.place(),
        spec.exclusive(),
        spec.gang(),
        spec.anyRegion(),
        spec.settle(),
        spec.admissionRules());
  }

  static JobInfo withEnv(Map<String, String> env, String... command) {
    return jobInfo(run(List.of(command), Optional.empty(), env, Map.of(), Optional.empty()));
  }

  static JobInfo inImage(String image, Resources need, String... command) {
    var run = run(List.of(command), Optional.empty(), Map.of(), Map.of(), Optional.of(image));
    return jobInfo(run, need, false);
  }

  /** A quarter of a GPU with a gibibyte of its memory. */
  static JobInfo onGpu(String... command) {
    var run = run(List.of(command), Optional.empty(), Map.of(), Map.of(), Optional.empty());
    return jobInfo(run, new Resources(1_000, 1 << 20, 250, 0, 1L << 30), false);
  }

  /** Kills because the job was stopped. */
  public static AgentEffect.Kill kill(TaskAttempt attempt, Duration grace) {
    return kill(attempt, grace, StopReason.STOPPED);
  }

  public static AgentEffect.Kill kill(TaskAttempt attempt, Duration grace, StopReason reason) {
    return new AgentEffect.Kill(attempt, grace, Duration.ZERO, reason, "");
  }

  private static JobSpec.Run run(
      List<String> command,
      Optional<String> code,
      Map<String, String> env,
      Map<String, String> secrets,
      Optional<String> image) {
    return new JobSpec.Run(
        command,
        code,
        env,
        Duration.ofMinutes(1),
        Duration.ofSeconds(5),
        Duration.ofMinutes(15),
        secrets,
        image,
        Map.of(),
        TaskRights.NONE,
        Optional.empty());
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
            new JobSpec.Data(
                Optional.empty(), inputs, OutputMode.UPLOADED, false, Optional.empty()),
            run,
            need,
            new RetryRules(3, 100, OnDemandRules.NEVER, List.of()),
            50,
            Placement.ANYWHERE,
            false,
            0,
            false,
            Optional.empty(),
            Optional.empty());
    return new JobInfo(
        "j1", "hash", spec, "gs://lab", Map.of(), 10, Optional.empty(), Optional.empty());
  }
}
