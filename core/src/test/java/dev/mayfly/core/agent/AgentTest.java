package dev.mayfly.core.agent;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.job;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.needing;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static dev.mayfly.core.agent.AgentFixtures.output;
import static dev.mayfly.core.agent.AgentFixtures.recalled;
import static dev.mayfly.core.model.FailureCause.TAKEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.sync.SyncOrders;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AgentTest {
  private final AgentDriver agent = new AgentDriver(machine(2), job());

  @Test
  void reportsFirst() {
    assertThat(agent.syncs()).isEqualTo(1);
    assertThat(agent.report().seq()).isEqualTo(1);
    assertThat(agent.report().room()).isEqualTo(machine(2).visible());
    assertThat(agent.report().waitSeconds()).isEqualTo(25);
  }

  @Test
  void firstFittingTaskStartsInGrantOrder() {
    var agent = new AgentDriver(machine(4), needing(Resources.cpu(3, 0)));
    agent.granted(order(0, 2), order(10, 12));
    assertThat(agent.started()).containsExactly(0L);

    agent.exits(attempt(0, 0), 0);
    assertThat(agent.started()).containsExactly(1L);
    agent.exits(attempt(0, 1), 0);
    assertThat(agent.started()).containsExactly(10L);
  }

  @Test
  void gpuFractionIsNeverSplitOverDevices() {
    var need = new Resources(0, 0, 600, 0);
    var agent = new AgentDriver(machine(new Resources(8_000, 1, 2_000, 0)), needing(need));
    agent.granted(order(0, 3));

    assertThat(agent.take(AgentEffect.Start.class))
        .extracting(AgentEffect.Start::gpus)
        .containsExactly(List.of(0), List.of(1));
    agent.exits(attempt(0, 1), 0);
    assertThat(agent.take(AgentEffect.Start.class))
        .extracting(AgentEffect.Start::gpus)
        .containsExactly(List.of(1));
  }

  @Test
  void publishingHoldsNoCapacityAndIsReportedAsRunning() {
    agent.granted(order(0, 3));
    agent.started();
    agent.exits(attempt(0, 0), 0);

    assertThat(agent.started()).containsExactly(2L);
    agent.after(Duration.ofSeconds(1));
    assertThat(agent.lease(0).running()).containsExactly(0L, 1L, 2L);
  }

  @Test
  void sentinelMakesTaskDoneAndDropsWork() {
    agent.granted(order(0, 1));
    agent.exits(attempt(0, 0), 0);
    assertThat(agent.take(AgentEffect.Seal.class)).isEmpty();
    agent.on(new AgentEvent.Uploaded(attempt(0, 0), output(attempt(0, 0))));

    assertThat(agent.take(AgentEffect.Seal.class))
        .singleElement()
        .satisfies(s -> assertThat(s.at()).hasToString("file:///out/0.txt.COMPLETE"))
        .satisfies(s -> assertThat(s.sentinel().generation()).isEqualTo(7));
    agent.sealed(attempt(0, 0)).millis(100);
    assertThat(agent.lease(0).done().has(0)).isTrue();
    assertThat(agent.take(AgentEffect.DeleteWorkDir.class)).hasSize(1);
  }

  @Test
  void anySentinelMeansDone() {
    agent.granted(order(0, 1)).exits(attempt(0, 0), 0);
    agent.on(new AgentEvent.Uploaded(attempt(0, 0), output(attempt(0, 0))));
    agent.on(new AgentEvent.Sealed(attempt(0, 0), Optional.empty(), MadeFrom.UNKNOWN)).millis(100);

    assertThat(agent.lease(0).done().has(0)).isTrue();
  }

  @Test
  void failedAttemptsReportTheirCause() {
    var agent = new AgentDriver(machine(8), job());
    agent.granted(order(0, 5));
    agent.exits(attempt(0, 0), 3);
    agent.on(new AgentEvent.Exited(attempt(0, 1), 137, FailureCause.OUT_OF_MEMORY, "killed"));
    agent.on(
        new AgentEvent.StartFailed(
            attempt(0, 2),
            FailureCause.INFRASTRUCTURE,
            true,
            "disk full",
            AgentEvent.Prospect.OPEN));
    agent.exits(attempt(0, 3), 0);
    agent.on(new AgentEvent.OutputExists(attempt(0, 3), "there"));
    agent.exits(attempt(0, 4), 0);
    agent
        .on(new AgentEvent.PublishFailed(attempt(0, 4), false, "denied"))
        .after(Duration.ofSeconds(2));

    assertThat(agent.lease(0).failed())
        .extracting(AttemptFailure::cause)
        .containsExactly(
            FailureCause.USER,
            FailureCause.OUT_OF_MEMORY,
            FailureCause.INFRASTRUCTURE,
            FailureCause.OUTPUT_EXISTS,
            FailureCause.USER);
    assertThat(agent.lease(0).failed())
        .extracting(AttemptFailure::exitCode)
        .containsExactly(3, 137, -1, 0, 0);
    assertThat(agent.lease(0).failed()).extracting(AttemptFailure::attempt).containsOnly("s0e1");
    assertThat(agent.lease(0).released()).isTrue();
  }

  @Test
  void timeoutFreesCapacityAfterConfirmedKill() {
    agent.granted(order(0, 3));
    agent.started();
    agent.servedFor(Duration.ofHours(1), order(0, 3));

    assertThat(agent.killed()).containsExactly(0L, 1L);
    assertThat(agent.started()).isEmpty();
    agent.on(new AgentEvent.Killed(attempt(0, 0))).after(Duration.ofSeconds(2));
    assertThat(agent.started()).containsExactly(2L);
    assertThat(agent.lease(0).failed())
        .singleElement()
        .extracting(AttemptFailure::cause)
        .isEqualTo(FailureCause.TIMEOUT);
    assertThat(agent.lease(0).running()).containsExactly(1L, 2L);
  }

  @Test
  void exitCodeOfKilledTaskIsReported() {
    agent.granted(order(0, 2)).servedFor(Duration.ofHours(1), order(0, 2));

    agent.on(new AgentEvent.Killed(attempt(0, 0), 143)).on(new AgentEvent.Killed(attempt(0, 1)));
    agent.after(Duration.ofSeconds(2));

    assertThat(agent.lease(0).failed())
        .extracting(AttemptFailure::exitCode)
        .containsExactly(143, 137);
  }

  @Test
  void unconfirmedKillIsRepeated() {
    agent.granted(order(0, 1)).servedFor(Duration.ofHours(1), order(0, 1));
    assertThat(agent.killed()).hasSize(1);

    agent.after(Duration.ofSeconds(21));
    assertThat(agent.take(AgentEffect.Kill.class))
        .singleElement()
        .extracting(AgentEffect.Kill::grace)
        .isEqualTo(Duration.ZERO);
  }

  @Test
  void unnamedLeasesAreKilledAndForgotten() {
    agent.granted(order(0, 2), order(10, 12));
    agent.started();
    agent.millis(100).orders(order(10, 12)).millis(100);
    assertThat(agent.killed()).containsExactly(0L, 1L);
    assertThat(agent.lease(0).running()).containsExactly(0L, 1L);
    assertThat(agent.lease(0).released()).isFalse();

    agent
        .on(new AgentEvent.Killed(attempt(0, 0)))
        .on(new AgentEvent.Killed(attempt(0, 1)))
        .millis(100);
    assertThat(agent.report().leases()).extracting(l -> l.ref().start()).containsExactly(10L);
    assertThat(agent.started()).containsExactly(10L, 11L);
  }

  @Test
  void returnedLeaseStartsNothing() {
    agent.granted(order(0, 2)).millis(100).orders();
    agent.on(new AgentEvent.Killed(attempt(0, 0))).on(new AgentEvent.Killed(attempt(0, 1)));
    agent.started();
    agent.millis(100).granted(order(0, 2)).millis(100);

    assertThat(agent.started()).isEmpty();
    assertThat(agent.lease(0).released()).isTrue();
  }

  @Test
  void loweredEndDropsAndKillsTail() {
    var agent = new AgentDriver(machine(3), job());
    agent.granted(order(0, 10)).millis(100);
    agent.started();
    agent.orders(order(0, 2)).millis(100);
    assertThat(agent.killed()).containsExactly(2L);

    agent.on(new AgentEvent.Killed(attempt(0, 2)));
    agent.succeeds(attempt(0, 0)).succeeds(attempt(0, 1)).millis(100);
    assertThat(agent.started()).isEmpty();
    assertThat(agent.lease(0).end()).isEqualTo(2);
    assertThat(agent.lease(0).done().count()).isEqualTo(2);
    assertThat(agent.lease(0).failed()).extracting(AttemptFailure::cause).containsExactly(TAKEN);
    assertThat(agent.lease(0).released()).isTrue();
  }

  @Test
  void recallDropsLateOutput() {
    agent.granted(order(0, 1)).exits(attempt(0, 0), 0).after(Duration.ofSeconds(15));
    agent.orders(recalled(0, 1)).after(Duration.ofSeconds(9));
    assertThat(agent.lease(0).released()).isFalse();

    agent.after(Duration.ofSeconds(2));
    assertThat(agent.take(AgentEffect.DeleteWorkDir.class)).hasSize(1);
    agent.orders(recalled(0, 1)).millis(100);
    assertThat(agent.lease(0).released()).isTrue();
    assertThat(agent.lease(0).failed())
        .extracting(AttemptFailure::cause)
        .containsOnly(FailureCause.STOPPED);
  }

  @Test
  void aRecallKillsWithGraceAndReleasesWhenConfirmed() {
    agent.granted(order(0, 10)).millis(100);
    agent.orders(recalled(0, 10)).millis(100);
    assertThat(agent.take(AgentEffect.Kill.class))
        .extracting(AgentEffect.Kill::grace)
        .containsOnly(Duration.ofSeconds(10));
    assertThat(agent.lease(0).released()).isFalse();

    agent
        .on(new AgentEvent.Killed(attempt(0, 0)))
        .on(new AgentEvent.Killed(attempt(0, 1)))
        .millis(100);
    assertThat(agent.lease(0).released()).isTrue();
    assertThat(agent.lease(0).failed())
        .extracting(AttemptFailure::cause)
        .containsOnly(FailureCause.STOPPED);
    assertThat(agent.lease(0).cursor()).isEqualTo(2);
  }

  @Test
  void endedLeaseIsReportedUntilOrdersOmitIt() {
    agent.granted(order(0, 1)).millis(100);
    agent.succeeds(attempt(0, 0)).millis(100);
    assertThat(agent.lease(0).released()).isTrue();

    agent.orders(order(0, 1)).after(Duration.ofSeconds(2));
    assertThat(agent.lease(0).done().has(0)).isTrue();
    agent.orders().after(Duration.ofSeconds(2));
    assertThat(agent.report().leases()).isEmpty();
  }

  @Test
  void fencedAgentKillsBeforeItReports() {
    agent.granted(order(0, 4)).millis(100);
    agent.syncs();
    agent.fence().after(Duration.ofSeconds(5));
    assertThat(agent.killed()).containsExactly(0L, 1L);
    assertThat(agent.syncs()).isZero();

    agent
        .on(new AgentEvent.Killed(attempt(0, 0)))
        .on(new AgentEvent.Killed(attempt(0, 1)))
        .millis(100);
    assertThat(agent.syncs()).isEqualTo(1);
    assertThat(agent.report().leases()).isEmpty();
    agent.fence().after(Duration.ofSeconds(9));
    assertThat(agent.syncs())
        .as("a fenced agent with nothing to kill does not call in a loop")
        .isZero();
  }

  @Test
  void answersToOlderCallsAreIgnored() {
    var old = agent.report().seq();
    agent.after(Duration.ofSeconds(1)).on(new AgentEvent.PreemptionNoticed(agent.now().wall()));
    assertThat(agent.report().seq()).isGreaterThan(old);
    agent.on(
        new AgentEvent.OrdersReceived(
            new SyncOrders(
                old,
                agent.now().wall(),
                agent.now().wall(),
                List.of(order(0, 4)),
                List.of(job()),
                Optional.empty(),
                false,
                List.of(),
                List.of())));

    assertThat(agent.take(AgentEffect.Survey.class)).isEmpty();
  }

  @Test
  void duplicateAndLateEventsHaveNoEffect() {
    agent.granted(order(0, 2));
    agent.succeeds(attempt(0, 0));
    agent.effects.clear();

    agent.succeeds(attempt(0, 0)).exits(attempt(0, 0), 1).nothingDone(0);
    agent.on(new AgentEvent.Killed(attempt(0, 1))).on(new AgentEvent.Killed(attempt(5, 9)));
    agent.on(new AgentEvent.PublishFailed(attempt(0, 1), true, "late"));
    agent.on(new AgentEvent.LogsFlushed()).on(new AgentEvent.SyncFailed(77, "old"));
    assertThat(agent.effects.stream().filter(e -> !(e instanceof AgentEffect.WakeAt))).isEmpty();
  }
}
