package dev.mayfly.core.plan;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.LaunchedFor;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.VetoText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Clusters, pools, workers and snapshots; each test sets only what it depends on. */
public final class PlanFixtures {
  public static final long GIB = 1L << 30;
  public static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  public static final String ZONE = "us-central2-b";
  public static final DrainReason IDLE = new DrainReason(DrainCause.UNNEEDED, "idle");

  private PlanFixtures() {}

  public static ClusterSpec cluster(PoolSpec... pools) {
    return SpecFixtures.cluster("us-central2", List.of(pools));
  }

  public static Pool pool(String name) {
    return new Pool(name);
  }

  public static Of view(ClusterSpec cluster) {
    return new Of(cluster);
  }

  public static Of view(PoolSpec... pools) {
    return new Of(cluster(pools));
  }

  public static Instant ago(Duration d) {
    return NOW.minus(d);
  }

  public static WorkerState busy() {
    return new WorkerState.Ready(ago(Duration.ofHours(1)), Optional.empty());
  }

  public static WorkerState idleFor(Duration d) {
    return new WorkerState.Ready(ago(Duration.ofHours(1)), Optional.of(ago(d)));
  }

  public static WorkerState launching() {
    return new WorkerState.Launching(NOW, NOW.plusSeconds(600));
  }

  public static WorkerState draining() {
    return new WorkerState.Draining(NOW, IDLE, NOW.plusSeconds(300));
  }

  public static JobDemand job(String name, double cpus, long ready) {
    return SpecFixtures.demand("uid-" + name, name, Resources.cpu(cpus, GIB), ready, 0);
  }

  /** Machines that are all for the job that the reason names, or for none. */
  public static PlanDecision.Launch launch(String pool, String zone, int count, String reason) {
    var job = Pattern.compile("of job (\\S+)").matcher(reason);
    var jobs = job.find() ? Collections.nCopies(count, job.group(1)) : List.<String>of();
    return launch(pool, zone, count, reason, jobs);
  }

  public static PlanDecision.Launch launch(
      String pool, String zone, int count, String reason, List<String> jobs) {
    var served = jobs.stream().map(name -> new LaunchedFor(name, Optional.empty())).toList();
    return new PlanDecision.Launch(pool, zone, count, reason, served);
  }

  /** The decisions, without which job a new machine serves first. */
  public static List<PlanDecision> plan(ClusterSnapshot snapshot) {
    return Planner.plan(snapshot).stream().map(PlanFixtures::inTurn).toList();
  }

  private static PlanDecision inTurn(PlanDecision decision) {
    return decision instanceof PlanDecision.Launch launch
        ? new PlanDecision.Launch(
            launch.pool(),
            launch.zone(),
            launch.count(),
            launch.reason(),
            launch.jobs().stream().map(LaunchedFor::inTurn).toList())
        : decision;
  }

  public static List<String> texts(List<Veto> vetoes) {
    return vetoes.stream().map(veto -> VetoText.of(veto, NOW).text()).toList();
  }

  public static final class Of {
    private final ClusterSpec spec;
    private final List<Worker> workers = new ArrayList<>();
    private final List<JobDemand> jobs = new ArrayList<>();
    private final List<Stockout> stockouts = new ArrayList<>();
    private Cluster.Phase phase = Cluster.Phase.UP;

    private Of(ClusterSpec spec) {
      this.spec = spec;
    }

    public Of phase(Cluster.Phase p) {
      phase = p;
      return this;
    }

    /** A worker of the pool as specified now, named by the pool and a number. */
    public Of worker(String pool, WorkerState state, Worker.Held... held) {
      var shape = spec.pool(pool).orElseThrow();
      return worker(shape, ZONE, state, ago(Duration.ofHours(1)), held);
    }

    public Of worker(
        PoolSpec shape, String zone, WorkerState state, Instant born, Worker.Held... held) {
      workers.add(
          new Worker(
              "u1",
              shape.name() + "-" + workers.size(),
              shape.name(),
              zone,
              shape.machineType(),
              state,
              1,
              1,
              "",
              Optional.empty(),
              shape.visible(),
              List.of(held),
              Optional.empty(),
              Optional.empty(),
              1,
              born,
              Optional.empty(),
              Optional.empty(),
              shape.provisioning(),
              List.of(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Map.of(),
              Optional.empty(),
              List.of(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty()));
      return this;
    }

    /** Changes the last worker. */
    public Of with(UnaryOperator<Worker> how) {
      workers.add(how.apply(workers.removeLast()));
      return this;
    }

    /** The last worker was launched for a job, which it serves first. */
    public Of launchedFirstFor(JobDemand job) {
      return with(w ->
          new Worker(
              w.cluster(),
              w.name(),
              w.pool(),
              w.zone(),
              w.machineType(),
              w.state(),
              w.epoch(),
              w.seq(),
              w.nonceHash(),
              w.incarnation(),
              w.total(),
              w.held(),
              w.notice(),
              w.instanceId(),
              w.generation(),
              w.createdAt(),
              w.firstSyncAt(),
              w.machineProblem(),
              w.provisioning(),
              w.gpusUsed(),
              w.lastCommandAt(),
              w.metrics(),
              w.mounts(),
              w.labels(),
              Optional.of(job.launchedFor(true)),
              List.of(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty()));
    }

    public Of worker(String pool, String zone, WorkerState state, Worker.Held... held) {
      return worker(spec.pool(pool).orElseThrow(), zone, state, ago(Duration.ofHours(1)), held);
    }

    public Of job(JobDemand jobDemand) {
      jobs.add(jobDemand);
      return this;
    }

    public Of stockout(Stockout s) {
      stockouts.add(s);
      return this;
    }

    public ClusterSnapshot build() {
      var cluster =
          new Cluster("u1", spec, phase, 1, 0, ago(Duration.ofHours(2)), Optional.empty());
      return new ClusterSnapshot(NOW, cluster, workers, jobs, stockouts);
    }

    /** The decisions, without which job a new machine serves first. */
    public List<PlanDecision> plan() {
      return PlanFixtures.plan(build());
    }

    /** Why the job waits. */
    public List<Veto> vetoes(String job) {
      var uid = jobs.stream().filter(j -> j.name().equals(job)).findFirst().orElseThrow().job();
      return Planner.planWithReasons(build()).ofJob(uid);
    }

    /** The same in words. */
    public List<String> reasons(String job) {
      return texts(vetoes(job));
    }

    /** Why the pool is below its minimum, in words. */
    public List<String> poolWhys(String pool) {
      return texts(Planner.planWithReasons(build()).ofPool(pool));
    }
  }

  public static final class Pool {
    private final String name;
    private int cpus = 2;
    private List<String> zones = List.of(ZONE);
    private int min;
    private int max = 10;
    private Duration life = Duration.ofHours(24);
    private long gpus;
    private long gpuMemory;
    private Provisioning provisioning = Provisioning.SPOT;

    private Pool(String name) {
      this.name = name;
    }

    public Pool cpus(int n) {
      cpus = n;
      return this;
    }

    public Pool zones(String... some) {
      zones = List.of(some);
      return this;
    }

    public Pool min(int n) {
      min = n;
      return this;
    }

    public Pool max(int n) {
      max = n;
      return this;
    }

    public Pool gpus(int n) {
      gpus = n;
      return this;
    }

    public Pool gpuMemory(long bytes) {
      gpuMemory = bytes;
      return this;
    }

    public Pool provisioning(Provisioning how) {
      provisioning = how;
      return this;
    }

    public Pool life(Duration d) {
      life = d;
      return this;
    }

    public PoolSpec build() {
      return new PoolSpec(
          name,
          "n2-standard-" + cpus,
          new Resources(1_000L * cpus, 4L * cpus * GIB, 1_000L * gpus, 0, gpuMemory),
          zones,
          provisioning,
          min,
          max,
          Duration.ofMinutes(10),
          life,
          MachineSpec.PLAIN);
    }
  }
}
