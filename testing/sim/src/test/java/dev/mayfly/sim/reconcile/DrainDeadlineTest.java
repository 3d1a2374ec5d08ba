package dev.mayfly.sim.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.reconcile.MachineEvent;
import dev.mayfly.sim.fixture.ReconcileFixture;
import dev.mayfly.sim.spec.JobBuilder;
import dev.mayfly.sim.spec.RunBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who sets the deadline of a worker's tasks, and when the worker is given up after it. */
class DrainDeadlineTest {
  private static final Duration LIFE = Duration.ofMinutes(20);

  private ReconcileFixture b = new ReconcileFixture(pool(10, LIFE));

  private static PoolSpec pool(int max, Duration life) {
    var plain = ReconcileFixture.pool(0, max, ReconcileFixture.ZONE);
    return new PoolSpec(
        plain.name(),
        plain.machineType(),
        plain.visible(),
        plain.zones(),
        Provisioning.SPOT,
        0,
        max,
        plain.idleAfter(),
        life,
        MachineSpec.PLAIN);
  }

  /** A worker that runs task 0 of a job. */
  private String busy() {
    var job = b.job("train", 1);
    b.tick();
    var name = b.only().name();
    b.makeReady(name);
    var now = b.time.instant();
    var key = new DocumentKey.OfShard(b.uid, job.uid(), 0);
    var shard = b.ledger.read(key).orElseThrow();
    var leased =
        ShardTransitions.grant(shard.value(), new Shard.Owner(name, b.worker(name).epoch()), now);
    b.ledger.commit(List.of(new LedgerWrite.Update(leased, shard.version())));
    var held =
        new Worker.Held(
            job.uid(),
            0,
            leased.epoch(),
            Resources.cpu(1, 1L << 30),
            now,
            List.of(0L),
            false,
            1,
            List.of(),
            List.of());
    b.change(name, w -> w.withLeases(List.of(held), now));
    return name;
  }

  /** Gives the job's tasks another grace. */
  private void give(Duration grace) {
    var job = b.ledger.read(new DocumentKey.OfJob(b.uid, "uid-train")).orElseThrow();
    var was = job.value().spec();
    var run = RunBuilder.like(was.run()).grace(grace).build();
    var spec = JobBuilder.like(was).run(run).build();
    b.ledger.commit(List.of(new LedgerWrite.Update(job.value().withSpec(spec), job.version())));
  }

  private WorkerState.Draining draining(String name) {
    return (WorkerState.Draining) b.worker(name).state();
  }

  private List<AttemptFailure> evidence() {
    return b.ledger
        .read(new DocumentKey.OfShard(b.uid, "uid-train", 0))
        .orElseThrow()
        .value()
        .evidence();
  }

  @Test
  void drainByHandLeavesFiveMinutesAndSaysSo() {
    var name = busy();

    b.changes.drain("lab", name, b.later());

    assertThat(draining(name).deadline()).isEqualTo(b.time.instant().plus(Duration.ofMinutes(5)));
    assertThat(draining(name).why().cause()).isEqualTo(DrainCause.USER);
    assertThat(b.events("draining")).containsExactly("by hand (mayfly drain)");
  }

  @Test
  void drainNearTheEndOfLifeEndsWithIt() {
    var name = busy();
    b.time.advance(Duration.ofMinutes(16));

    b.changes.drain("lab", name, b.later());

    assertThat(draining(name).why().cause()).isEqualTo(DrainCause.END_OF_LIFE);
    var end = b.worker(name).createdAt().plus(LIFE);
    assertThat(draining(name).deadline()).isEqualTo(end.minus(Duration.ofMinutes(1)));
  }

  @Test
  void loweredMaximumNamesItself() {
    b = new ReconcileFixture(pool(10, Duration.ofHours(24)));
    var name = busy();

    b.apply(ReconcileFixture.spec(pool(0, Duration.ofHours(24))), b.later());
    b.tick();

    assertThat(draining(name).why().cause()).isEqualTo(DrainCause.MAXIMUM_LOWERED);
    assertThat(b.events("draining"))
        .containsExactly("the maximum was lowered: workers.max is 0 now");
  }

  @Test
  void clusterGoesDownAfterTheLongestGrace() {
    b = new ReconcileFixture(pool(10, Duration.ofHours(24)));
    var name = busy();
    var grace = Duration.ofMinutes(10);
    give(grace);

    b.changes.down("lab", b.later());
    b.tick();

    assertThat(draining(name).why().cause()).isEqualTo(DrainCause.CLUSTER_DOWN);
    assertThat(draining(name).deadline()).isEqualTo(draining(name).since().plus(grace));
  }

  @Test
  void agentHasTimeToStoreAfterTheDeadline() {
    var name = busy();
    b.changes.drain("lab", name, b.later());
    var deadline = draining(name).deadline();

    b.time.advance(Duration.between(b.time.instant(), deadline.plusSeconds(58)));
    b.reconcile();
    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Draining.class);

    b.time.advance(Duration.ofSeconds(3));
    b.reconcileLoop.tick();
    assertThat(b.worker(name).state())
        .isInstanceOfSatisfying(
            WorkerState.Lost.class, s -> assertThat(s.cause()).isEqualTo(FailureCause.DRAINED));
    assertThat(evidence())
        .extracting(AttemptFailure::cause, AttemptFailure::evidence)
        .containsExactly(
            tuple(
                FailureCause.DRAINED,
                "by hand (mayfly drain); it did not end before the drain deadline"));
  }

  @ParameterizedTest
  @EnumSource(names = {"DELETED", "STOPPED", "PREEMPTED"})
  void cloudsOwnDeletionIsCalledEndOfLife(MachineEvent.Kind kind) {
    var name = busy();
    b.time.advance(Duration.between(b.time.instant(), b.worker(name).createdAt().plus(LIFE)));
    var id = b.worker(name).instanceId().orElseThrow();

    b.machineEvents.handle(
        new MachineEvent(ReconcileFixture.ZONE, name, id, kind, b.time.instant()));

    assertThat(evidence())
        .extracting(AttemptFailure::cause, AttemptFailure::evidence)
        .containsExactly(
            tuple(FailureCause.END_OF_LIFE, "the machine's 20m (pools[].life) are over"));
    assertThat(b.events("lost")).isEmpty();
    assertThat(b.events("ended")).containsExactly("the machine's 20m (pools[].life) are over");
    var shard = b.ledger.read(new DocumentKey.OfShard(b.uid, "uid-train", 0)).orElseThrow();
    assertThat(shard.value().attempts()).isEqualTo(Map.of(FailureCause.END_OF_LIFE, 1L));
    assertThat(shard.value().infrastructure().isEmpty()).isTrue();
  }
}
