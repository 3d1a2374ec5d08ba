package dev.mayfly.core;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.RolloutSpec;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OnDemandRules;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.plan.PlanFixtures;
import dev.mayfly.core.plan.model.JobDemand;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Records with what tests of plans depend on, and nothing beside it. */
public final class SpecFixtures {
  private SpecFixtures() {}

  /** Cluster {@code lab}, whose tasks run on the machines themselves. */
  public static ClusterSpec cluster(PoolSpec... pools) {
    return cluster(List.of(pools));
  }

  public static ClusterSpec cluster(List<PoolSpec> pools) {
    return cluster("lab", pools);
  }

  public static ClusterSpec cluster(String name, List<PoolSpec> pools) {
    return new ClusterSpec(
        name,
        "gs://lab",
        Map.of(),
        pools,
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Map.of(),
        List.of(),
        RolloutSpec.DEFAULT,
        TaskRights.NONE,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Optional.empty());
  }

  /** A command that may take an hour. */
  public static JobSpec.Run run(String... command) {
    return run(List.of(command), Map.of(), Duration.ofHours(1));
  }

  public static JobSpec.Run run(List<String> command, Map<String, String> env, Duration timeout) {
    return new JobSpec.Run(
        command,
        Optional.empty(),
        env,
        timeout,
        Duration.ofSeconds(30),
        Duration.ofMinutes(15),
        Map.of(),
        Optional.empty(),
        Map.of(),
        TaskRights.NONE,
        Optional.empty());
  }

  /** Job {@code train} of cluster {@code lab} without outputs. */
  public static JobSpec job(int tasks, JobSpec.Run run, String... pools) {
    return new JobSpec(
        "train",
        "lab",
        Optional.empty(),
        new TaskSource.Count(tasks),
        uploads(Optional.empty()),
        run,
        Resources.cpu(1, PlanFixtures.GIB),
        retries(3),
        50,
        Placement.inPools(List.of(pools)),
        false,
        0,
        false,
        Optional.empty(),
        Optional.empty());
  }

  /** Outputs that the agent uploads. */
  public static JobSpec.Data uploads(Optional<String> output) {
    return new JobSpec.Data(output, false, OutputMode.UPLOADED, false, Optional.empty());
  }

  /** The rules of a job that never asks for machines on demand. */
  public static RetryRules retries(int failures) {
    return retries(failures, 100);
  }

  public static RetryRules retries(int failures, int infrastructure) {
    return new RetryRules(failures, infrastructure, OnDemandRules.NEVER, List.of());
  }

  /** Of a job of nobody, with the default priority, that may run anywhere. */
  public static JobDemand demand(String uid, String name, Resources need, long ready, long leased) {
    return demand(uid, name, need, ready, leased, new JobDemand.Standing("", 50, false, 0));
  }

  /** Of a job that may run anywhere, without urgency or gang. */
  public static JobDemand demand(
      String uid,
      String name,
      Resources need,
      long ready,
      long leased,
      JobDemand.Standing standing) {
    return new JobDemand(
        uid,
        name,
        need,
        Placement.ANYWHERE,
        ready,
        leased,
        standing,
        JobDemand.Urgency.NONE,
        1,
        JobDemand.Waiting.NEW);
  }

  /** A lease of the first epoch, granted now for one task at a time. */
  public static Worker.Held held(String job, long start, Resources need, List<Long> running) {
    return new Worker.Held(
        job, start, 1, need, PlanFixtures.NOW, running, false, 1, List.of(), List.of());
  }

  public static Stockout stockout(String place, String what, Duration... ages) {
    return new Stockout(
        place,
        what,
        "ZONE_RESOURCE_POOL_EXHAUSTED",
        Arrays.stream(ages).map(PlanFixtures::ago).toList(),
        Optional.empty());
  }
}
