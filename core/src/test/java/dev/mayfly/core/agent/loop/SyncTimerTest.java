package dev.mayfly.core.agent.loop;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.job;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentDriver;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.sync.MachineProblem;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When the agent syncs, and what it asks for. */
class SyncTimerTest {
  private static final MachineProblem FULL = MachineProblem.Kind.OTHER.of("disk is full");

  private final AgentDriver agent = new AgentDriver(machine(2), job());

  /**
   * Runs the next {@code n} tasks of the lease from {@code from} on, each for {@code millis}, one
   * after another.
   */
  private void run(long from, int n, long millis) {
    for (var i = from; i < from + n; i++) agent.millis(millis).succeeds(attempt(0, i));
  }

  @Test
  void idleAgentKeepsOnePendingSync() {
    agent.servedFor(Duration.ofMinutes(10));

    assertThat(agent.syncs()).isBetween(20, 61);
    assertThat(agent.report().waitSeconds()).isEqualTo(25);
  }

  @Test
  void nextCallFollowsWaitedAnswerAtOnce() {
    agent.after(Duration.ofSeconds(20));
    agent.syncs();
    agent.orders().millis(1);

    assertThat(agent.syncs()).isEqualTo(1);
  }

  @Test
  void immediateAnswersCauseNoBusyLoop() {
    for (var i = 0; i < 1_000; i++) {
      if (agent.syncs() > 0) agent.orders();
      agent.millis(10);
    }

    assertThat(agent.report().seq()).isLessThan(13);
  }

  @Test
  void roomExcludesRunningAndLeasedWork() {
    agent.granted(order(0, 1)).millis(100);
    assertThat(agent.report().room()).isEqualTo(Resources.cpu(1, 16L << 30));

    agent.orders(order(0, 1), order(10, 20)).millis(100);
    assertThat(agent.report().room()).isEqualTo(Resources.cpu(0, 16L << 30));
  }

  @Test
  void appetiteForShortTasksIsTwoSeconds() {
    agent.granted(order(0, 100)).millis(100);
    assertThat(agent.report().prefetch()).isEmpty();

    agent.orders(order(0, 100));
    run(0, 20, 10);
    agent.after(Duration.ofSeconds(1));
    // The first two ran for 110 and 120 ms, the other eighteen for 20 each: 29.5 ms. Two slots
    // could run 136 of
    // them in two seconds, and 78 are queued.
    assertThat(agent.report().prefetch()).containsOnly(Map.entry("j1", 58L));
  }

  @Test
  void longTasksAreNotLeasedAhead() {
    agent.granted(order(0, 4));
    agent
        .servedFor(Duration.ofMinutes(1), order(0, 4))
        .succeeds(attempt(0, 0))
        .after(Duration.ofSeconds(2));

    assertThat(agent.report().prefetch()).isEmpty();
  }

  @Test
  void successesAreReportedOncePerSecond() {
    agent.granted(order(0, 10_000)).served(order(0, 10_000));
    run(0, 400, 5);
    agent.syncs();
    run(400, 2_000, 5);

    assertThat(agent.syncs()).isBetween(9, 12);
    assertThat(agent.lease(0).done().count()).isGreaterThan(2_000);
  }

  @Test
  void successKeepsWaitingCall() {
    agent.granted(order(0, 10)).millis(100);
    var waiting = agent.report().seq();
    agent.after(Duration.ofSeconds(2)).succeeds(attempt(0, 0)).after(Duration.ofSeconds(5));

    assertThat(agent.report().waitSeconds()).isEqualTo(10);
    assertThat(agent.report().seq()).isEqualTo(waiting);
  }

  @Test
  void callWithWorkIsAbandonedPastHeartbeat() {
    agent.granted(order(0, 10)).millis(100);
    var waiting = agent.report().seq();
    agent.after(Duration.ofMillis(14_800));
    assertThat(agent.report().seq()).isEqualTo(waiting);

    agent.after(Duration.ofMillis(600));
    assertThat(agent.report().seq()).isEqualTo(waiting + 1);
  }

  @Test
  void callAfterFailureDoesNotWait() {
    agent.granted(order(0, 10)).millis(100);
    agent.syncFails().after(Duration.ofMillis(300));
    var probe = agent.report().seq();
    assertThat(agent.report().waitSeconds()).isZero();
    agent.after(Duration.ofMillis(5_600));
    assertThat(agent.report().seq()).isEqualTo(probe + 1);

    agent.served(order(0, 10)).after(Duration.ofSeconds(1));
    assertThat(agent.report().seq()).isEqualTo(probe + 2);
    assertThat(agent.report().waitSeconds()).isEqualTo(10);
  }

  @Test
  void repeatedFailuresAbandonCallsOncePerSecond() {
    agent.granted(order(0, 1_000)).after(Duration.ofSeconds(2));
    agent.syncs();
    agent.exits(attempt(0, 0), 1);
    assertThat(agent.syncs()).isEqualTo(1);
    assertThat(agent.lease(0).failed()).hasSize(1);

    for (var i = 1; i < 100; i++) agent.millis(10).exits(attempt(0, i), 1);
    agent.after(Duration.ofSeconds(1));
    assertThat(agent.syncs()).isBetween(1, 2);
    assertThat(agent.lease(0).failed()).hasSize(100);
  }

  @Test
  void endOfLeaseIsReportedAtOnce() {
    agent.granted(order(0, 1)).after(Duration.ofSeconds(2));
    agent.syncs();
    agent.succeeds(attempt(0, 0));

    assertThat(agent.syncs()).isEqualTo(1);
    assertThat(agent.lease(0).released()).isTrue();
  }

  @Test
  void freeSlotIsReportedAtOnce() {
    agent.granted(order(0, 2)).after(Duration.ofSeconds(2));
    agent.syncs();
    agent.exits(attempt(0, 0), 0).millis(51);

    assertThat(agent.syncs()).isEqualTo(1);
    assertThat(agent.report().room()).isEqualTo(Resources.cpu(1, 16L << 30));
  }

  @Test
  void queueBelowHalfIsReportedOnce() {
    agent.granted(order(0, 300)).millis(100).orders(order(0, 300));
    run(0, 150, 10);
    agent.after(Duration.ofSeconds(1)).orders(order(0, 300)).after(Duration.ofMillis(1_100));
    agent.syncs();
    var seq = agent.report().seq();
    run(150, 140, 2);

    assertThat(agent.report().seq()).isBetween(seq, seq + 2);
  }

  @Test
  void waitEndsByNextTaskEnd() {
    agent.granted(order(0, 4)).servedFor(Duration.ofSeconds(30), order(0, 4));
    agent.succeeds(attempt(0, 0));
    agent.servedFor(Duration.ofSeconds(25), order(0, 4));

    assertThat(agent.report().waitSeconds()).isBetween(5, 15);
  }

  @Test
  void failedCallsRetryWithinFiveSeconds() {
    assertThat(longestPause()).isBetween(Duration.ofSeconds(3), Duration.ofMillis(5_100));

    agent.orders(order(0, 2));
    agent.nothingDone(0);
    agent.after(Duration.ofSeconds(1));
    assertThat(longestPause()).isBetween(Duration.ofSeconds(3), Duration.ofMillis(5_100));
  }

  private Duration longestPause() {
    var longest = Duration.ZERO;
    for (var i = 0; i < 60; i++) {
      agent.syncs();
      agent.syncFails();
      var from = agent.now();
      while (agent.syncs() == 0) agent.millis(100);
      var pause = agent.now().monotonicSince(from);
      if (pause.compareTo(longest) > 0) longest = pause;
    }
    return longest;
  }

  @Test
  void unansweredCallIsReplaced() {
    var first = agent.report().seq();
    agent.after(Duration.ofSeconds(29));
    assertThat(agent.report().seq()).isEqualTo(first);

    agent.after(Duration.ofSeconds(2));
    assertThat(agent.report().seq()).isEqualTo(first + 1);
  }

  @Test
  void answerFoundAfterSuspensionIsIgnored() {
    var old = agent.report().seq();
    agent.millis(100).suspended(Duration.ofMinutes(2)).orders(order(0, 2));

    assertThat(agent.take(AgentEffect.Survey.class)).isEmpty();
    assertThat(agent.report().seq()).isEqualTo(old + 1);
  }

  @Test
  void machineProblemIsReportedAndCleared() {
    agent.after(Duration.ofSeconds(1)).on(new AgentEvent.DeviceProblem(Optional.of(FULL)));
    assertThat(agent.report().machineProblem()).contains(FULL);

    agent.after(Duration.ofSeconds(1)).on(new AgentEvent.DeviceProblem(Optional.empty()));
    assertThat(agent.report().machineProblem()).isEmpty();
  }

  @Test
  void unenforcedLimitsAreReportedBelowOtherProblems() {
    var why = "control groups are of version 1";
    agent.after(Duration.ofSeconds(1)).on(new AgentEvent.Unlimited(why));
    assertThat(agent.report().machineProblem()).contains(MachineProblem.Kind.UNLIMITED.of(why));

    agent.after(Duration.ofSeconds(1)).on(new AgentEvent.DeviceProblem(Optional.of(FULL)));
    assertThat(agent.report().machineProblem()).contains(FULL);

    agent.after(Duration.ofSeconds(1)).on(new AgentEvent.DeviceProblem(Optional.empty()));
    assertThat(agent.report().machineProblem()).contains(MachineProblem.Kind.UNLIMITED.of(why));
  }
}
