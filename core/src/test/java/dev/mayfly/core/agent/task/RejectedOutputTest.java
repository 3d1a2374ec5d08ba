package dev.mayfly.core.agent.task;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.data;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static dev.mayfly.core.agent.AgentFixtures.recalled;
import static dev.mayfly.core.agent.AgentFixtures.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentDriver;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a command wrote at its output goes with an attempt that leaves no result. */
class RejectedOutputTest {
  private static final long BEFORE = 7;

  private final AgentDriver agent = new AgentDriver(machine(2), with(data(true, false)));

  @BeforeEach
  void attemptRuns() {
    agent.granted(order(0, 1)).on(new AgentEvent.OutputFound(attempt(0, 0), BEFORE)).millis(100);
  }

  private void assertFailed(FailureCause cause, int exitCode, String evidence) {
    agent.millis(1_200);
    assertThat(agent.lease(0).failed())
        .singleElement()
        .satisfies(failure -> {
          assertThat(failure.cause()).isEqualTo(cause);
          assertThat(failure.exitCode()).isEqualTo(exitCode);
          assertThat(failure.evidence()).endsWith(evidence);
        });
  }

  private void assertDiscarding() {
    assertThat(agent.take(AgentEffect.Discard.class))
        .singleElement()
        .satisfies(effect -> assertThat(effect.before()).isEqualTo(Optional.of(BEFORE)));
    assertThat(agent.report().leases())
        .as("nothing is reported before")
        .allSatisfy(lease -> assertThat(lease.failed()).isEmpty());
  }

  @Test
  void failedAttemptIsReportedAfterItsOutputIsDeleted() {
    agent.exits(attempt(0, 0), 1);
    assertDiscarding();

    agent.on(new AgentEvent.Discarded(attempt(0, 0), true));

    assertFailed(FailureCause.USER, 1, "last words; what was written there is deleted");
  }

  @Test
  void attemptThatWroteNothingSaysNothing() {
    agent.exits(attempt(0, 0), 1).on(new AgentEvent.Discarded(attempt(0, 0), false));

    assertFailed(FailureCause.USER, 1, "last words");
  }

  @Test
  void timedOutAttemptKeepsItsCause() {
    agent.servedFor(Duration.ofMinutes(61), order(0, 1));
    agent.on(new AgentEvent.Killed(attempt(0, 0), 143));
    assertDiscarding();

    agent.on(new AgentEvent.Discarded(attempt(0, 0), true));

    assertFailed(FailureCause.TIMEOUT, 143, "timeout of 1h; what was written there is deleted");
  }

  @Test
  void attemptThatCannotDeleteInTimeKeepsItsCause() {
    agent.exits(attempt(0, 0), 1);
    agent.on(new AgentEvent.PublishFailed(attempt(0, 0), true, "away"));
    assertThat(agent.report().leases()).allSatisfy(l -> assertThat(l.failed()).isEmpty());

    agent.on(new AgentEvent.StopNowRequested());

    assertFailed(FailureCause.USER, 1, "last words");
  }

  @Test
  void machineThatMayNotDeleteLeavesIt() {
    agent.exits(attempt(0, 0), 1);

    agent.on(
        new AgentEvent.PublishFailed(attempt(0, 0), true, "no right", AgentEvent.Prospect.DENIED));

    assertFailed(FailureCause.USER, 1, "last words; what was written there is left: no right");
  }

  @Test
  void stoppedAttemptLeavesWhatItWrote() {
    agent.orders(recalled(0, 1)).on(new AgentEvent.Killed(attempt(0, 0), 143));

    assertThat(agent.take(AgentEffect.Discard.class)).isEmpty();
    agent.orders(recalled(0, 1)).after(Duration.ofSeconds(2));
    assertThat(agent.lease(0).failed())
        .extracting(AttemptFailure::cause)
        .containsExactly(FailureCause.STOPPED);
  }

  /** The one that left it vanished; the next attempt finds nothing. */
  @Test
  void leftoverThatWasTakenForAResultIsDeleted() {
    agent.exits(attempt(0, 0), 0);
    assertThat(agent.take(AgentEffect.Upload.class))
        .singleElement()
        .satisfies(effect -> assertThat(effect.before()).isEqualTo(Optional.of(BEFORE)));

    agent.on(new AgentEvent.PublishFailed(attempt(0, 0), false, "of before"));
    assertDiscarding();
    agent.on(new AgentEvent.Discarded(attempt(0, 0), true));

    assertFailed(FailureCause.USER, 0, "of before; what was written there is deleted");
  }
}
