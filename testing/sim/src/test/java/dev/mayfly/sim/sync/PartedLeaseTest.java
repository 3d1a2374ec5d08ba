package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A lease that was parted is several shards, and one lease for its agent. */
class PartedLeaseTest extends RetriedTaskScene {
  @Test
  void eachPartTakesItsOwnOutcomes() {
    stopAndRetry();
    agent.leases.computeIfPresent(
        lease,
        (ref, l) ->
            new SyncReport.Lease(
                ref,
                l.end(),
                TaskSet.where(0, 5, i -> i == 1 || i == 3),
                l.failed(),
                List.of(),
                5,
                true,
                List.of(),
                List.of()));
    ended(4, FailureCause.USER);
    agent.release();
    agent.syncAndWait();

    assertThat(known()).doesNotContain(lease);
    assertThat(shard(0).done().indexes()).containsExactly(1L);
    assertThat(shard(3).done().indexes()).containsExactly(3L);
    assertThat(shard(3).failures().at(4)).isEqualTo(1);
    assertThat(shard(2).done().isEmpty()).isTrue();
    assertThat(shard(2).attempts().getOrDefault(FailureCause.STOPPED, 0L))
        .as("its end is counted once")
        .isEqualTo(1);
  }

  @Test
  void repeatsOfTheReportChangeNothing() {
    stopAndRetry();
    var before = ranges();
    var epochs = labCluster.shards("j").stream().map(Shard::epoch).toList();

    for (var i = 0; i < 3; i++) agent.syncAndWait();

    assertThat(ranges()).isEqualTo(before);
    assertThat(labCluster.shards("j").stream().map(Shard::epoch)).isEqualTo(epochs);
    assertThat(agent.held()).containsExactly(lease);
  }

  @Test
  void anotherInstanceOrdersTheSame() {
    var other = labCluster.control("b");
    begin();
    agent.desk = other;
    agent.syncAndWait();
    agent.desk = labCluster.controlPlane;
    stop("2");
    ended(2, FailureCause.STOPPED);
    runs(0, 1, 3, 4);
    agent.syncAndWait();
    retry("2");
    agent.syncAndWait();

    agent.desk = other;
    var order = order(agent.syncAndWait(), lease);

    assertThat(order.end()).isEqualTo(5);
  }

  /** The parting falls between any two reads of an instance that answers the agent. */
  @Test
  void instanceThatReadsTooEarlyEndsNothing() {
    for (var task : List.of(0L, 2L))
      for (var nth = 1; nth <= 6; nth++) new PartedLeaseTest().answeredWhileParted(task, nth);
  }

  private void answeredWhileParted(long task, int nth) {
    begin();
    stop(String.valueOf(task));
    ended(task, FailureCause.STOPPED);
    runs(LongStream.range(0, 5).filter(i -> i != task).toArray());
    agent.syncAndWait();
    var late = labCluster.control("b");
    agent.desk = late;
    agent.syncAndWait();
    retry(String.valueOf(task));
    labCluster.advance(1_000);
    var older = agent.report();
    var newer = agent.report();
    var orders = new ArrayList<SyncOrders>();
    labCluster.ledger.deaf = true;
    labCluster.ledger.beforeRead(
        nth, () -> labCluster.controlPlane.syncService().sync(older, _ -> {}));

    late.syncService().sync(newer, orders::add);
    for (var i = 0; i < 300 && orders.isEmpty(); i++) labCluster.advance(100);

    assertThat(order(orders.getFirst(), lease).end()).as("read %d", nth).isEqualTo(5);
    assertThat(shard(task).size()).as("read %d", nth).isEqualTo(1);
  }

  @Test
  void lostMachineGivesBackEachPartWithItsFailures() {
    stopAndRetry();
    ended(1, FailureCause.USER);
    ended(3, FailureCause.USER);
    runs(0, 4);
    agent.syncAndWait();
    assertThat(labCluster.worker("w").held())
        .extracting(Worker.Held::running)
        .containsExactly(List.of(0L), List.of(4L));
    var late = agent.report();

    lose();
    agent.sync(late);

    assertThat(ranges()).containsExactly("0..2 READY", "2..3 READY", "3..5 READY");
    assertThat(shard(1).failures().at(1)).isEqualTo(1);
    assertThat(shard(3).failures().at(3)).isEqualTo(1);
    assertThat(shard(0).infrastructure().at(0)).isEqualTo(1);
    assertThat(shard(4).infrastructure().at(4)).isEqualTo(1);
    assertThat(shard(1).infrastructure().at(1)).as("it had ended before").isZero();
    assertThat(shard(2).failures().isEmpty() && shard(2).infrastructure().isEmpty()).isTrue();
    assertThat(agent.last().fenced()).isTrue();
  }

  @Test
  void restartedAgentGivesBackAllParts() {
    stopAndRetry();

    agent.restarted().syncAndWait();

    assertThat(labCluster.shards("j").stream().filter(s -> s.start() != 2))
        .allSatisfy(s -> assertThat(s.lease()).isNotEqualTo(lease));
    assertThat(labCluster.open("j")).isEqualTo(5);
  }

  @Test
  void taskOfAPartIsStoppedAtItsMachine() {
    stopAndRetry();

    stop("3");

    assertThat(order(agent.syncAndWait(), lease).stop().orElseThrow().indexes())
        .containsExactly(2L, 3L);
  }
}
