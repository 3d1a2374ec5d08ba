package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.OnDemandRules;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.sim.fixture.FailingLedger;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import dev.mayfly.sim.spec.JobBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How unfinished work leaves a worker: by a steal, a stop, a drain or a loss. */
class WorkReclaimTest {
  private final LabCluster labCluster = new LabCluster();

  @Test
  void shardIsSplitForManyWaiting() {
    var wide = new LabCluster(1);
    wide.submit(LabCluster.count("j", 64));
    var all = new ArrayList<ScriptedAgent>();
    for (var i = 0; i < 6; i++) all.add(wide.machine("w" + i));
    wide.submit(LabCluster.count("x", 1));
    wide.stop("x");
    wide.stop("j");
    wide.deliver();
    all.forEach(ScriptedAgent::sync);
    wide.advance(3_000);
    wide.submit(LabCluster.count("k", 12));
    wide.advance(11_000);

    assertThat(all).allMatch(w -> !w.held().isEmpty());
    var next = 0L;
    for (var shard : wide.shards("k")) {
      assertThat(shard.start()).isEqualTo(next);
      next = shard.end();
    }
    assertThat(next).isEqualTo(12);
  }

  @Test
  void idleWorkersStealRestOfShard() {
    var one = new LabCluster(1);
    one.submit(LabCluster.spec("j", new TaskSource.Count(800), Optional.empty(), false));
    var rich = one.machine("rich");
    rich.syncAndWait();
    rich.prefetch = java.util.Map.of(one.job("j").uid(), 2_000L);
    rich.syncAndWait();
    var shards = one.shards("j").size();
    assertThat(one.shards("j")).allMatch(s -> s.state() == Shard.State.LEASED);
    rich.sync();
    one.advance(12_000);
    // With leases a sync waits one heartbeat interval: this is the next sync.
    rich.sync();
    var poor = one.machine("poor");
    poor.sync();
    one.advance(100);

    assertThat(poor.held()).isNotEmpty();
    assertThat(one.shards("j").size()).isGreaterThan(shards);
    var ends =
        one.shards("j").stream()
            .filter(s -> rich.held().stream().anyMatch(r -> r.start() == s.start()))
            .mapToLong(Shard::end)
            .sum();
    assertThat(rich.leases.values().stream().mapToLong(l -> l.end()).sum())
        .as("the holder knows")
        .isEqualTo(ends);
    assertThat(rich.held()).as("a steal kills nothing").hasSize(shards);
  }

  @Test
  void workerWithRoomBesideItsWorkStealsToo() {
    var one = new LabCluster(1);
    one.submit(LabCluster.count("other", 1));
    var busy = one.machine("busy");
    busy.syncAndWait();
    assertThat(busy.held()).as("one CPU of two").hasSize(1);
    one.submit(LabCluster.count("j", 8));
    var rich = one.machine("rich");
    rich.syncAndWait();
    rich.prefetch = java.util.Map.of(one.job("j").uid(), 20L);
    rich.syncAndWait();
    for (var i = 0; i < 4; i++) {
      busy.sync();
      one.advance(12_000);
    }

    assertThat(busy.held()).as("its second CPU").hasSize(2);
    assertThat(one.shards("j"))
        .anyMatch(it -> it.owner().filter(o -> o.worker().equals("busy")).isPresent());
  }

  @Test
  void shardWithoutSpotAttemptsIsNotStolen() {
    var one = new LabCluster(1);
    one.useSlices("n2-standard-2");
    one.submit(onceOnSpot(new TaskSource.Count(800)));
    preemptFirstTasks(one);
    var rich = one.machine("rich");
    rich.syncAndWait();
    rich.prefetch = java.util.Map.of(one.job("j").uid(), 2_000L);
    rich.syncAndWait();
    var before = one.shards("j").size();
    rich.sync();
    one.advance(12_000);
    rich.sync();
    one.machine("poor").sync();
    one.advance(100);

    assertThat(one.shards("j")).hasSize(before);
  }

  /** After one attempt a task no longer runs on spot machines. */
  private static JobSpec onceOnSpot(TaskSource tasks) {
    var plain = LabCluster.spec("j", tasks, Optional.empty(), false);
    var once = new OnDemandRules(1, Optional.empty(), Duration.ZERO);
    return new JobSpec(
        plain.name(),
        plain.cluster(),
        plain.owner(),
        plain.tasks(),
        plain.data(),
        plain.run(),
        plain.resources(),
        new RetryRules(3, 100, once, List.of()),
        plain.priority(),
        plain.place(),
        false,
        0,
        false,
        Optional.empty(),
        Optional.empty());
  }

  /**
   * Each shard's first task has been preempted, and yet any machine may have the shard, as while a
   * job's last machines on demand hold it.
   */
  private static void preemptFirstTasks(LabCluster one) {
    var holder = new ShardTransitions.LostHolder("w0", FailureCause.PREEMPTED, "stopped");
    for (var shard : one.shards("j")) {
      var stored = one.store.read(shard.key()).orElseThrow();
      var leased = ShardTransitions.grant(shard, new Shard.Owner("w0", 1), one.now());
      var lost =
          ShardTransitions.lose(
              leased, List.of(shard.start()), holder, JobBuilder.retries(3), one.now());
      one.store.commit(List.of(new LedgerWrite.Update(lost, stored.version())));
    }
  }

  @Test
  void exclusiveWorkIsNeverStolen() {
    var one = new LabCluster(1);
    one.submit(LabCluster.spec("j", new TaskSource.Count(8), Optional.empty(), true));
    var rich = one.machine("rich");
    rich.prefetch = java.util.Map.of(one.job("j").uid(), 2_000L);
    rich.syncAndWait();
    rich.syncAndWait();
    var before = one.shards("j").size();
    var poor = one.machine("poor");
    poor.wait = 20;
    rich.sync();
    poor.sync();
    one.advance(15_000);
    assertThat(one.shards("j")).hasSize(before);
  }

  @Test
  void stopRecallsAtNextSync() {
    labCluster.submit(LabCluster.count("j", 2));
    var w = labCluster.machine("w");
    w.syncAndWait();
    w.sync();
    labCluster.stop("j");
    // The submission's signal was just sent.
    labCluster.advance(1_100);

    assertThat(w.last().leases()).isNotEmpty().allMatch(SyncOrders.Lease::recall);
    assertThat(labCluster.job("j").state()).isInstanceOf(JobState.Stopping.class);
    w.release();
    w.sync();
    labCluster.deliver();
    assertThat(labCluster.end("j")).startsWith("STOPPED: 0 done, 2 not finished");
  }

  @Test
  void grantAfterStopIsRecalled() {
    labCluster.submit(LabCluster.count("j", 2));
    var w = labCluster.machine("w");
    var job = labCluster.job("j").key();
    // The stop is committed between the instance's read of the job and its grant.
    labCluster.ledger.before(
        FailingLedger::grants,
        () -> {
          var stored = labCluster.store.read(job).orElseThrow();
          labCluster.store.commit(
              List.of(
                  new LedgerWrite.Update(
                      stored.value().with(new JobState.Stopping(labCluster.now(), "x")),
                      stored.version())));
        });
    var orders = w.syncAndWait();
    assertThat(orders.leases()).isNotEmpty().allMatch(SyncOrders.Lease::recall);
  }

  @Test
  void drainIsOrderedOnceAndConfirmed() {
    labCluster.submit(LabCluster.count("j", 1));
    var w = labCluster.machine("w");
    w.syncAndWait();
    w.sync();
    labCluster.change(
        "w",
        true,
        x ->
            x.with(
                new WorkerState.Draining(
                    labCluster.now(),
                    new DrainReason(DrainCause.UNNEEDED, "idle"),
                    labCluster.now().plusSeconds(300))));
    labCluster.advance(100);
    assertThat(w.last().drain()).contains(labCluster.now().plusSeconds(300).minusMillis(100));

    var told = w.answers.size();
    w.sync();
    labCluster.advance(5_000);
    assertThat(w.answers).as("not told again at once").hasSize(told);

    labCluster.triggers.clear();
    w.release();
    w.drained = true;
    w.sync();
    labCluster.advance(25_000);
    w.syncAndWait();
    assertThat(labCluster.worker("w").state()).isInstanceOf(WorkerState.Drained.class);
    assertThat(labCluster.triggers).contains(Trigger.Reconcile.worker(labCluster.uid, "w"));
    assertThat(labCluster.worker("w").held()).isEmpty();
  }

  @Test
  void noticeDrainsAndTriggersReconcile() {
    var w = labCluster.machine("w");
    w.syncAndWait();
    labCluster.triggers.clear();
    w.notice = Optional.of(labCluster.now());
    w.sync();

    assertThat(labCluster.worker("w").state()).isInstanceOf(WorkerState.Draining.class);
    assertThat(labCluster.triggers).contains(Trigger.Reconcile.worker(labCluster.uid, "w"));
    labCluster.submit(LabCluster.count("j", 1));
    labCluster.advance(1_000);
    assertThat(w.held()).as("it gets no more work").isEmpty();
  }

  @Test
  void lostWorkerReturnsExclusiveWorkWhenIdle() {
    labCluster.submit(LabCluster.spec("j", new TaskSource.Count(1), Optional.empty(), true));
    var w = labCluster.machine("w");
    w.syncAndWait();
    w.sync();
    labCluster.change(
        "w",
        true,
        x ->
            x.withEpoch(x.epoch() + 1)
                .with(new WorkerState.Lost(labCluster.now(), FailureCause.LOST, "silent")));
    labCluster.advance(100);
    assertThat(w.last().fenced()).isTrue();

    assertThat(w.syncAndWait().fenced()).isTrue();
    assertThat(labCluster.shards("j").getFirst().state())
        .as("it still runs")
        .isEqualTo(Shard.State.LEASED);
    w.release();
    assertThat(w.syncAndWait().fenced()).isTrue();
    assertThat(labCluster.shards("j").getFirst().state()).isEqualTo(Shard.State.READY);
    assertThat(labCluster.worker("w").held()).isEmpty();
  }

  @Test
  void olderAgentDoesNotReturnNewerAgentsWork() {
    var old = labCluster.machine("w");
    old.syncAndWait();
    labCluster.advance(1_000);
    var young = old.restarted();
    labCluster.submit(LabCluster.spec("j", new TaskSource.Count(1), Optional.empty(), true));
    young.syncAndWait();
    labCluster.change(
        "w",
        true,
        x -> x.with(new WorkerState.Lost(labCluster.now(), FailureCause.LOST, "silent")));
    labCluster.advance(100);
    old.syncAndWait();

    assertThat(labCluster.shards("j").getFirst().state()).isEqualTo(Shard.State.LEASED);
  }
}
