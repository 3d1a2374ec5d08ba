package dev.mayfly.sim.sync;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.KeptTask;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.MachineUsage.Purpose;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a machine that is lost takes along begins with the last checkpoint that is known of. */
class LostSinceCheckpointTest {
  private final LabCluster labCluster = new LabCluster(1);
  private final ScriptedAgent agent = labCluster.machine("w");
  private final ScriptedAgent other = labCluster.machine("v");

  /** A machine with one task, which has run for five minutes. */
  private Instant begin() {
    other.total = Resources.ZERO;
    other.room = Resources.ZERO;
    labCluster.change(
        "w", false, it -> it.withUsage(MachineUsage.from(Optional.of(1.0), labCluster.now())));
    labCluster.submit(LabCluster.count("j", 1));
    agent.syncAndWait();
    while (agent.held().isEmpty()) agent.syncAndWait();
    var began = labCluster.now();
    agent.running(began, 0L);
    agent.syncAndWait();
    for (var minute = 0; minute < 5; minute++) pass(ofMinutes(1));
    return began;
  }

  private void pass(Duration time) {
    for (var second = 0; second < time.toSeconds(); second += 20) {
      labCluster.advance(20_000);
      agent.syncAndWait();
      other.syncAndWait();
    }
  }

  private AttemptFailure lose() {
    for (var i = 0; i < 60 && !(worker().state() instanceof WorkerState.Lost); i++) {
      labCluster.advance(1_000);
      other.sync();
    }
    return labCluster.shards("j").getFirst().evidence().getFirst();
  }

  private Worker worker() {
    return labCluster.worker("w");
  }

  private Duration wasted() {
    return spent(Purpose.LOST);
  }

  private Duration spent(Purpose purpose) {
    return Duration.ofMillis(
        worker().usage().orElseThrow().entries().stream()
            .filter(entry -> entry.purpose() == purpose)
            .mapToLong(MachineUsage.Entry::millis)
            .sum());
  }

  @Test
  void onlyWhatCameAfterTheCheckpointIsLost() {
    var began = begin();
    var until = labCluster.now().minusSeconds(10);
    agent.kept(0, until);
    agent.syncAndWait();

    var failure = lose();

    assertThat(failure.startedAt()).contains(began);
    assertThat(failure.keptUntil()).contains(until);
    assertThat(failure.wasted()).isLessThan(ofMinutes(2)).isGreaterThan(ofSeconds(10));
    var share = labCluster.job("j").spec().resources().dominantShare(worker().total());
    assertThat(wasted().toMillis())
        .isCloseTo(Math.round(failure.wasted().toMillis() * share), Offset.offset(1L));
  }

  @Test
  void withoutACheckpointAllIsLost() {
    begin();

    var failure = lose();

    assertThat(failure.keptUntil()).isEmpty();
    assertThat(failure.wasted()).isEqualTo(failure.ran()).isGreaterThan(ofMinutes(5));
  }

  /** Each kind of waste is counted apart, and the sum stays. */
  @ParameterizedTest
  @CsvSource({
    "USER, FAILED",
    "TIMEOUT, FAILED",
    "OUT_OF_MEMORY, FAILED",
    "STOPPED, STOPPED",
    "PREEMPTED, PREEMPTED",
    "DRAINED, DRAINED",
    "END_OF_LIFE, DRAINED",
    "INFRASTRUCTURE, LOST"
  })
  void wasteIsCountedByItsCause(FailureCause cause, Purpose purpose) {
    begin();
    var share = labCluster.job("j").spec().resources().dominantShare(worker().total());

    agent.ended(0, cause, "it ended so");
    agent.release();
    agent.syncAndWait();

    if (purpose != Purpose.LOST) assertThat(spent(Purpose.LOST)).isZero();
    assertThat(spent(purpose).toMillis())
        .isEqualTo(Math.round(ScriptedAgent.ATTEMPT.toMillis() * share));
  }

  /** A task may store a checkpoint every few seconds. */
  @Test
  void checkpointSoonAfterAnotherIsNotWritten() {
    begin();
    var first = labCluster.now();
    agent.kept(0, first);
    agent.syncAndWait();
    agent.kept(0, first.plusSeconds(14));
    agent.syncAndWait();
    assertThat(kept()).containsExactly(new KeptTask(0, first));

    agent.kept(0, first.plusSeconds(15));
    agent.syncAndWait();

    assertThat(kept()).containsExactly(new KeptTask(0, first.plusSeconds(15)));
  }

  private List<KeptTask> kept() {
    return worker().held().getFirst().kept().orElseThrow();
  }
}
