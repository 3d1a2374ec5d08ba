package dev.mayfly.sim.failure;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.MachineUsage.Purpose;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.fixture.ScriptedWorld;
import dev.mayfly.sim.observation.TaskProcess;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers with dead or frozen machines, and how soon their tasks run elsewhere. */
class WorkerLossTest {
  private static final Duration HOUR = Duration.ofHours(1);

  /** A world of {@code workers} workers with two slots each, and {@code tasks} running tasks. */
  private static final Set<Purpose> LOST = Set.of(Purpose.LOST, Purpose.PREEMPTED);

  private static ScriptedWorld running(long seed, int workers, int max, int tasks) {
    var scriptedWorld =
        ScriptedWorld.of(seed, workers, max, ScriptedWorld.job(0, tasks, 2, HOUR, false));
    scriptedWorld.until(
        () -> scriptedWorld.ready() == workers && scriptedWorld.running().size() == tasks,
        ofMinutes(20));
    return scriptedWorld.advance(ofSeconds(15 + seed % 7));
  }

  /** Freezes a busy worker, and returns its task processes. */
  private static List<TaskProcess> freezeOne(ScriptedWorld scriptedWorld) {
    var victim = scriptedWorld.running().getFirst().worker();
    var tasks = scriptedWorld.running(victim);
    scriptedWorld.host(victim).freeze();
    return tasks;
  }

  @ParameterizedTest
  @CsvSource({"2,1", "2,2", "3,1", "3,2", "5,1", "5,2", "5,3"})
  void frozenWorkerAmongIdlePeersIsReplacedSoon(int workers, long seed) {
    var scriptedWorld = running(seed, workers, workers, 1);

    var tasks = freezeOne(scriptedWorld);

    assertThat(scriptedWorld.until(() -> scriptedWorld.elsewhere(tasks), ofSeconds(200)))
        .isLessThan(ofSeconds(40));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void workerWhoseDeviceIsGoneIsReplaced(long seed) {
    var scriptedWorld =
        ScriptedWorld.of(seed, 1, 1, ScriptedWorld.job(0, 40, 2, ofMinutes(1), false));
    scriptedWorld.until(() -> scriptedWorld.running().size() == 2, ofMinutes(20));
    var victim = scriptedWorld.running().getFirst().worker();

    scriptedWorld.host(victim).loseDevice(HOUR);

    scriptedWorld.until(
        () -> scriptedWorld.running().stream().anyMatch(p -> !p.worker().equals(victim)),
        ofMinutes(10));
    assertThat(scriptedWorld.running(victim)).isEmpty();
    scriptedWorld.until(scriptedWorld::ended, ofMinutes(40));
    assertThat(scriptedWorld.begun(40)).isEqualTo(40);
  }

  @ParameterizedTest
  @CsvSource({"2,1", "2,2", "3,1", "3,2", "5,1", "5,2", "5,3"})
  void frozenWorkerAmongBusyPeersIsReplacedSoon(int workers, long seed) {
    var scriptedWorld = running(seed, workers, workers, 2 * workers - 2);

    var tasks = freezeOne(scriptedWorld);

    assertThat(scriptedWorld.until(() -> scriptedWorld.elsewhere(tasks), ofSeconds(200)))
        .isLessThan(ofSeconds(40));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void frozenLoneWorkerIsReplacedWithin200Seconds(long seed) {
    var scriptedWorld = running(seed, 1, 2, 2);

    var tasks = freezeOne(scriptedWorld);

    assertThat(scriptedWorld.until(() -> scriptedWorld.elsewhere(tasks), ofSeconds(400)))
        .isLessThan(ofSeconds(200));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void frozenWorkerThatWakesIsNotLost(long seed) {
    var scriptedWorld = running(seed, 3, 3, 2);

    var victim = freezeOne(scriptedWorld).getFirst().worker();
    scriptedWorld.advance(ofSeconds(10));
    scriptedWorld.host(victim).resume(Duration.ZERO);
    scriptedWorld.advance(ofMinutes(3));

    assertThat(scriptedWorld.lost()).isZero();
    assertThat(scriptedWorld.begun(2)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void preemptedWorkersAreReplacedAtNextTick(long seed) {
    var scriptedWorld = running(seed, 4, 8, 8);

    for (var simHost : scriptedWorld.world.powered())
      scriptedWorld.world.fleet().preempt(simHost.machine(), false, ofSeconds(1), false);

    scriptedWorld.until(
        () -> scriptedWorld.workers().stream().filter(WorkerLossTest::coming).count() == 4,
        ofSeconds(65));
  }

  /** What machines take along is called so in costs, however their end is learned. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatPreemptedMachinesTookAlongIsLost(boolean told) {
    var scriptedWorld = running(1, 4, 4, 8).advance(ofMinutes(4));
    if (told) scriptedWorld.world.gateway().log().on();

    for (var simHost : scriptedWorld.world.powered())
      scriptedWorld.world.fleet().preempt(simHost.machine(), false, ofSeconds(1), told);
    scriptedWorld.advance(ofMinutes(3));

    // Eight tasks, two on each of four machines.
    assertThat(lost(scriptedWorld)).isBetween(ofMinutes(4 * 4), ofMinutes(4 * 6));
  }

  /** Which an agent that is gone cannot tell: the grant of their lease, while no task has ended. */
  @Test
  void firstAttemptsOfALostLeaseBeganWithIt() {
    var scriptedWorld = running(1, 4, 4, 8);

    var failures = preempted(scriptedWorld);

    // They ran for 16 seconds, and that their machine is gone is known two minutes later at most.
    assertThat(failures).hasSize(8);
    assertThat(failures)
        .allSatisfy(it -> assertThat(ran(it)).isBetween(ofSeconds(16), ofSeconds(16 + 150)));
  }

  @Test
  void laterAttemptsOfALostLeaseBeganAsTold() {
    var scriptedWorld =
        ScriptedWorld.of(1, 2, 2, ScriptedWorld.job(0, 40, 2, ofMinutes(10), false));
    scriptedWorld.until(() -> scriptedWorld.begun(40) > 4, ofMinutes(30));
    scriptedWorld.advance(ofMinutes(4));

    var failures = preempted(scriptedWorld);

    assertThat(failures).hasSize(4);
    assertThat(failures)
        .allSatisfy(it -> assertThat(ran(it)).isBetween(ofMinutes(3), ofMinutes(7)));
  }

  private static List<AttemptFailure> preempted(ScriptedWorld scriptedWorld) {
    for (var simHost : scriptedWorld.world.powered())
      scriptedWorld.world.fleet().preempt(simHost.machine(), false, ofSeconds(1), false);
    scriptedWorld.advance(ofMinutes(3));
    return scriptedWorld.world.truth().all(Shard.class).stream()
        .flatMap(shard -> shard.evidence().stream())
        .toList();
  }

  private static Duration ran(AttemptFailure failure) {
    return Duration.between(failure.startedAt().orElseThrow(), failure.at());
  }

  private static Duration lost(ScriptedWorld scriptedWorld) {
    var truth = scriptedWorld.world.truth();
    var ofWorkers =
        truth.all(Worker.class).stream()
            .flatMap(worker -> worker.usage().stream())
            .flatMap(usage -> usage.entries().stream())
            .filter(entry -> LOST.contains(entry.purpose()))
            .mapToLong(MachineUsage.Entry::millis);
    var moved =
        truth.all(Usage.class).stream()
            .flatMap(usage -> usage.rows().stream())
            .filter(row -> LOST.contains(row.purpose()))
            .mapToLong(Usage.Row::millis);
    return Duration.ofMillis(LongStream.concat(ofWorkers, moved).sum());
  }

  private static boolean coming(Worker worker) {
    return worker.state() instanceof WorkerState.Launching
        || worker.state() instanceof WorkerState.Booting;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void noticedTasksMoveWithinSeconds(long seed) {
    var scriptedWorld = running(seed, 3, 3, 2);
    var victim = scriptedWorld.running().getFirst().worker();
    var tasks = scriptedWorld.running(victim);

    scriptedWorld
        .world
        .fleet()
        .preempt(scriptedWorld.host(victim).machine(), true, ofSeconds(1), false);

    var took = scriptedWorld.until(() -> scriptedWorld.elsewhere(tasks), ofSeconds(60));
    // The tasks' own grace comes first: at least half a second, at most NOTICE_GRACE.
    assertThat(took).isLessThan(ofSeconds(6));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aThawedWorkerKillsItsOwnAndRecordsNothing(long seed) {
    var scriptedWorld =
        ScriptedWorld.of(seed, 3, 3, ScriptedWorld.job(0, 2, 2, ofMinutes(4), false));
    scriptedWorld.until(
        () -> scriptedWorld.ready() == 3 && scriptedWorld.running().size() == 2, ofMinutes(15));
    var victim = scriptedWorld.running().getFirst().worker();
    var tasks = scriptedWorld.running(victim);
    // Its processes are frozen too, so neither they nor the machine can end before the thaw.
    scriptedWorld.world.fleet().deletesFail(true);
    scriptedWorld.host(victim).freeze();
    scriptedWorld.until(scriptedWorld::ended, ofMinutes(15));
    assertThat(scriptedWorld.running(victim)).hasSameSizeAs(tasks);

    scriptedWorld.host(victim).resume(Duration.ZERO);
    scriptedWorld.advance(ofMinutes(2));

    assertThat(scriptedWorld.running(victim)).isEmpty();
    for (var sentinel :
        scriptedWorld
            .world
            .objects()
            .list(dev.mayfly.core.port.ObjectUrl.of("gs://lab-bucket/out-0/"), "", 1000)
            .objects())
      if (sentinel.url().name().endsWith(Sentinel.SUFFIX))
        assertThat(sentinel.metadata().get("mayfly-worker")).isNotEqualTo(victim);
  }

  @Test
  void exclusiveWorkWaitsForFrozenMachineEnd() {
    var scriptedWorld = ScriptedWorld.of(1, 3, 3, ScriptedWorld.job(0, 2, 2, HOUR, true));
    scriptedWorld.until(
        () -> scriptedWorld.ready() == 3 && scriptedWorld.running().size() == 2, ofMinutes(15));

    var tasks = freezeOne(scriptedWorld);
    scriptedWorld.until(() -> scriptedWorld.elsewhere(tasks), ofMinutes(10));

    assertThat(scriptedWorld.running(tasks.getFirst().worker())).isEmpty();
  }

  @Test
  void lateReportDoesNotConfirmLeaseEnded() {
    var scriptedWorld = ScriptedWorld.of(1, 3, 3, ScriptedWorld.job(0, 2, 2, HOUR, true));
    scriptedWorld.until(
        () -> scriptedWorld.ready() == 3 && scriptedWorld.running().size() == 2, ofMinutes(15));
    var tasks = freezeOne(scriptedWorld);
    var victim = tasks.getFirst().worker();
    scriptedWorld.world.fleet().deletesFail(true);
    scriptedWorld.until(() -> scriptedWorld.lost() == 1, ofMinutes(5));

    for (var report : List.copyOf(scriptedWorld.reports))
      if (report.worker().equals(victim))
        scriptedWorld.world.gateway().any().orElseThrow().sync(report, orders -> {}, () -> {});
    scriptedWorld.advance(ofMinutes(3));

    assertThat(scriptedWorld.elsewhere(tasks)).isFalse();
    assertThat(scriptedWorld.running(victim)).hasSameSizeAs(tasks);
  }

  @Test
  void restartedAgentKillsOldTasksAndRerunsThem() {
    var scriptedWorld = running(1, 1, 1, 2);
    var worker = scriptedWorld.running().getFirst().worker();

    scriptedWorld.host(worker).restartAgent();
    scriptedWorld.until(() -> scriptedWorld.running().isEmpty(), ofMinutes(2));
    scriptedWorld.until(() -> scriptedWorld.running().size() == 2, ofMinutes(2));

    assertThat(scriptedWorld.lost()).isZero();
    assertThat(scriptedWorld.begun(2)).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void restartAfterClockWasSetBackLosesNoWorker(long seed) {
    var scriptedWorld = running(seed, 3, 3, 4);
    var victim = scriptedWorld.running().getFirst().worker();

    scriptedWorld.host(victim).clock().stepBy(ofMinutes(-10));
    scriptedWorld.host(victim).restartAgent();
    scriptedWorld.advance(ofMinutes(3));
    scriptedWorld.host(victim).restartAgent();
    scriptedWorld.advance(ofMinutes(3));

    assertThat(scriptedWorld.lost()).isZero();
    assertThat(scriptedWorld.ready()).isEqualTo(3);
    assertThat(scriptedWorld.running()).hasSize(4);
  }
}
