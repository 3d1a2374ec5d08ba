package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.sync.SyncReport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A retried task of a range that its worker still works on runs at once, anywhere. */
class RetriedTaskTest extends RetriedTaskScene {
  @Test
  void whatARetriedTaskWaitsForIsSaid() {
    begin();
    stop("2");
    agent.syncAndWait();
    runs(0, 1, 3, 4);
    agent.leases.replaceAll((ref, l) -> before(l, 2));
    retry("2");
    agent.syncAndWait();

    var queries = labCluster.controlPlane.statusQueries();
    assertThat(queries.task("lab", "j", 2).waits())
        .contains(
            "it was retried, and runs again once w, which holds it with others, reports that"
                + " nothing of it runs there; at the latest when these have ended");
    assertThat(queries.task("lab", "j", 1).waits()).contains("next on w, when a task there ends");
    assertThat(queries.explain("lab", "j").reasons())
        .filteredOn(reason -> reason.kind().equals("retried"))
        .extracting(reason -> reason.text())
        .containsExactly(
            "task 2 was retried, and runs again once w, which holds it with others, reports that"
                + " nothing of it runs there; at the latest when these have ended");

    runs(0, 1, 3, 4);
    agent.syncAndWait();
    assertThat(queries.task("lab", "j", 2).waits()).isEmpty();
  }

  /** The agent has begun no task from that one on, but for those that run. */
  private static SyncReport.Lease before(SyncReport.Lease l, long cursor) {
    return new SyncReport.Lease(
        l.ref(),
        l.end(),
        l.done(),
        l.failed(),
        List.of(0L, 1L),
        cursor,
        false,
        List.of(),
        List.of());
  }

  @Test
  void retriedTaskGoesBackWhileOthersRun() {
    stopAndRetry();

    assertThat(ranges()).containsExactly("0..2 LEASED", "2..3 READY", "3..5 LEASED");
    assertThat(known()).containsExactly(lease);
    var other = labCluster.machine("v");
    other.syncAndWait();
    assertThat(other.held()).extracting(LeaseRef::start).containsExactly(2L);

    var order = order(agent.syncAndWait(), lease);
    assertThat(order.end()).isEqualTo(5);
    assertThat(order.recall()).isFalse();
    assertThat(order.stop().orElseThrow().indexes())
        .as("what is another's now does not begin here")
        .containsExactly(2L);
  }

  @Test
  void taskFailedBeforeTheGrantGoesBackOncePassed() {
    begin();
    ended(2, FailureCause.STOPPED);
    stop("2");
    agent.release();
    agent.syncAndWait();
    agent.prefetch = Map.of(labCluster.job("j").uid(), 5L);
    while (agent.leases.isEmpty()) agent.syncAndWait();
    agent.prefetch = Map.of();
    lease = agent.held().getFirst();
    retry("2");
    agent.syncAndWait();
    assertThat(shard(2).size()).as("its machine may still come to it").isEqualTo(5);

    runs(0, 1, 3, 4);
    agent.syncAndWait();

    assertThat(ranges()).containsExactly("0..2 LEASED", "2..3 READY", "3..5 LEASED");
  }

  @Test
  void taskWhoseAttemptStillEndsStays() {
    begin();
    stop("2");
    agent.syncAndWait();
    retry("2");
    agent.syncAndWait();

    assertThat(ranges()).containsExactly("0..5 LEASED");
    assertThat(shard(2).again().indexes()).containsExactly(2L);
  }

  @Test
  void firstAndLastTaskGoBackToo() {
    begin();
    stop("0,4");
    ended(0, FailureCause.STOPPED);
    ended(4, FailureCause.STOPPED);
    runs(1, 2, 3);
    agent.syncAndWait();
    retry("0,4");
    agent.syncAndWait();

    assertThat(ranges()).containsExactly("0..1 READY", "1..4 LEASED", "4..5 READY");
    var order = order(agent.syncAndWait(), lease);
    assertThat(order.end()).isEqualTo(4);
    assertThat(order.stop().orElseThrow().indexes()).containsExactly(0L);
  }

  @Test
  void partWithNothingLeftGoesBackToo() {
    begin();
    ended(0, FailureCause.USER);
    ended(1, FailureCause.USER);
    ended(2, FailureCause.STOPPED);
    stop("2");
    runs(3, 4);
    agent.syncAndWait();
    retry("2");
    agent.syncAndWait();

    assertThat(ranges()).containsExactly("0..2 READY", "2..3 READY", "3..5 LEASED");
    assertThat(shard(0).failures().at(0)).isEqualTo(1);
  }

  @Test
  void stopAfterTheRetryHolds() {
    stopAndRetry();

    stop("2");
    agent.syncAndWait();

    assertThat(ranges()).containsExactly("0..2 LEASED", "2..3 ENDED", "3..5 LEASED");
  }

  @Test
  void stopBeforeItsEndKeepsTheRangeWhole() {
    begin();
    stop("2");
    agent.syncAndWait();
    retry("2");
    stop("2");
    ended(2, FailureCause.STOPPED);
    runs(0, 1, 3, 4);
    agent.syncAndWait();

    assertThat(ranges()).containsExactly("0..5 LEASED");
    assertThat(shard(2).failed().indexes()).containsExactly(2L);
  }

  @Test
  void retryGivesItsTaskAllItsAttempts() {
    begin();
    ended(2, FailureCause.USER);
    runs(0, 1, 3, 4);
    agent.syncAndWait();
    retry("2");
    agent.syncAndWait();

    assertThat(shard(2).size()).isEqualTo(1);
    assertThat(shard(2).failures().at(2)).isZero();
    assertThat(shard(2).evidence()).extracting(AttemptFailure::evidence).containsExactly("said 2");
  }

  @Test
  void secondRetryPartsThePartAgain() {
    stopAndRetry();
    stop("4");
    ended(4, FailureCause.STOPPED);
    runs(0, 1, 3);
    agent.syncAndWait();
    retry("4");
    agent.syncAndWait();

    assertThat(ranges()).containsExactly("0..2 LEASED", "2..3 READY", "3..4 LEASED", "4..5 READY");
    assertThat(order(agent.syncAndWait(), lease).end()).isEqualTo(4);
  }
}
