package dev.mayfly.cli;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.LeftOutInputs;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.wire.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Views with only the fields that a test needs. */
public final class ViewFixtures {
  public static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
  private static final long GIB = 1L << 30;

  public static final String CLUSTER =
      """
      apiVersion: mayfly.dev/v1
      kind: Cluster
      name: lab
      bucket: gs://lab
      pools:
        - {name: cpu, machine: {type: n2-standard-2}, zones: [z-1], workers: {max: 5}}
      """;

  /** The same with machines that cost without work: each is $0.76, and each GPU $2.48. */
  public static final String WARM =
      CLUSTER
          .replace("max: 5}", "min: 3, max: 3}, provisioning: on-demand")
          .replace("n2-standard-2", "n1-standard-16, gpu: {type: nvidia-tesla-v100, count: 4}");

  public static final String WARNING =
      "warning: cluster lab: pool cpu: workers.min: is 3: so many machines run without work too,"
          + " about $32.08 an hour";

  public static final String JOB =
      """
      apiVersion: mayfly.dev/v1
      kind: Job
      name: reddit
      cluster: lab
      tasks: {count: 12}
      command: [echo, "{index}"]
      """;

  private ViewFixtures() {}

  public static ClusterSpec clusterSpec() {
    return ((UserCommand.ApplyCluster) command(CLUSTER)).spec();
  }

  public static JobSpec jobSpec() {
    return jobSpec(JOB);
  }

  public static JobSpec jobSpec(String text) {
    return ((UserCommand.SubmitJob) command(text)).spec();
  }

  private static UserCommand command(String text) {
    return Wire.codec().commands(text.getBytes(StandardCharsets.UTF_8)).getFirst();
  }

  public static ClusterStatus cluster() {
    return cluster("lab", "gs://lab");
  }

  public static ClusterStatus cluster(String bucket) {
    return cluster("lab", bucket);
  }

  public static ClusterStatus cluster(String name, String bucket) {
    return clusterOf(name, CLUSTER.replace("gs://lab", bucket));
  }

  public static ClusterStatus clusterOf(String name, String file) {
    return clusterOf(name, "up", file, Optional.empty());
  }

  public static ClusterStatus clusterWithoutContainers(String why) {
    return clusterOf("lab", "up", CLUSTER, Optional.of(why));
  }

  /** A cluster whose down was accepted. */
  public static ClusterStatus goingCluster(String name) {
    return clusterOf(name, "going", CLUSTER, Optional.empty());
  }

  private static ClusterStatus clusterOf(
      String name, String phase, String file, Optional<String> noContainers) {
    return new ClusterStatus(
        name,
        "c1",
        phase,
        3,
        NOW.minusSeconds(7_200),
        ((UserCommand.ApplyCluster) command(file)).spec(),
        Map.of("ready", 2, "booting", 1),
        List.of(pool(Optional.of(4), noContainers)),
        new Resources(3_000, 5 * GIB / 2, 0, 0),
        new Resources(4_000, 16 * GIB, 1_000, 0),
        List.of(),
        1,
        List.of("lab-cpu-b: disk nearly full"),
        List.of("1 machine for workers.min: 1 of pool cpu; $0.10 an hour"),
        List.of(),
        Optional.empty());
  }

  private static ClusterStatus.PoolView pool(Optional<Integer> wanted, Optional<String> why) {
    var no = Optional.<String>empty();
    return new ClusterStatus.PoolView("cpu", "n2-standard-2", "spot", 3, wanted, 0, 5, why, no);
  }

  public static WorkerStatus worker(
      String name, String state, long dueIn, Optional<String> reason) {
    return worker(name, state, dueIn, reason, Optional.empty());
  }

  public static WorkerStatus troubled(String name, MachineProblem problem) {
    return worker(name, "ready", 5, Optional.empty(), Optional.of(problem));
  }

  private static WorkerStatus worker(
      String name,
      String state,
      long dueIn,
      Optional<String> reason,
      Optional<MachineProblem> problem) {
    var spoke = state.equals("ready");
    var busy = spoke && dueIn > 0;
    var lease = new WorkerStatus.LeaseView("j1", "reddit", 0, 6, 2, 2, NOW.minusSeconds(9));
    return new WorkerStatus(
        name,
        "cpu",
        "us-central1-a",
        "n2-standard-2",
        state,
        NOW.minusSeconds(60),
        reason,
        spoke ? Optional.of(NOW.plusSeconds(dueIn)) : Optional.empty(),
        busy ? Optional.empty() : Optional.of(NOW.minusSeconds(45)).filter(i -> spoke),
        new Resources(2_000, 8 * GIB, 0, 0),
        busy ? List.of(lease) : List.of(),
        NOW.minusSeconds(300),
        spoke ? Optional.of(NOW.minusSeconds(250)) : Optional.empty(),
        Optional.empty(),
        problem.map(MachineProblem::text),
        problem.map(MachineProblem::kind),
        List.of(),
        List.of(),
        Optional.of(0.0081),
        Optional.of(0.0971),
        Optional.empty(),
        Optional.empty());
  }

  /** A ready worker with tasks 0 to 5 of the job with this uid. */
  public static WorkerStatus worker(String name, String machineType, String job) {
    var plain = worker(name, "ready", 5, Optional.empty());
    return new WorkerStatus(
        name,
        plain.pool(),
        plain.zone(),
        machineType,
        plain.state(),
        plain.since(),
        plain.reason(),
        plain.due(),
        plain.idleSince(),
        plain.total(),
        List.of(new WorkerStatus.LeaseView(job, job, 0, 6, 2, 2, NOW.minusSeconds(9))),
        plain.createdAt(),
        plain.firstSyncAt(),
        Optional.of("1234567890"),
        plain.problem(),
        plain.problemKind(),
        plain.mounts(),
        plain.gpus(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public static AttemptFailure failure(long task, FailureCause failureCause, String said) {
    var code = failureCause == FailureCause.LOST ? AttemptFailure.NO_PROCESS : 3;
    return new AttemptFailure(
        task, "1", failureCause, code, said, "lab-cpu-a", NOW.minusSeconds(5));
  }

  public static JobBuilder job(JobSpec spec) {
    return new JobBuilder(spec);
  }

  /** A job's view. */
  private static JobStatus.RunLimit runLimit(Duration max) {
    return new JobStatus.RunLimit(max, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public static final class JobBuilder {
    private final JobSpec spec;
    private String uid = "j1";
    private String state = "running";
    private TaskTotals taskTotals = new TaskTotals(5, 0, 3, 4, 2);
    private List<AttemptFailure> attemptFailures = List.of();
    private Map<FailureCause, Long> attempts = Map.of();
    private Optional<LeftOutInputs> leftOut = Optional.empty();
    private Optional<String> why = Optional.empty();
    private Optional<Instant> mayRunSince = Optional.empty();
    private String bucket = "gs://lab";

    JobBuilder(JobSpec spec) {
      this.spec = spec;
    }

    public JobBuilder uid(String uid) {
      this.uid = uid;
      return this;
    }

    public JobBuilder state(String state) {
      this.state = state;
      return this;
    }

    public JobBuilder totals(long done, long failed, long ready, long leased) {
      return totals(new TaskTotals(done, failed, ready, leased, 2));
    }

    public JobBuilder totals(TaskTotals totals) {
      taskTotals = totals;
      return this;
    }

    public JobBuilder failures(AttemptFailure... some) {
      attemptFailures = List.of(some);
      return this;
    }

    public JobBuilder attempts(Map<FailureCause, Long> attempts) {
      this.attempts = attempts;
      return this;
    }

    public JobBuilder bucket(String bucket) {
      this.bucket = bucket;
      return this;
    }

    public JobBuilder leavingOut(long count, String first) {
      leftOut = Optional.of(new LeftOutInputs(count, first));
      return this;
    }

    public JobBuilder mayRunSince(Instant time) {
      mayRunSince = Optional.of(time);
      return this;
    }

    public JobBuilder because(String reason) {
      why = Optional.of(reason);
      return this;
    }

    public JobStatus view() {
      var ended = List.of("succeeded", "failed", "stopped").contains(state);
      return new JobStatus(
          spec.name(),
          uid,
          spec.cluster(),
          spec.owner(),
          state,
          ended && why.isEmpty() ? Optional.of("11 done, 1 failed for good") : why,
          12,
          taskTotals,
          attempts,
          attemptFailures,
          NOW.minusSeconds(95),
          NOW.minusSeconds(94),
          ended ? Optional.of(NOW.minusSeconds(10)) : Optional.empty(),
          Optional.empty(),
          bucket,
          spec,
          Optional.empty(),
          Optional.empty(),
          leftOut,
          mayRunSince,
          Optional.of("v1"),
          List.of(),
          spec.admission().maxUsd(),
          spec.admission().maxRunTime().map(ViewFixtures::runLimit),
          Optional.empty(),
          Optional.empty());
    }
  }
}
