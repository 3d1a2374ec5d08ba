package dev.mayfly.sim;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.sim.check.Proc;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose machine is gone or stands still, and how soon its tasks run elsewhere. */
class LossTest {
  private static final Duration HOUR = Duration.ofHours(1);

  /** That many workers of two slots with that many tasks, all of which run. */
  private static Stage running(long seed, int workers, int max, int tasks) {
    var stage = Stage.of(seed, workers, max, Stage.job(0, tasks, 2, HOUR, false));
    stage.until(() -> stage.ready() == workers && stage.running().size() == tasks, ofMinutes(20));
    return stage.pass(ofSeconds(15 + seed % 7));
  }

  /** Freezes a worker that has work, and gives what ran there. */
  private static List<Proc> freezeOne(Stage stage) {
    var victim = stage.running().getFirst().worker();
    var tasks = stage.running(victim);
    stage.host(victim).freeze();
    return tasks;
  }

  @ParameterizedTest
  @CsvSource({"2,1", "2,2", "3,1", "3,2", "5,1", "5,2", "5,3"})
  void aFrozenWorkerAmongIdlePeersHasItsTasksElsewhereWithin40Seconds(int workers, long seed) {
    var stage = running(seed, workers, workers, 1);

    var tasks = freezeOne(stage);

    assertThat(stage.until(() -> stage.elsewhere(tasks), ofSeconds(200))).isLessThan(ofSeconds(40));
  }

  @ParameterizedTest
  @CsvSource({"2,1", "2,2", "3,1", "3,2", "5,1", "5,2", "5,3"})
  void aFrozenWorkerAmongBusyPeersHasItsTasksElsewhereWithin40Seconds(int workers, long seed) {
    var stage = running(seed, workers, workers, 2 * workers - 2);

    var tasks = freezeOne(stage);

    assertThat(stage.until(() -> stage.elsewhere(tasks), ofSeconds(200))).isLessThan(ofSeconds(40));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aFrozenWorkerAloneInItsClusterHasItsTasksElsewhereWithin200Seconds(long seed) {
    var stage = running(seed, 1, 2, 2);

    var tasks = freezeOne(stage);

    assertThat(stage.until(() -> stage.elsewhere(tasks), ofSeconds(400)))
        .isLessThan(ofSeconds(200));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aFrozenWorkerIsNotLostWhenItWakesInTime(long seed) {
    var stage = running(seed, 3, 3, 2);

    var victim = freezeOne(stage).getFirst().worker();
    stage.pass(ofSeconds(10));
    stage.host(victim).resume(Duration.ZERO);
    stage.pass(ofMinutes(3));

    assertThat(stage.lost()).isZero();
    assertThat(stage.begun(2)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void allWorkersPreemptedAtOnceAreReplacedAtTheNextTick(long seed) {
    var stage = running(seed, 4, 8, 8);

    for (var host : stage.world.powered())
      stage.world.fleet().preempt(host.machine(), false, ofSeconds(1), false);

    stage.until(
        () -> stage.workers().stream().filter(LossTest::coming).count() == 4, ofSeconds(65));
  }

  private static boolean coming(dev.mayfly.core.model.Worker worker) {
    return worker.state() instanceof WorkerState.Launching
        || worker.state() instanceof WorkerState.Booting;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void whatTheCloudGaveNoticeOfIsLeasedElsewhereWithinASecond(long seed) {
    var stage = running(seed, 3, 3, 2);
    var victim = stage.running().getFirst().worker();
    var tasks = stage.running(victim);

    stage.world.fleet().preempt(stage.host(victim).machine(), true, ofSeconds(1), false);

    var took = stage.until(() -> stage.elsewhere(tasks), ofSeconds(60));
    // The tasks' own grace goes first: half a second at least, what NOTICE_GRACE allows at most.
    assertThat(took).isLessThan(ofSeconds(6));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aThawedWorkerKillsItsOwnAndRecordsNothing(long seed) {
    var stage = Stage.of(seed, 3, 3, Stage.job(0, 2, 2, ofMinutes(4), false));
    stage.until(() -> stage.ready() == 3 && stage.running().size() == 2, ofMinutes(15));
    var victim = stage.running().getFirst().worker();
    var tasks = stage.running(victim);
    // Its processes are held too, so none of them can end before the thaw; nor can its machine.
    stage.world.fleet().deletesFail(true);
    stage.host(victim).freeze();
    stage.until(stage::ended, ofMinutes(15));
    assertThat(stage.running(victim)).hasSameSizeAs(tasks);

    stage.host(victim).resume(Duration.ZERO);
    stage.pass(ofMinutes(2));

    assertThat(stage.running(victim)).isEmpty();
    for (var sentinel :
        stage
            .world
            .objects()
            .list(dev.mayfly.core.port.Url.of("gs://lab-bucket/out-0/"), "", 1000)
            .objects())
      if (sentinel.url().name().endsWith(Sentinel.SUFFIX))
        assertThat(sentinel.metadata().get("mayfly-worker")).isNotEqualTo(victim);
  }

  @Test
  void exclusiveWorkOfAFrozenWorkerWaitsUntilItsMachineIsGone() {
    var stage = Stage.of(1, 3, 3, Stage.job(0, 2, 2, HOUR, true));
    stage.until(() -> stage.ready() == 3 && stage.running().size() == 2, ofMinutes(15));

    var tasks = freezeOne(stage);
    stage.until(() -> stage.elsewhere(tasks), ofMinutes(10));

    assertThat(stage.running(tasks.getFirst().worker())).isEmpty();
  }

  @Test
  void aLateReportFromBeforeALeaseDoesNotConfirmThatNothingOfItRuns() {
    var stage = Stage.of(1, 3, 3, Stage.job(0, 2, 2, HOUR, true));
    stage.until(() -> stage.ready() == 3 && stage.running().size() == 2, ofMinutes(15));
    var tasks = freezeOne(stage);
    var victim = tasks.getFirst().worker();
    stage.world.fleet().deletesFail(true);
    stage.until(() -> stage.lost() == 1, ofMinutes(5));

    for (var report : List.copyOf(stage.reports))
      if (report.worker().equals(victim))
        stage.world.gateway().any().orElseThrow().sync(report, orders -> {}, () -> {});
    stage.pass(ofMinutes(3));

    assertThat(stage.elsewhere(tasks)).isFalse();
    assertThat(stage.running(victim)).hasSameSizeAs(tasks);
  }

  @Test
  void aNewAgentOnTheSameBootKillsWhatTheOldOneLeftAndItsTasksRunAgain() {
    var stage = running(1, 1, 1, 2);
    var worker = stage.running().getFirst().worker();

    stage.host(worker).restartAgent();
    stage.until(() -> stage.running().isEmpty(), ofMinutes(2));
    stage.until(() -> stage.running().size() == 2, ofMinutes(2));

    assertThat(stage.lost()).isZero();
    assertThat(stage.begun(2)).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void restartAfterClockWasSetBackLosesNoWorker(long seed) {
    var stage = running(seed, 3, 3, 4);
    var victim = stage.running().getFirst().worker();

    stage.host(victim).clock().stepBy(ofMinutes(-10));
    stage.host(victim).restartAgent();
    stage.pass(ofMinutes(3));
    stage.host(victim).restartAgent();
    stage.pass(ofMinutes(3));

    assertThat(stage.lost()).isZero();
    assertThat(stage.ready()).isEqualTo(3);
    assertThat(stage.running()).hasSize(4);
  }
}
