package dev.mayfly.core.agent.sync;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.graceful;
import static dev.mayfly.core.agent.AgentFixtures.job;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentDriver;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.AgentSettings;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Preemption notices, and how long tasks may clean up. */
class PreemptionNoticeTest {
  private final AgentDriver agent = new AgentDriver(machine(2), job());

  @Test
  void noticeIsReportedAndEndsTasks() {
    agent.granted(order(0, 4)).after(Duration.ofSeconds(3));
    agent.syncs();
    agent.on(new AgentEvent.PreemptionNoticed(agent.now().wall()));

    assertThat(agent.syncs()).isEqualTo(1);
    assertThat(agent.report().notice()).isPresent();
    assertThat(agent.take(AgentEffect.Kill.class))
        .extracting(AgentEffect.Kill::grace)
        .containsOnly(Duration.ofSeconds(10));

    agent.on(new AgentEvent.Killed(attempt(0, 0))).exits(attempt(0, 1), 143).millis(30);
    assertThat(agent.lease(0).released()).isTrue();
    assertThat(agent.lease(0).failed())
        .extracting(AttemptFailure::cause)
        .containsOnly(FailureCause.PREEMPTED);
    assertThat(agent.started()).containsExactly(0L, 1L);
  }

  @Test
  void nothingIsPublishedFiveSecondsBeforeEnd() {
    agent.granted(order(0, 2)).exits(attempt(0, 0), 0).after(Duration.ofSeconds(3));
    agent.on(new AgentEvent.PreemptionNoticed(agent.now().wall())).after(Duration.ofSeconds(3));
    agent.on(new AgentEvent.Killed(attempt(0, 1))).millis(100);
    assertThat(agent.lease(0).released())
        .as("a result on its way has a moment to arrive")
        .isFalse();

    agent.after(Duration.ofSeconds(22));
    assertThat(agent.lease(0).released()).isTrue();
    assertThat(agent.lease(0).failed())
        .extracting(AttemptFailure::cause)
        .containsOnly(FailureCause.PREEMPTED);
  }

  @Test
  void logsAreFlushedBeforeTasksEnd() {
    agent.granted(order(0, 1)).after(Duration.ofSeconds(3));

    agent.on(new AgentEvent.PreemptionNoticed(agent.now().wall()));

    assertThat(agent.take(AgentEffect.FlushLogs.class)).hasSize(1);
    agent.on(new AgentEvent.LogsFlushed());
    assertThat(agent.report().drained()).isFalse();
  }

  @Test
  void lateNoticeShortensGrace() {
    var other = new AgentDriver(machine(2), graceful(Duration.ofSeconds(30)));
    other.granted(order(0, 1)).after(Duration.ofSeconds(20));

    other.on(new AgentEvent.PreemptionNoticed(other.now().wall().minusSeconds(10)));

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
  void graceIsCappedAtTwentyFiveSeconds(Duration asked, Duration had) {
    var other = new AgentDriver(machine(2), graceful(asked));
    other.granted(order(0, 1)).after(Duration.ofSeconds(3));

    other.on(new AgentEvent.PreemptionNoticed(other.now().wall()));

    assertThat(other.take(AgentEffect.Kill.class))
        .extracting(AgentEffect.Kill::grace)
        .containsOnly(had);
  }

  @Test
  void idleTerminatingAgentWaitsForNoTask() {
    agent.after(Duration.ofSeconds(3));
    agent.on(new AgentEvent.StopRequested()).after(Duration.ofSeconds(11));

    assertThat(agent.take(AgentEffect.Quit.class)).hasSize(1);
  }
}
