package dev.mayfly.core.agent;

import static dev.mayfly.core.agent.Fixtures.attempt;
import static dev.mayfly.core.agent.Fixtures.graceful;
import static dev.mayfly.core.agent.Fixtures.job;
import static dev.mayfly.core.agent.Fixtures.machine;
import static dev.mayfly.core.agent.Fixtures.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Failure;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Machines that are taken, with notice: how long tasks may clean up. */
class NoticesTest {
  private final Driven agent = new Driven(machine(2), job());

  @Test
  void aNoticeIsToldAtOnceAndTheTasksAreAskedToEnd() {
    agent.granted(order(0, 4)).after(Duration.ofSeconds(3));
    agent.syncs();
    agent.on(new AgentEvent.NoticeCame(agent.now().wall()));

    assertThat(agent.syncs()).isEqualTo(1);
    assertThat(agent.report().notice()).isPresent();
    assertThat(agent.take(AgentEffect.Kill.class))
        .extracting(AgentEffect.Kill::grace)
        .containsOnly(Duration.ofSeconds(10));

    agent.on(new AgentEvent.Killed(attempt(0, 0))).exits(attempt(0, 1), 143).millis(30);
    assertThat(agent.lease(0).released()).isTrue();
    assertThat(agent.lease(0).failed()).extracting(Failure::cause).containsOnly(Cause.PREEMPTED);
    assertThat(agent.started()).containsExactly(0L, 1L);
  }

  @Test
  void fiveSecondsBeforeTheEndNothingIsLeftToPublish() {
    agent.granted(order(0, 2)).exits(attempt(0, 0), 0).after(Duration.ofSeconds(3));
    agent.on(new AgentEvent.NoticeCame(agent.now().wall())).after(Duration.ofSeconds(3));
    agent.on(new AgentEvent.Killed(attempt(0, 1))).millis(100);
    assertThat(agent.lease(0).released())
        .as("a result on its way has a moment to arrive")
        .isFalse();

    agent.after(Duration.ofSeconds(22));
    assertThat(agent.lease(0).released()).isTrue();
    assertThat(agent.lease(0).failed()).extracting(Failure::cause).containsOnly(Cause.PREEMPTED);
  }

  @Test
  void whatWasPrintedGoesOutBeforeTheTasksHaveEnded() {
    agent.granted(order(0, 1)).after(Duration.ofSeconds(3));

    agent.on(new AgentEvent.NoticeCame(agent.now().wall()));

    assertThat(agent.take(AgentEffect.FlushLogs.class)).hasSize(1);
    agent.on(new AgentEvent.LogsFlushed());
    assertThat(agent.report().drained()).isFalse();
  }

  @Test
  void aLateNoticeLeavesTasksWhatIsLeftOfIt() {
    var other = new Driven(machine(2), graceful(Duration.ofSeconds(30)));
    other.granted(order(0, 1)).after(Duration.ofSeconds(20));

    other.on(new AgentEvent.NoticeCame(other.now().wall().minusSeconds(10)));

    assertThat(other.take(AgentEffect.Kill.class))
        .extracting(AgentEffect.Kill::grace)
        .containsOnly(Duration.ofSeconds(15));
  }

  @ParameterizedTest
  @CsvSource({"PT30S,PT25S", "PT120S,PT115S", "PT12S,PT10S", "PT6S,PT5S"})
  void publishingHasFiveSecondsOrASixth(Duration notice, Duration grace) {
    assertThat(AgentSettings.graceWithin(notice)).isEqualTo(grace);
  }

  @ParameterizedTest
  @CsvSource({"PT7S,PT7S", "PT25S,PT25S", "PT30S,PT25S", "PT1H,PT25S"})
  void ofThirtySecondsTasksHaveTheirGraceUpToTwentyFive(Duration asked, Duration had) {
    var other = new Driven(machine(2), graceful(asked));
    other.granted(order(0, 1)).after(Duration.ofSeconds(3));

    other.on(new AgentEvent.NoticeCame(other.now().wall()));

    assertThat(other.take(AgentEffect.Kill.class))
        .extracting(AgentEffect.Kill::grace)
        .containsOnly(had);
  }

  @Test
  void anIdleAgentThatIsToldToGoWaitsForNoTask() {
    agent.after(Duration.ofSeconds(3));
    agent.on(new AgentEvent.TimeToGo()).after(Duration.ofSeconds(11));

    assertThat(agent.take(AgentEffect.Quit.class)).hasSize(1);
  }
}
