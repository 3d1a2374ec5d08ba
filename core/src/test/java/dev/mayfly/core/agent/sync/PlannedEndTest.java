package dev.mayfly.core.agent.sync;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.graceful;
import static dev.mayfly.core.agent.AgentFixtures.job;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mayfly.core.agent.AgentDriver;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.AgentSettings;
import dev.mayfly.core.agent.loop.StopReason;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.KeptTask;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ends with a deadline: when tasks are asked, when they are killed, and what that is called. */
class PlannedEndTest {
  private static final DrainReason OLD =
      new DrainReason(DrainCause.END_OF_LIFE, "the machine's 24 h are nearly over");
  private static final Duration GRACE = Duration.ofSeconds(20);

  private final AgentDriver agent = new AgentDriver(machine(2), graceful(GRACE));

  private List<AgentEffect.Kill> kills() {
    return agent.take(AgentEffect.Kill.class);
  }

  @Test
  void tasksAreAskedTheirGraceBeforeTheDeadline() {
    agent.granted(order(0, 2)).millis(100);
    agent.drain(agent.now().wall().plusSeconds(60), OLD, order(0, 2));

    agent.after(Duration.ofMillis(39_900));
    assertThat(kills()).isEmpty();
    agent.millis(200);
    assertThat(kills())
        .extracting(AgentEffect.Kill::grace, AgentEffect.Kill::stopReason)
        .containsExactly(tuple(GRACE, StopReason.DRAINED), tuple(GRACE, StopReason.DRAINED));
    agent.after(Duration.ofMillis(19_700));
    assertThat(kills()).isEmpty();
    agent.millis(300);
    assertThat(kills()).extracting(AgentEffect.Kill::grace).containsOnly(Duration.ZERO);
  }

  @ParameterizedTest
  @EnumSource(DrainCause.class)
  void endedAttemptIsCalledWhatItIs(DrainCause cause) {
    agent.granted(order(0, 1)).millis(100);
    var deadline = agent.now().wall().plusSeconds(60);
    agent.drain(deadline, new DrainReason(cause, "words"), order(0, 1));
    agent.after(Duration.ofSeconds(41)).on(new AgentEvent.Killed(attempt(0, 0), 143));

    agent.on(new AgentEvent.LogsFlushed()).millis(100);

    assertThat(agent.report().drained()).isTrue();
    assertThat(agent.lease(0).failed())
        .extracting(AttemptFailure::cause, AttemptFailure::evidence, AttemptFailure::exitCode)
        .containsExactly(tuple(cause.failureCause(), "words", 143));
  }

  @Test
  void lateDrainOrderLeavesTasksSomeTime() {
    agent.granted(order(0, 1)).millis(100);

    agent.drain(agent.now().wall().minusSeconds(5), OLD, order(0, 1));

    assertThat(kills()).extracting(AgentEffect.Kill::grace).containsOnly(Duration.ofSeconds(10));
  }

  @Test
  void drainedAgentThatIsStoppedQuitsAtOnce() {
    agent.after(Duration.ofSeconds(1)).drain(agent.now().wall().plusSeconds(60), OLD);
    agent.on(new AgentEvent.LogsFlushed()).millis(100);
    assertThat(agent.report().drained()).isTrue();
    agent.drain(agent.now().wall().plusSeconds(60), OLD);

    agent.on(new AgentEvent.StopRequested()).on(new AgentEvent.LogsFlushed()).millis(100).orders();

    assertThat(agent.take(AgentEffect.Quit.class)).hasSize(1);
  }

  @Test
  void cancelledDrainAsksNobody() {
    agent.granted(order(0, 1)).millis(100);
    agent.drain(agent.now().wall().plusSeconds(60), OLD, order(0, 1)).after(Duration.ofSeconds(2));

    agent.servedFor(Duration.ofMinutes(2), order(0, 1));

    assertThat(kills()).isEmpty();
  }

  @Test
  void earlierDeadlineIsTheOneThatHolds() {
    agent.granted(order(0, 1)).millis(100);
    var now = agent.now().wall();
    agent.drain(now.plusSeconds(600), OLD, order(0, 1)).after(Duration.ofSeconds(2));

    agent.drain(now.plusSeconds(30), new DrainReason(DrainCause.USER, "by hand"), order(0, 1));
    agent.after(Duration.ofSeconds(11)).on(new AgentEvent.Killed(attempt(0, 0)));
    agent.on(new AgentEvent.LogsFlushed()).millis(100);

    assertThat(agent.lease(0).failed())
        .extracting(AttemptFailure::cause)
        .containsOnly(FailureCause.DRAINED);
  }

  @Test
  void attemptThatStoredACheckpointSaysSo() {
    agent.granted(order(0, 2)).millis(100);
    agent.on(new AgentEvent.CheckpointStored(attempt(0, 1), agent.now().wall()));
    agent.drain(agent.now().wall().plusSeconds(15), OLD, order(0, 2));
    agent.on(new AgentEvent.Killed(attempt(0, 0))).on(new AgentEvent.Killed(attempt(0, 1)));

    agent.on(new AgentEvent.LogsFlushed()).millis(100);

    assertThat(agent.lease(0).failed())
        .extracting(AttemptFailure::index, AttemptFailure::isKept)
        .containsExactly(tuple(0L, false), tuple(1L, true));
  }

  /** Files may bear any time: what is none of the attempt's is the time of its storing. */
  @Test
  void runningTaskTellsUntilWhenItsCheckpointKeepsIt() {
    agent.granted(order(0, 2)).millis(100);
    var began = agent.now().wall();
    agent.after(Duration.ofSeconds(60));
    var until = began.plusSeconds(40);
    agent.on(new AgentEvent.CheckpointStored(attempt(0, 0), until));
    agent.on(new AgentEvent.CheckpointStored(attempt(0, 1), began.minusSeconds(900)));
    agent.orders(order(0, 2)).millis(100);

    assertThat(agent.lease(0).kept().orElseThrow())
        .satisfiesExactly(
            first -> assertThat(first).isEqualTo(new KeptTask(0, until)),
            other ->
                assertThat(other.until()).isBetween(began.plusSeconds(60), agent.now().wall()));
  }

  @Test
  void partitionedTasksAreAskedBeforeTheCutOff() {
    var other = new AgentDriver(machine(2), job());
    other.granted(order(0, 1)).millis(100);

    var asked = Duration.ZERO;
    for (var waited = 0; waited < 2_000 && asked.isZero(); waited++) {
      if (other.syncs() > 0) other.syncFails();
      other.millis(500);
      for (var kill : other.take(AgentEffect.Kill.class)) {
        asked = Duration.ofMillis(500L * (waited + 1));
        assertThat(kill.grace()).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(10));
        assertThat(kill.stopReason()).isEqualTo(StopReason.DISCONNECTED);
      }
    }
    assertThat(asked).isBetween(Duration.ofSeconds(880), Duration.ofSeconds(895));
  }

  @Test
  void machineStaysLongerThanTheLastCheckpointMayTake() {
    assertThat(AgentSettings.CHECKPOINT_TIME.multipliedBy(2))
        .isLessThanOrEqualTo(Timings.DEFAULT.storeTime());
  }
}
