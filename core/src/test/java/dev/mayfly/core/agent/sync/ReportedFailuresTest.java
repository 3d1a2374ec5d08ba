package dev.mayfly.core.agent.sync;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.job;
import static dev.mayfly.core.agent.AgentFixtures.lease;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentDriver;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A report repeats all failures of a lease, yet its size is bounded. */
class ReportedFailuresTest {
  private static final long TASKS = 10_000;

  private final AgentDriver agent = new AgentDriver(machine(2), job());

  /** Fails every started task until nothing starts any more. */
  private long failAll(long start, SyncOrders.Lease... orders) {
    var failed = 0L;
    for (var begun = agent.started(); !begun.isEmpty(); begun = agent.started()) {
      for (var index : begun) agent.exits(attempt(start, index), 1);
      failed += begun.size();
      agent.servedFor(Duration.ofMillis(20), orders);
    }
    return failed;
  }

  @Test
  void leaseIsGivenBackWhenTooManyFailed() {
    agent.granted(order(0, TASKS));

    var failed = failAll(0, order(0, TASKS));
    agent.after(Duration.ofSeconds(12));

    assertThat(failed)
        .isBetween((long) SyncReport.FAILURES_OF_LEASE, SyncReport.FAILURES_OF_LEASE + 2L);
    assertThat(agent.lease(0).released()).isTrue();
    assertThat(agent.lease(0).failed()).hasSize((int) failed);
  }

  @Test
  void outputsInTheWayAreReportedInParts() {
    agent.orders(order(0, TASKS));
    var all = TaskSet.where(0, TASKS, _ -> true);

    agent.on(new AgentEvent.Surveyed(lease(0), TaskSet.none(0), TaskSet.none(0), all));
    agent.millis(2_000);

    assertThat(agent.lease(0).failed()).hasSize(SyncReport.FAILURES_OF_LEASE);
    assertThat(agent.lease(0).released()).isTrue();
  }

  @Test
  void reportHasFailuresOfSomeLeases() {
    var orders = new SyncOrders.Lease[6];
    for (var i = 0; i < orders.length; i++) orders[i] = order(i * TASKS, (i + 1) * TASKS);
    agent.orders(orders);
    for (var order : orders) {
      var first = order.ref().start();
      var all = TaskSet.where(first, order.end(), _ -> true);
      agent.on(new AgentEvent.Surveyed(order.ref(), TaskSet.none(first), TaskSet.none(first), all));
    }
    agent.millis(2_000);

    assertThat(failures()).containsExactly(1_000, 1_000, 1_000, 1_000, 0, 0);
    assertThat(released()).containsExactly(true, true, true, true, false, false);

    agent.servedFor(Duration.ofSeconds(12), orders[4], orders[5]);
    assertThat(failures()).containsExactly(1_000, 1_000);
    assertThat(released()).containsExactly(true, true);
  }

  private List<Integer> failures() {
    return agent.report().leases().stream().map(l -> l.failed().size()).toList();
  }

  private List<Boolean> released() {
    return agent.report().leases().stream().map(SyncReport.Lease::released).toList();
  }
}
