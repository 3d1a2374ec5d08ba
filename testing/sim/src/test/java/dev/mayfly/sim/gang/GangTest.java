package dev.mayfly.sim.gang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.BatchSize;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.control.CoreControlPlane;
import dev.mayfly.sim.fixture.ScriptedWorld;
import dev.mayfly.sim.observation.TaskProcess;
import dev.mayfly.sim.scenario.PlannedJob;
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
        Resources.cpu(4, 16 * ScriptedWorld.GIB),
        List.of("z-a"),
        Provisioning.SPOT,
        0,
        max,
        Duration.ofMinutes(2),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }

  private static ScriptedWorld stage(PoolSpec pool, PlannedJob... jobs) {
    return ScriptedWorld.of(CoreControlPlane::new, 7, List.of(pool), jobs);
  }

  private static PlannedJob onSlice(int number, int tasks, Duration each) {
    return ScriptedWorld.on("pod", 0, ScriptedWorld.job(number, tasks, 1, each, false));
  }

  @Test
  void theLargestGangRunsAndEnds() {
    var pool = pool("small", "n2-standard-4", BatchSize.GANG);
    var scriptedWorld =
        stage(
            pool,
            ScriptedWorld.on(
                "small",
                BatchSize.GANG,
                ScriptedWorld.job(0, 1, 4, Duration.ofSeconds(30), false)));

    scriptedWorld.until(() -> scriptedWorld.running().size() == BatchSize.GANG, WHILE);
    scriptedWorld.until(scriptedWorld::ended, WHILE);

    assertThat(result(scriptedWorld)).isEqualTo(JobState.Result.SUCCEEDED);
    assertThat(scriptedWorld.begun(1)).isEqualTo(BatchSize.GANG);
  }

  @Test
  void sliceRunsTasksOnAllHostsInTurn() {
    var scriptedWorld = stage(pool("pod", "v4-32", 1), onSlice(0, 2, Duration.ofSeconds(40)));

    scriptedWorld.until(() -> scriptedWorld.running().size() == 4, WHILE);
    assertThat(scriptedWorld.running())
        .extracting(TaskProcess::host)
        .containsExactlyInAnyOrder(0, 1, 2, 3);
    scriptedWorld.until(scriptedWorld::ended, WHILE);

    assertThat(result(scriptedWorld)).isEqualTo(JobState.Result.SUCCEEDED);
    assertThat(scriptedWorld.begun(2)).isEqualTo(8);
    assertThat(scriptedWorld.workers()).hasSize(1);
  }

  @Test
  void deadHostMovesTaskToAnotherSlice() {
    var scriptedWorld = stage(pool("pod", "v4-32", 1), onSlice(0, 1, Duration.ofMinutes(5)));
    scriptedWorld.until(() -> scriptedWorld.running().size() == 4, WHILE);
    var slice = scriptedWorld.running().getFirst().worker();

    scriptedWorld.host(slice + "/2").powerOff();
    scriptedWorld.until(() -> state(scriptedWorld, slice) instanceof WorkerState.Gone, WHILE);
    scriptedWorld.until(() -> scriptedWorld.running().size() == 4, WHILE);

    assertThat(scriptedWorld.running()).noneMatch(p -> p.worker().equals(slice));
    scriptedWorld.until(scriptedWorld::ended, WHILE);
    assertThat(result(scriptedWorld)).isEqualTo(JobState.Result.SUCCEEDED);
    assertThat(shards(scriptedWorld))
        .allMatch(s -> s.attempts().equals(java.util.Map.of(FailureCause.LOST, 1L)));
  }

  @Test
  void sliceWithSilentHostIsGivenUp() {
    var scriptedWorld = stage(pool("pod", "v4-32", 1), onSlice(0, 1, Duration.ofMinutes(1)));
    scriptedWorld.until(() -> scriptedWorld.world.hosts().size() == 4, WHILE);
    var slice = scriptedWorld.workers().getFirst().name();

    scriptedWorld.host(slice + "/3").powerOff();
    scriptedWorld.until(() -> !state(scriptedWorld, slice).live(), Duration.ofHours(2));

    assertThat(scriptedWorld.begun(1)).isZero();
    scriptedWorld.until(scriptedWorld::ended, WHILE);
    assertThat(result(scriptedWorld)).isEqualTo(JobState.Result.SUCCEEDED);
  }

  @Test
  void restartedAgentEndsRunOnAllHosts() {
    var scriptedWorld = stage(pool("pod", "v4-16", 1), onSlice(0, 1, Duration.ofMinutes(5)));
    scriptedWorld.until(() -> scriptedWorld.running().size() == 2, WHILE);
    var before = scriptedWorld.running().getFirst().attempt();

    scriptedWorld.host(scriptedWorld.running().getFirst().worker() + "/1").restartAgent();
    scriptedWorld.until(
        () ->
            scriptedWorld.running().size() == 2
                && scriptedWorld.running().stream().noneMatch(p -> p.attempt().equals(before)),
        WHILE);

    scriptedWorld.until(scriptedWorld::ended, WHILE);
    assertThat(result(scriptedWorld)).isEqualTo(JobState.Result.SUCCEEDED);
  }

  @Test
  void twoJobsUseOneSliceInTurn() {
    var scriptedWorld =
        stage(
            pool("pod", "v4-16", 1),
            onSlice(0, 1, Duration.ofSeconds(30)),
            onSlice(1, 1, Duration.ofSeconds(30)));

    scriptedWorld.until(scriptedWorld::ended, LONG);

    assertThat(scriptedWorld.begun(1)).isEqualTo(4);
    assertThat(scriptedWorld.workers()).hasSize(1);
  }

  @Test
  void gangGetsMachinesDespiteOtherJobs() {
    var crowd = ScriptedWorld.job(0, 400, 4, Duration.ofSeconds(20), false);
    var gang = ScriptedWorld.on("cpu", 3, ScriptedWorld.job(1, 2, 2, Duration.ofMinutes(1), false));
    var scriptedWorld =
        stage(pool("cpu", "n2-standard-4", 3), crowd, urgent(gang, Duration.ofMinutes(9)));

    scriptedWorld.until(
        () -> scriptedWorld.running().size() == 3 && gangs(scriptedWorld).isEmpty(), WHILE);
    scriptedWorld.until(() -> gangs(scriptedWorld).size() == 3, WHILE);
    assertThat(gangs(scriptedWorld)).extracting(TaskProcess::worker).doesNotHaveDuplicates();
    assertThat(scriptedWorld.running()).hasSize(3);
    scriptedWorld.until(
        () -> gangs(scriptedWorld).isEmpty() && scriptedWorld.running().size() == 3, WHILE);

    assertThat(ended(scriptedWorld, "job-1")).as("while the crowd goes on").isTrue();
    assertThat(ended(scriptedWorld, "job-0")).isFalse();
  }

  @Test
  void lostMachineEndsGangAndStartsAnother() {
    var gang = ScriptedWorld.on("cpu", 2, ScriptedWorld.job(0, 1, 2, Duration.ofMinutes(5), false));
    var scriptedWorld = stage(pool("cpu", "n2-standard-4", 2), gang);
    scriptedWorld.until(() -> gangs(scriptedWorld).size() == 2, WHILE);
    var lost = gangs(scriptedWorld).getLast().worker();

    scriptedWorld.host(lost).powerOff();
    scriptedWorld.until(
        () ->
            gangs(scriptedWorld).size() == 2
                && gangs(scriptedWorld).stream().noneMatch(p -> p.worker().equals(lost)),
        WHILE);

    scriptedWorld.until(scriptedWorld::ended, WHILE);
    assertThat(result(scriptedWorld)).isEqualTo(JobState.Result.SUCCEEDED);
    assertThat(scriptedWorld.workers()).hasSize(3);
  }

  @Test
  void machinesDoNotWaitForeverDuringStockout() {
    var gang = ScriptedWorld.on("cpu", 3, ScriptedWorld.job(0, 1, 2, Duration.ofMinutes(5), false));
    var scriptedWorld = stage(pool("cpu", "n2-standard-4", 3), gang);
    var fleet = scriptedWorld.world.fleet();
    fleet.stock("z-a", 2);
    scriptedWorld.until(() -> fleet.ever().size() == 2, WHILE);

    scriptedWorld.until(
        () -> scriptedWorld.workers().stream().noneMatch(w -> w.state().live()), WHILE);
    assertThat(scriptedWorld.begun(1)).isZero();

    fleet.stock("z-a", 3);
    scriptedWorld.until(scriptedWorld::ended, LONG);
    assertThat(result(scriptedWorld)).isEqualTo(JobState.Result.SUCCEEDED);
  }

  @Test
  void stoppedJobsGangIsKilledOnAllHosts() {
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
            job.tasks());
    var scriptedWorld = stage(pool("pod", "v4-32", 1), stopped);
    scriptedWorld.until(() -> scriptedWorld.running().size() == 4, WHILE);

    scriptedWorld.until(scriptedWorld::ended, LONG);

    assertThat(result(scriptedWorld)).isEqualTo(JobState.Result.STOPPED);
    assertThat(scriptedWorld.running()).isEmpty();
  }

  /** The same with a higher priority, submitted at {@code at}. */
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
            spec.settle(),
            Optional.empty());
    return new PlannedJob(
        job.number(), first, at, Optional.empty(), Optional.empty(), 0, 0, job.tasks());
  }

  private static boolean ended(ScriptedWorld scriptedWorld, String name) {
    return scriptedWorld.world.truth().all(Job.class).stream()
        .anyMatch(j -> j.spec().name().equals(name) && j.state().ended());
  }

  private static List<TaskProcess> gangs(ScriptedWorld scriptedWorld) {
    return scriptedWorld.running().stream().filter(TaskProcess::gang).toList();
  }

  private static WorkerState state(ScriptedWorld scriptedWorld, String name) {
    return scriptedWorld.workers().stream()
        .filter(w -> w.name().equals(name))
        .map(Worker::state)
        .findFirst()
        .orElseThrow();
  }

  private static JobState.Result result(ScriptedWorld scriptedWorld) {
    var job = scriptedWorld.world.truth().all(Job.class).getFirst();
    return job.state().end().orElseThrow().result();
  }

  private static List<Shard> shards(ScriptedWorld scriptedWorld) {
    return scriptedWorld.world.truth().all(Shard.class);
  }
}
