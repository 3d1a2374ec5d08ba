package dev.mayfly.core.agent;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.job;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static dev.mayfly.core.agent.AgentFixtures.stopping;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.StopReason;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import org.junit.jupiter.api.Test;

class TaskStopTest {
  private final AgentDriver agent = new AgentDriver(machine(2), job());

  @Test
  void stoppedTasksEndAndOthersContinue() {
    agent.granted(order(0, 4)).millis(100);
    agent.orders(stopping(0, 4, 0L, 2L)).millis(100);
    assertThat(agent.killed()).containsExactly(0L);

    agent.orders(stopping(0, 4, 0L, 2L)).on(new AgentEvent.Killed(attempt(0, 0))).millis(100);
    agent.succeeds(attempt(0, 1)).millis(100);
    agent.succeeds(attempt(0, 3)).millis(100);

    assertThat(agent.started()).containsExactly(0L, 1L, 3L);
    assertThat(agent.lease(0).released()).isTrue();
    assertThat(agent.lease(0).failed())
        .extracting(AttemptFailure::index, AttemptFailure::cause)
        .containsExactlyInAnyOrder(
            tuple(0L, FailureCause.STOPPED), tuple(2L, FailureCause.STOPPED));
  }

  /** What ends the grace is another worker's right, and no second stop. */
  @Test
  void stoppedTaskThatIsTakenHasNoGraceLeft() {
    agent.granted(order(0, 2)).millis(100);
    agent.orders(stopping(0, 2, 1L)).millis(100);
    agent.orders(order(0, 1)).millis(100);

    assertThat(agent.take(AgentEffect.Kill.class))
        .extracting(AgentEffect.Kill::stopReason)
        .containsExactly(StopReason.STOPPED, StopReason.REVOKED);
  }
}
