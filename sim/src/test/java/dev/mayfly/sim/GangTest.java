package dev.mayfly.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.BatchSize;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.sim.check.Proc;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Work on several hosts at once: I16 and I17 are checked at each step, as always. */
class GangTest {
  private static final Duration LONG = Duration.ofMinutes(30);
  private static final Duration WHILE = Duration.ofMinutes(15);

  private static PoolSpec pool(String name, String type, int max) {
    return new PoolSpec(
        name,
        type,
        Resources.cpu(4, 16 * Stage.GIB),
        List.of("z-a"),
        Provisioning.SPOT,
        0,
        max,
        Duration.ofMinutes(2),
        Duration.ofHours(24));
  }

  private static Stage stage(PoolSpec pool, PlannedJob... jobs) {
    return Stage.of(CorePlane::new, 7, List.of(pool), jobs);
  }

  private static PlannedJob onSlice(int number, int tasks, Duration each) {
    return Stage.on("pod", 0, Stage.job(number, tasks, 1, each, false));
  }

  @Test
  void theLargestGangRunsAndEnds() {
    var pool = pool("small", "n2-standard-4", BatchSize.GANG);
    var stage =
        stage(
            pool,
            Stage.on("small", BatchSize.GANG, Stage.job(0, 1, 4, Duration.ofSeconds(30), false)));

    stage.until(() -> stage.running().size() == BatchSize.GANG, WHILE);
    stage.until(stage::ended, WHILE);

    assertThat(result(stage)).isEqualTo(JobState.Result.SUCCEEDED);
    assertThat(stage.begun(1)).isEqualTo(BatchSize.GANG);
  }

  @Test
  void aTaskRunsOnAllHostsOfASliceAndTheSliceRunsTheNextOne() {
    var stage = stage(pool("pod", "v4-32", 1), onSlice(0, 2, Duration.ofSeconds(40)));

    stage.until(() -> stage.running().size() == 4, WHILE);
    assertThat(stage.running()).extracting(Proc::host).containsExactlyInAnyOrder(0, 1, 2, 3);
    stage.until(stage::ended, WHILE);

    assertThat(result(stage)).isEqualTo(JobState.Result.SUCCEEDED);
    assertThat(stage.begun(2)).isEqualTo(8);
    assertThat(stage.workers()).hasSize(1);
  }

  @Test
  void aHostThatDiesTakesItsSliceAndTheTaskRunsOnAllHostsOfAnother() {
    var stage = stage(pool("pod", "v4-32", 1), onSlice(0, 1, Duration.ofMinutes(5)));
    stage.until(() -> stage.running().size() == 4, WHILE);
    var slice = stage.running().getFirst().worker();

    stage.host(slice + "/2").powerOff();
    stage.until(() -> state(stage, slice) instanceof WorkerState.Gone, WHILE);
    stage.until(() -> stage.running().size() == 4, WHILE);

    assertThat(stage.running()).noneMatch(p -> p.worker().equals(slice));
    stage.until(stage::ended, WHILE);
    assertThat(result(stage)).isEqualTo(JobState.Result.SUCCEEDED);
    assertThat(shards(stage)).allMatch(s -> s.attempts().equals(java.util.Map.of(Cause.LOST, 1L)));
  }

  @Test
  void aSliceOfWhichOneHostNeverSpeaksIsGivenUpAndRunsNothing() {
    var stage = stage(pool("pod", "v4-32", 1), onSlice(0, 1, Duration.ofMinutes(1)));
    stage.until(() -> stage.world.hosts().size() == 4, WHILE);
    var slice = stage.workers().getFirst().name();

    stage.host(slice + "/3").powerOff();
    stage.until(() -> !state(stage, slice).live(), Duration.ofHours(2));

    assertThat(stage.begun(1)).isZero();
    stage.until(stage::ended, WHILE);
    assertThat(result(stage)).isEqualTo(JobState.Result.SUCCEEDED);
  }

  @Test
  void anAgentThatBeginsAnewEndsTheRunOnAllHosts() {
    var stage = stage(pool("pod", "v4-16", 1), onSlice(0, 1, Duration.ofMinutes(5)));
    stage.until(() -> stage.running().size() == 2, WHILE);
    var before = stage.running().getFirst().attempt();

    stage.host(stage.running().getFirst().worker() + "/1").restartAgent();
    stage.until(
        () ->
            stage.running().size() == 2
                && stage.running().stream().noneMatch(p -> p.attempt().equals(before)),
        WHILE);

    stage.until(stage::ended, WHILE);
    assertThat(result(stage)).isEqualTo(JobState.Result.SUCCEEDED);
  }

  @Test
  void twoJobsThatWantOneSliceHaveItOneAfterTheOther() {
    var stage =
        stage(
            pool("pod", "v4-16", 1),
            onSlice(0, 1, Duration.ofSeconds(30)),
            onSlice(1, 1, Duration.ofSeconds(30)));

    stage.until(stage::ended, LONG);

    assertThat(stage.begun(1)).isEqualTo(4);
    assertThat(stage.workers()).hasSize(1);
  }

  @Test
  void aGangBeginsOnAsManyMachinesAtOnceAlthoughOthersWantEachOfThem() {
    var crowd = Stage.job(0, 400, 4, Duration.ofSeconds(20), false);
    var gang = Stage.on("cpu", 3, Stage.job(1, 2, 2, Duration.ofMinutes(1), false));
    var stage = stage(pool("cpu", "n2-standard-4", 3), crowd, urgent(gang, Duration.ofMinutes(9)));

    stage.until(() -> stage.running().size() == 3 && gangs(stage).isEmpty(), WHILE);
    stage.until(() -> gangs(stage).size() == 3, WHILE);
    assertThat(gangs(stage)).extracting(Proc::worker).doesNotHaveDuplicates();
    assertThat(stage.running()).hasSize(3);
    stage.until(() -> gangs(stage).isEmpty() && stage.running().size() == 3, WHILE);

    assertThat(ended(stage, "job-1")).as("while the crowd goes on").isTrue();
    assertThat(ended(stage, "job-0")).isFalse();
  }

  @Test
  void aMachineThatIsLostEndsItsGangAndAnotherOneIsGathered() {
    var gang = Stage.on("cpu", 2, Stage.job(0, 1, 2, Duration.ofMinutes(5), false));
    var stage = stage(pool("cpu", "n2-standard-4", 2), gang);
    stage.until(() -> gangs(stage).size() == 2, WHILE);
    var lost = gangs(stage).getLast().worker();

    stage.host(lost).powerOff();
    stage.until(
        () ->
            gangs(stage).size() == 2
                && gangs(stage).stream().noneMatch(p -> p.worker().equals(lost)),
        WHILE);

    stage.until(stage::ended, WHILE);
    assertThat(result(stage)).isEqualTo(JobState.Result.SUCCEEDED);
    assertThat(stage.workers()).hasSize(3);
  }

  @Test
  void machinesDoNotWaitForEverForARestThatIsOutOfStock() {
    var gang = Stage.on("cpu", 3, Stage.job(0, 1, 2, Duration.ofMinutes(5), false));
    var stage = stage(pool("cpu", "n2-standard-4", 3), gang);
    var fleet = stage.world.fleet();
    fleet.stock("z-a", 2);
    stage.until(() -> fleet.ever().size() == 2, WHILE);

    stage.until(() -> stage.workers().stream().noneMatch(w -> w.state().live()), WHILE);
    assertThat(stage.begun(1)).isZero();

    fleet.stock("z-a", 3);
    stage.until(stage::ended, LONG);
    assertThat(result(stage)).isEqualTo(JobState.Result.SUCCEEDED);
  }

  @Test
  void aStoppedJobsGangIsKilledOnAllHosts() {
    var job = onSlice(0, 1, Duration.ofHours(1));
    var stopped =
        new PlannedJob(
            0,
            job.spec(),
            job.at(),
            Optional.of(Duration.ofMinutes(20)),
            Optional.empty(),
            0,
            0,
            job.shortest(),
            job.longest());
    var stage = stage(pool("pod", "v4-32", 1), stopped);
    stage.until(() -> stage.running().size() == 4, WHILE);

    stage.until(stage::ended, LONG);

    assertThat(result(stage)).isEqualTo(JobState.Result.STOPPED);
    assertThat(stage.running()).isEmpty();
  }

  /** The same with a higher priority, so long after the beginning. */
  private static PlannedJob urgent(PlannedJob job, Duration at) {
    var spec = job.spec();
    var first =
        new JobSpec(
            spec.name(),
            spec.cluster(),
            spec.owner(),
            spec.tasks(),
            spec.data(),
            spec.run(),
            spec.resources(),
            spec.retries(),
            90,
            spec.place(),
            spec.exclusive(),
            spec.gang(),
            spec.anyRegion(),
            spec.settle());
    return new PlannedJob(
        job.number(),
        first,
        at,
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        job.shortest(),
        job.longest());
  }

  private static boolean ended(Stage stage, String name) {
    return stage.world.truth().all(Job.class).stream()
        .anyMatch(j -> j.spec().name().equals(name) && j.state().ended());
  }

  private static List<Proc> gangs(Stage stage) {
    return stage.running().stream().filter(Proc::gang).toList();
  }

  private static WorkerState state(Stage stage, String name) {
    return stage.workers().stream()
        .filter(w -> w.name().equals(name))
        .map(Worker::state)
        .findFirst()
        .orElseThrow();
  }

  private static JobState.Result result(Stage stage) {
    var job = stage.world.truth().all(Job.class).getFirst();
    return ((JobState.Ended) job.state()).result();
  }

  private static List<Shard> shards(Stage stage) {
    return stage.world.truth().all(Shard.class);
  }
}
