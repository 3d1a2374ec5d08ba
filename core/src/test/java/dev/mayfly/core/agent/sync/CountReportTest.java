package dev.mayfly.core.agent.sync;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.graceful;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentDriver;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.TaskMetrics;
import dev.mayfly.core.model.TaskProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What reports tell of a task that counts its steps. */
class CountReportTest {
  private static final double STEPS = 1_000;

  private final AgentDriver agent =
      new AgentDriver(machine(1), graceful(Duration.ofSeconds(20)))
          .granted(order(0, 1))
          .millis(100);

  private void counts(double step) {
    agent.on(
        new AgentEvent.MetricsRead(
            attempt(0, 0), Map.of("step", step, "total_steps", STEPS, "loss", 0.5)));
  }

  @Test
  void reportTellsHowFastItCounts() {
    counts(500);
    agent.served(order(0, 1)).after(Duration.ofSeconds(20));
    counts(510);
    agent.after(Duration.ofSeconds(60));

    var metrics = agent.report().metrics().getFirst().values();
    assertThat(TaskProgress.of(metrics))
        .contains(new TaskProgress("step", 510, STEPS, Optional.of(2.0)));
    assertThat(metrics).containsEntry("loss", 0.5);
  }

  /** The same again tells nothing: neither a report nor time makes it newer. */
  @Test
  void reportTellsWhenValuesWereRead() {
    counts(500);
    var read = agent.now().wall();
    agent.served(order(0, 1)).after(Duration.ofMinutes(2));
    assertThat(readAt()).isEqualTo(read);

    counts(510);
    var again = agent.now().wall();
    agent.after(Duration.ofMinutes(2));
    assertThat(readAt()).isEqualTo(again);
  }

  private Instant readAt() {
    return TaskMetrics.readAt(agent.report().metrics().getFirst().values()).orElseThrow();
  }
}
