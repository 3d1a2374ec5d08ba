package dev.mayfly.core.agent.task;

import static dev.mayfly.core.agent.AgentFixtures.job;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentDriver;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.sync.MachineProblem;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A machine on which no attempt can start, and its recovery. */
class StartBackoffTest {
  private final AgentDriver agent = new AgentDriver(machine(2), job());

  /** Fails all requested starts, for this many rounds. */
  private int failing(int rounds) {
    var failed = 0;
    for (var i = 0; i < rounds; i++)
      for (var start : starts()) {
        failed++;
        agent.on(
            new AgentEvent.StartFailed(
                start.attempt(),
                FailureCause.INFRASTRUCTURE,
                true,
                "the disk is broken",
                AgentEvent.Prospect.OPEN));
      }
    return failed;
  }

  private List<AgentEffect.Start> starts() {
    return agent.take(AgentEffect.Start.class);
  }

  @Test
  void brokenMachineFailsFewAttempts() {
    agent.granted(order(0, 50));

    assertThat(failing(50)).isBetween(3, 4);
    agent.after(Duration.ofSeconds(2));
    assertThat(agent.lease(0).released()).isTrue();
    assertThat(agent.report().room()).isEqualTo(Resources.ZERO);
    assertThat(agent.report().machineProblem())
        .contains(MachineProblem.Kind.UNFIT.of("no attempt can start here: the disk is broken"));
  }

  @Test
  void oneAttemptProbesAfterPause() {
    agent.granted(order(0, 50));
    failing(50);
    agent.servedFor(Duration.ofSeconds(11));
    agent.granted(order(50, 60));

    var one = starts();
    assertThat(one).hasSize(1);
    agent.on(
        new AgentEvent.StartFailed(
            one.getFirst().attempt(),
            FailureCause.INFRASTRUCTURE,
            true,
            "the disk is broken",
            AgentEvent.Prospect.OPEN));
    assertThat(starts()).isEmpty();
    agent.servedFor(Duration.ofSeconds(15));
    assertThat(agent.report().room()).isEqualTo(Resources.ZERO);

    agent.servedFor(Duration.ofSeconds(6));
    agent.granted(order(60, 70));
    assertThat(starts()).hasSize(1);
    agent.servedFor(Duration.ofSeconds(11), order(60, 70));
    assertThat(starts()).hasSize(1);
    assertThat(agent.report().machineProblem()).isEmpty();
  }

  @Test
  void onlyLaterAttemptEndsPause() {
    agent.granted(order(0, 50));
    var before = starts();
    agent.on(failed(before.getFirst()));
    agent.after(Duration.ofSeconds(1));
    agent.on(failed(starts().getFirst()));
    agent.exits(before.getLast().attempt(), 1);
    agent.on(failed(starts().getFirst()));

    assertThat(starts()).isEmpty();
  }

  /** Usually the job's own input, or an unavailable store. */
  @Test
  void jobFailuresPauseNothing() {
    agent.granted(order(0, 50));
    for (var i = 0; i < 10; i++)
      for (var start : starts())
        agent.on(
            new AgentEvent.StartFailed(
                start.attempt(),
                FailureCause.INFRASTRUCTURE,
                false,
                "no answer",
                AgentEvent.Prospect.OPEN));

    assertThat(starts()).isNotEmpty();
  }

  private static AgentEvent failed(AgentEffect.Start start) {
    return new AgentEvent.StartFailed(
        start.attempt(),
        FailureCause.INFRASTRUCTURE,
        true,
        "the disk is broken",
        AgentEvent.Prospect.OPEN);
  }
}
