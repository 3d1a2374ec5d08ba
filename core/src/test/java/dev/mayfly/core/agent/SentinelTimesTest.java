package dev.mayfly.core.agent;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.job;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static dev.mayfly.core.agent.AgentFixtures.output;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.job.Sentinel;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A sentinel tells when the attempt that made its output ran. */
class SentinelTimesTest {
  private final AgentDriver agent = new AgentDriver(machine(2), job());

  /** Another attempt's finished output may have begun at any time. */
  @Test
  void onlyOwnAttemptHasItsBegin() {
    agent.granted(order(0, 2));
    var began = agent.now().wall();
    agent.after(Duration.ofSeconds(7));
    agent.exits(attempt(0, 0), 0).exits(attempt(0, 1), 0);
    agent.on(new AgentEvent.Uploaded(attempt(0, 0), output(attempt(0, 0))));
    agent.on(new AgentEvent.Uploaded(attempt(0, 1), output(attempt(0, 0))));

    assertThat(agent.take(AgentEffect.Seal.class))
        .extracting(seal -> seal.sentinel().startedAt())
        .containsExactly(Optional.of(began), Optional.empty());
  }

  @Test
  void checkpointThatTheAttemptBeganWithIsNamed() {
    agent.granted(order(0, 1));
    agent.on(new AgentEvent.CheckpointRestored(attempt(0, 0), "checkpoint 7"));
    agent.exits(attempt(0, 0), 0);

    agent.on(new AgentEvent.Uploaded(attempt(0, 0), output(attempt(0, 0))));

    assertThat(agent.take(AgentEffect.Seal.class))
        .extracting(seal -> Sentinel.continued(seal.sentinel().metadata()))
        .containsExactly(Optional.of("checkpoint 7"));
  }
}
