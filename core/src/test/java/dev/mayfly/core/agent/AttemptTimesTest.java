package dev.mayfly.core.agent;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.job;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.loop.AgentEvent;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AttemptTimesTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final AgentDriver agent = new AgentDriver(machine(2), job());

  @Test
  void failedAttemptSaysWhenItBegan() {
    agent.granted(order(0, 1)).servedFor(HOUR, order(0, 1));
    agent.on(new AgentEvent.Killed(attempt(0, 0))).after(Duration.ofSeconds(2));

    var failure = agent.lease(0).failed().getFirst();
    assertThat(Duration.between(failure.startedAt().orElseThrow(), failure.at()))
        .isBetween(HOUR, HOUR.plusMinutes(1));
  }
}
