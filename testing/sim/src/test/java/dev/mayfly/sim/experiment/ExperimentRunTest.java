package dev.mayfly.sim.experiment;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.sim.scenario.DurationModel;
import dev.mayfly.sim.scenario.TaskModel;
import dev.mayfly.sim.spec.ClusterBuilder;
import dev.mayfly.sim.spec.JobBuilder;
import dev.mayfly.sim.spec.RunBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ExperimentRunTest {
  private static final long GIB = 1L << 30;
  private static final ZoneConditions CALM =
      new ZoneConditions(
          Optional.empty(), Optional.empty(), List.of(), Optional.empty(), Optional.empty());

  private static PoolSpec pool(Provisioning how, int max, String... zones) {
    return new PoolSpec(
        "cpu",
        "n2-standard-4",
        Resources.cpu(4, 16 * GIB),
        List.of(zones),
        how,
        0,
        max,
        ofMinutes(5),
        ofHours(48),
        MachineSpec.PLAIN);
  }

  private static JobSpec job(String name) {
    return JobBuilder.named(name)
        .resources(Resources.cpu(4, GIB))
        .run(RunBuilder.of("work").timeout(ofHours(2)))
        .build();
  }

  private static ArrivingJob arriving(String name, long tasks, Duration at, TaskModel model) {
    return ArrivingJob.of(job(name), name, tasks, at, model);
  }

  private static Experiment experiment(
      PoolSpec pool, ZoneConditions conditions, ArrivingJob... jobs) {
    var cluster = ClusterBuilder.named("lab").bucket("gs://lab-bucket").pools(pool).build();
    return Experiment.of(cluster, List.of(jobs), List.of(conditions), ofHours(24));
  }

  @Test
  void calmWorldTakesWhatTasksTake() {
    var twenty = arriving("sweep", 20, Duration.ZERO, TaskModel.each(ofMinutes(20)));
    var boot = Optional.<DurationModel>of(new DurationModel.Uniform(ofSeconds(90), ofSeconds(90)));
    var slow =
        new ZoneConditions(Optional.empty(), Optional.empty(), List.of(), Optional.empty(), boot);
    var result = ExperimentRun.of(experiment(pool(Provisioning.SPOT, 5, "z-a"), slow, twenty), 1);

    assertThat(result.complete()).isTrue();
    assertThat(result.took()).isBetween(ofMinutes(81), ofMinutes(84));
    var job = result.jobs().getFirst();
    assertThat(job.done()).isEqualTo(20);
    assertThat(job.started().orElseThrow()).isBetween(ofSeconds(90), ofSeconds(110));
    assertThat(job.waits()).extracting(ExperimentResult.Wait::kind).contains("booting");
    assertThat(job.cost().hours()).isEqualTo(20 / 3.0, Offset.offset(0.1));
    var machines = result.machines().getFirst();
    assertThat(machines.launched()).isEqualTo(5);
    assertThat(machines.most()).isEqualTo(5);
    assertThat(result.total().total().hours()).isGreaterThan(machines.hours());
  }

  @Test
  void sameSeedGivesTheSameResult() {
    var experiment = stormy(Provisioning.SPOT);

    assertThat(ExperimentRun.of(experiment, 3)).isEqualTo(ExperimentRun.of(experiment, 3));
    assertThat(ExperimentRun.of(experiment, 4)).isNotEqualTo(ExperimentRun.of(experiment, 3));
  }

  private static Experiment stormy(Provisioning how) {
    var half =
        new ZoneConditions(
            Optional.empty(), Optional.empty(), List.of(), Optional.of(0.5), Optional.empty());
    var job = arriving("sweep", 40, Duration.ZERO, TaskModel.each(ofMinutes(20)));
    return experiment(pool(how, 8, "z-a"), half, job);
  }

  /** What a notice ended is paid for, and is no work: nobody would know the price of spot else. */
  @Test
  void preemptedAttemptsAreWasteAndNotTasks() {
    var result = ExperimentRun.of(stormy(Provisioning.SPOT), 1);

    assertThat(result.jobs().getFirst().lost()).isPositive();
    assertThat(result.machines().getFirst().preempted()).isPositive();
    assertThat(result.total().tasks().hours()).isEqualTo(40 / 3.0, Offset.offset(0.05));
    assertThat(result.total().lost().hours()).isGreaterThan(0.3);
  }

  @Test
  void preemptedAttemptsOfGangsAreWasteToo() {
    var together = JobBuilder.like(job("train")).gang(2).build();
    var job = ArrivingJob.of(together, "train", 6, Duration.ZERO, TaskModel.each(ofMinutes(20)));
    var half =
        new ZoneConditions(
            Optional.empty(), Optional.empty(), List.of(), Optional.of(0.4), Optional.empty());
    var result = ExperimentRun.of(experiment(pool(Provisioning.SPOT, 2, "z-a"), half, job), 1);

    assertThat(result.jobs().getFirst().lost()).isPositive();
    assertThat(result.total().lost().hours()).isGreaterThan(0.3);
    assertThat(result.total().tasks().hours()).isBetween(4.0, 4.2);
  }

  @Test
  void machinesOnDemandAreNotPreempted() {
    assertThat(
            ExperimentRun.of(stormy(Provisioning.ON_DEMAND), 1).machines().getFirst().preempted())
        .isZero();
  }

  @Test
  void stockOfZoneLimitsMachines() {
    var stock =
        List.of(
            new ZoneConditions.Stock(Duration.ZERO, 0), new ZoneConditions.Stock(ofMinutes(30), 2));
    var scarce =
        new ZoneConditions(
            Optional.of("cpu"), Optional.of("z-a"), stock, Optional.empty(), Optional.empty());
    var job = arriving("late", 8, Duration.ZERO, TaskModel.each(ofMinutes(10)));
    var result = ExperimentRun.of(experiment(pool(Provisioning.SPOT, 8, "z-a"), scarce, job), 1);

    assertThat(result.jobs().getFirst().started().orElseThrow()).isGreaterThan(ofMinutes(30));
    assertThat(result.jobs().getFirst().waits().getFirst().kind()).isEqualTo("stockout");
    assertThat(result.machines().getFirst().most()).isEqualTo(2);
    assertThat(result.machines().getFirst().refused()).isPositive();
  }

  @Test
  void jobsArriveAndFailAsDescribed() {
    var first = arriving("first", 4, Duration.ZERO, TaskModel.each(ofMinutes(1)));
    var failing = new TaskModel(new DurationModel.Uniform(ofMinutes(1), ofMinutes(1)), 1);
    var second = arriving("second", 4, ofHours(3), failing);
    var pool = pool(Provisioning.SPOT, 2, "z-a");
    var result = ExperimentRun.of(experiment(pool, CALM, first, second), 1);

    assertThat(result.jobs())
        .extracting(ExperimentResult.Job::state)
        .containsExactly("succeeded", "failed");
    assertThat(result.jobs().getLast().failed()).isEqualTo(4);
    assertThat(result.jobs().getLast().started().orElseThrow()).isGreaterThan(ofHours(3));
    // Machines of the first are gone after five idle minutes.
    assertThat(result.machines().getFirst().launched()).isEqualTo(4);
  }

  @Test
  void whatNeverEndsIsSaid() {
    var none =
        new ZoneConditions(
            Optional.empty(),
            Optional.empty(),
            List.of(new ZoneConditions.Stock(Duration.ZERO, 0)),
            Optional.empty(),
            Optional.empty());
    var job = arriving("never", 1, Duration.ZERO, TaskModel.each(ofMinutes(1)));
    var result = ExperimentRun.of(experiment(pool(Provisioning.SPOT, 1, "z-a"), none, job), 1);

    assertThat(result.complete()).isFalse();
    assertThat(result.took()).isEqualTo(ofHours(24));
    assertThat(result.jobs().getFirst().ended()).isEmpty();
  }
}
