package dev.mayfly.core.agent.sync;

import static dev.mayfly.core.agent.AgentFixtures.T0;
import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.exclusive;
import static dev.mayfly.core.agent.AgentFixtures.job;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static dev.mayfly.core.agent.AgentFixtures.output;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentDriver;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.AgentSettings;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Resources;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Drains, notices, partitions and suspended machines. */
class AgentShutdownTest {
  private final AgentDriver agent = new AgentDriver(machine(2), job());

  @Test
  void drainingWorkerFinishesFlushesAndReports() {
    agent.granted(order(0, 4)).millis(100);
    agent.started();
    agent.drain(T0.plusSeconds(600), order(0, 4)).millis(100);
    assertThat(agent.report().room()).isEqualTo(Resources.ZERO);
    assertThat(agent.killed()).isEmpty();
    assertThat(agent.take(AgentEffect.FlushLogs.class))
        .as("logs of running tasks are not whole")
        .isEmpty();
    agent.drain(T0.plusSeconds(600), order(0, 4));

    agent.succeeds(attempt(0, 0)).succeeds(attempt(0, 1));
    assertThat(agent.started()).isEmpty();
    assertThat(agent.take(AgentEffect.FlushLogs.class)).hasSize(1);
    agent.millis(100);
    assertThat(agent.report().drained()).isFalse();
    assertThat(agent.lease(0).released()).isTrue();

    agent.on(new AgentEvent.LogsFlushed()).millis(100);
    assertThat(agent.report().drained()).isTrue();
    assertThat(agent.lease(0).done().count()).isEqualTo(2);
    assertThat(agent.lease(0).failed()).isEmpty();
  }

  @Test
  void idleWorkerDrainsAfterLogFlush() {
    agent.after(Duration.ofSeconds(1)).drain(agent.now().wall().plusSeconds(60));
    assertThat(agent.take(AgentEffect.FlushLogs.class)).hasSize(1);

    agent.on(new AgentEvent.LogsFlushed()).millis(100);
    assertThat(agent.report().drained()).isTrue();
  }

  @Test
  void cancelledDrainResumesWork() {
    agent.after(Duration.ofSeconds(2)).drain(agent.now().wall().plusSeconds(600));
    agent.on(new AgentEvent.LogsFlushed()).after(Duration.ofSeconds(2));
    agent.orders().after(Duration.ofSeconds(2));
    assertThat(agent.report().drained()).isFalse();

    agent.granted(order(0, 1));
    assertThat(agent.started()).containsExactly(0L);
  }

  @Test
  void terminationReturnsLeasesBeforeQuit() {
    agent.granted(order(0, 4)).after(Duration.ofSeconds(3));
    agent.on(new AgentEvent.StopRequested());
    agent.on(new AgentEvent.Killed(attempt(0, 0))).on(new AgentEvent.Killed(attempt(0, 1)));
    agent.on(new AgentEvent.LogsFlushed()).millis(100);
    assertThat(agent.take(AgentEffect.Quit.class)).isEmpty();
    assertThat(agent.lease(0).released()).isTrue();
    assertThat(agent.lease(0).failed())
        .extracting(AttemptFailure::cause)
        .containsOnly(FailureCause.DRAINED);

    agent.orders();
    assertThat(agent.take(AgentEffect.Quit.class)).hasSize(1);
  }

  @Test
  void terminatingAgentReportsDrainedWithoutWaiting() {
    agent.granted(order(0, 4)).after(Duration.ofSeconds(3));
    agent.on(new AgentEvent.StopRequested()).millis(100);
    assertThat(agent.report().drained()).isFalse();

    agent.on(new AgentEvent.Killed(attempt(0, 0))).on(new AgentEvent.Killed(attempt(0, 1)));
    agent.on(new AgentEvent.LogsFlushed()).millis(100);

    assertThat(agent.report().drained()).isTrue();
    assertThat(agent.report().waitSeconds()).isZero();
  }

  @Test
  void unansweredLastReportIsRepeated() {
    agent.granted(order(0, 4)).after(Duration.ofSeconds(3));
    agent.on(new AgentEvent.StopRequested());
    agent.on(new AgentEvent.Killed(attempt(0, 0))).on(new AgentEvent.Killed(attempt(0, 1)));
    agent.on(new AgentEvent.LogsFlushed()).millis(100);
    agent.syncs();

    agent.syncFails();
    assertThat(agent.take(AgentEffect.Quit.class)).isEmpty();
    agent.after(Duration.ofSeconds(2));
    assertThat(agent.syncs()).isEqualTo(1);
    assertThat(agent.report().drained()).isTrue();

    agent.orders();
    assertThat(agent.take(AgentEffect.Quit.class)).hasSize(1);
  }

  @Test
  void secondTerminationKillsWithoutGrace() {
    agent.granted(order(0, 4)).after(Duration.ofSeconds(3));
    agent.on(new AgentEvent.StopRequested());
    agent.take(AgentEffect.Kill.class);

    agent.on(new AgentEvent.StopNowRequested());
    assertThat(agent.take(AgentEffect.Kill.class))
        .extracting(AgentEffect.Kill::grace)
        .containsOnly(Duration.ZERO);
    agent.on(new AgentEvent.Killed(attempt(0, 0)));
    assertThat(agent.take(AgentEffect.Quit.class)).isEmpty();

    agent.on(new AgentEvent.Killed(attempt(0, 1)));
    assertThat(agent.take(AgentEffect.Quit.class)).hasSize(1);
  }

  @Test
  void terminatingAgentQuitsWithoutAnswer() {
    agent.granted(order(0, 4)).after(Duration.ofSeconds(3));
    agent.on(new AgentEvent.StopRequested()).after(Duration.ofSeconds(36));

    assertThat(agent.take(AgentEffect.Quit.class)).hasSize(1);
  }

  @Test
  void unreachableAgentWorksKillsThenPowersOff() {
    agent.granted(order(0, 9)).millis(100);
    partitioned(Duration.ofMinutes(14));
    assertThat(agent.killed()).isEmpty();
    agent.succeeds(attempt(0, 0));
    assertThat(agent.started()).containsExactly(0L, 1L, 2L);

    partitioned(Duration.ofMinutes(2));
    assertThat(agent.killed()).contains(1L, 2L).doesNotContain(0L);
    agent.on(new AgentEvent.Killed(attempt(0, 1))).on(new AgentEvent.Killed(attempt(0, 2)));
    assertThat(agent.started()).isEmpty();
    assertThat(agent.take(AgentEffect.PowerOff.class)).isEmpty();

    partitioned(Duration.ofMinutes(15));
    assertThat(agent.take(AgentEffect.PowerOff.class)).hasSize(1);
    assertThat(agent.lease(0).released()).isTrue();
    assertThat(agent.lease(0).failed())
        .extracting(AttemptFailure::cause)
        .containsOnly(FailureCause.LOST);
    assertThat(agent.lease(0).done().indexes()).containsExactly(0L);
  }

  @Test
  void idleAgentPowersOffAsLate() {
    partitioned(Duration.ofMinutes(29));
    assertThat(agent.take(AgentEffect.PowerOff.class)).isEmpty();

    partitioned(Duration.ofMinutes(2));
    assertThat(agent.take(AgentEffect.PowerOff.class)).hasSize(1);
  }

  @Test
  void returnedLeaseKeepsNoMachineOn() {
    var patient =
        new AgentDriver(
            machine(2),
            job(),
            AgentSettings.DEFAULT.with(
                new AgentSettings.Silence(Duration.ofSeconds(20), Duration.ofSeconds(10))));
    patient.granted(order(0, 1)).millis(100);
    patient.succeeds(attempt(0, 0)).millis(100);
    assertThat(patient.lease(0).released()).isTrue();

    partitioned(patient, Duration.ofSeconds(35));

    assertThat(patient.take(AgentEffect.PowerOff.class)).hasSize(1);
  }

  private void partitioned(Duration time) {
    partitioned(agent, time);
  }

  private static void partitioned(AgentDriver agent, Duration time) {
    var until = agent.now().plus(time).monotonicNanos();
    while (agent.now().monotonicNanos() < until) {
      if (agent.syncs() > 0) agent.syncFails();
      agent.millis(500);
    }
  }

  @Test
  void suspendedAgentAsksBeforeCutOff() {
    agent.granted(order(0, 2)).millis(100).orders(order(0, 2)).after(Duration.ofSeconds(2));
    agent.syncs();
    agent.suspended(Duration.ofHours(2)).millis(1).on(new AgentEvent.Woke());

    assertThat(agent.killed()).isEmpty();
    assertThat(agent.take(AgentEffect.PowerOff.class)).isEmpty();
    agent.millis(100);
    assertThat(agent.syncs()).isEqualTo(1);
    agent.orders(order(0, 2)).after(Duration.ofSeconds(5));
    assertThat(agent.killed()).isEmpty();
  }

  @Test
  void exclusiveResultIsNotPublishedAfterSuspension() {
    var agent = new AgentDriver(machine(2), exclusive());
    agent
        .granted(order(0, 2))
        .suspended(Duration.ofSeconds(10))
        .exits(attempt(0, 0), 0)
        .millis(100);

    assertThat(agent.take(AgentEffect.Upload.class)).isEmpty();
    assertThat(agent.lease(0).failed())
        .singleElement()
        .satisfies(f -> assertThat(f.cause()).isEqualTo(FailureCause.INFRASTRUCTURE))
        .satisfies(f -> assertThat(f.evidence()).contains("was suspended"));
  }

  @Test
  void clocksAreReadBetweenUploadAndSentinel() {
    var agent = new AgentDriver(machine(2), exclusive());
    agent.granted(order(0, 2)).exits(attempt(0, 0), 0);
    assertThat(agent.take(AgentEffect.Upload.class)).hasSize(1);
    agent.suspended(Duration.ofSeconds(10));
    agent.on(new AgentEvent.Uploaded(attempt(0, 0), output(attempt(0, 0)))).millis(100);

    assertThat(agent.take(AgentEffect.Seal.class)).isEmpty();
    assertThat(agent.lease(0).failed())
        .extracting(AttemptFailure::cause)
        .containsOnly(FailureCause.INFRASTRUCTURE);
  }

  @Test
  void doubtfulWorkIsPublishedWithoutRetry() {
    agent.granted(order(0, 2)).suspended(Duration.ofSeconds(10)).exits(attempt(0, 0), 0);
    assertThat(agent.take(AgentEffect.Upload.class)).hasSize(1);

    agent
        .on(new AgentEvent.PublishFailed(attempt(0, 0), true, "store away"))
        .after(Duration.ofSeconds(20));
    assertThat(agent.take(AgentEffect.Upload.class)).isEmpty();
    assertThat(agent.lease(0).failed())
        .extracting(AttemptFailure::cause)
        .containsOnly(FailureCause.INFRASTRUCTURE);
  }

  @Test
  void publicationRetriesUntilCutOffWithoutNewStarts() {
    agent.granted(order(0, 9)).exits(attempt(0, 0), 0);
    agent.started();
    agent.on(new AgentEvent.PublishFailed(attempt(0, 0), true, "store away"));
    agent.succeeds(attempt(0, 1)).millis(1);
    assertThat(agent.started()).isEmpty();

    for (var i = 0; i < 2_000; i++) {
      if (!agent.take(AgentEffect.Upload.class).isEmpty())
        agent.on(new AgentEvent.PublishFailed(attempt(0, 0), true, "store away"));
      agent.servedFor(Duration.ofMillis(500), order(0, 9));
    }
    agent.after(Duration.ofSeconds(2));
    assertThat(agent.lease(0).failed())
        .extracting(AttemptFailure::evidence)
        .containsExactly("store away");
    assertThat(agent.started())
        .as("the store is assumed available until it fails again")
        .isNotEmpty();
  }

  @Test
  void brokenPublicationFailsAtOnceAndStopsNothing() {
    agent.granted(order(0, 9)).exits(attempt(0, 0), 0);
    agent.started();

    agent.on(new AgentEvent.PublishCrashed(attempt(0, 0), "a mistake")).millis(300);

    assertThat(agent.lease(0).failed())
        .singleElement()
        .matches(f -> f.cause() == FailureCause.INFRASTRUCTURE && f.evidence().equals("a mistake"));
    agent.succeeds(attempt(0, 1)).millis(1);
    assertThat(agent.started()).as("starts go on").isNotEmpty();
  }
}
