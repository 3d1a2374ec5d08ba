package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How work leaves a worker that has not ended it: to the idle, by a stop, a drain or a loss. */
class TakingBackTest {
  private final Lab lab = new Lab();

  @Test
  void oneShardIsCutForManyThatWait() {
    var wide = new Lab(1);
    wide.submit(Lab.count("j", 64));
    var all = new ArrayList<Caller>();
    for (var i = 0; i < 6; i++) all.add(wide.machine("w" + i));
    wide.submit(Lab.count("x", 1));
    wide.stop("x");
    wide.stop("j");
    wide.deliver();
    all.forEach(Caller::call);
    wide.pass(3_000);
    wide.submit(Lab.count("k", 12));
    wide.pass(11_000);

    assertThat(all).allMatch(w -> !w.held().isEmpty());
    var next = 0L;
    for (var shard : wide.shards("k")) {
      assertThat(shard.start()).isEqualTo(next);
      next = shard.end();
    }
    assertThat(next).isEqualTo(12);
  }

  @Test
  void theIdleTakeTheRestOfAShardAndItsHolderIsToldItsNewEnd() {
    var one = new Lab(1);
    one.submit(Lab.spec("j", new TaskSource.Count(800), Optional.empty(), false));
    var rich = one.machine("rich");
    rich.ask();
    rich.appetite = java.util.Map.of(one.job("j").uid(), 2_000L);
    rich.ask();
    var shards = one.shards("j").size();
    assertThat(one.shards("j")).allMatch(s -> s.state() == Shard.State.LEASED);
    rich.call();
    one.pass(12_000);
    // With leases a call waits for a beat: this is the next one.
    rich.call();
    var poor = one.machine("poor");
    poor.call();
    one.pass(100);

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
  void exclusiveWorkIsNeverTaken() {
    var one = new Lab(1);
    one.submit(Lab.spec("j", new TaskSource.Count(8), Optional.empty(), true));
    var rich = one.machine("rich");
    rich.appetite = java.util.Map.of(one.job("j").uid(), 2_000L);
    rich.ask();
    rich.ask();
    var before = one.shards("j").size();
    var poor = one.machine("poor");
    poor.wait = 20;
    rich.call();
    poor.call();
    one.pass(15_000);
    assertThat(one.shards("j")).hasSize(before);
  }

  @Test
  void aStopRecallsWhatRunsWithinTheNextSyncAndGrantsNothing() {
    lab.submit(Lab.count("j", 2));
    var w = lab.machine("w");
    w.ask();
    w.call();
    lab.stop("j");
    // The submission's signal was a moment ago.
    lab.pass(1_100);

    assertThat(w.last().leases()).isNotEmpty().allMatch(SyncOrders.Lease::recall);
    assertThat(lab.job("j").state()).isInstanceOf(JobState.Stopping.class);
    w.release();
    w.call();
    lab.deliver();
    assertThat(lab.end("j")).startsWith("STOPPED: 0 done, 2 not finished");
  }

  @Test
  void aLeaseThatAnInstanceGrantsAfterAStopComesWithItsRecall() {
    lab.submit(Lab.count("j", 2));
    var w = lab.machine("w");
    var job = lab.job("j").key();
    // The stop is committed between the instance's look at the job and its grant.
    lab.ledger.before(
        Tripwire::grants,
        () -> {
          var stored = lab.store.read(job).orElseThrow();
          lab.store.commit(
              List.of(
                  new Write.Update(
                      stored.value().with(new JobState.Stopping(lab.now(), "x")),
                      stored.version())));
        });
    var orders = w.ask();
    assertThat(orders.leases()).isNotEmpty().allMatch(SyncOrders.Lease::recall);
  }

  @Test
  void aDrainIsToldOnceAndConfirmed() {
    lab.submit(Lab.count("j", 1));
    var w = lab.machine("w");
    w.ask();
    w.call();
    lab.change(
        "w",
        true,
        x -> x.with(new WorkerState.Draining(lab.now(), "idle", lab.now().plusSeconds(300))));
    lab.pass(100);
    assertThat(w.last().drain()).contains(lab.now().plusSeconds(300).minusMillis(100));

    var told = w.answers.size();
    w.call();
    lab.pass(5_000);
    assertThat(w.answers).as("not told again at once").hasSize(told);

    lab.hints.clear();
    w.release();
    w.drained = true;
    w.call();
    lab.pass(25_000);
    w.ask();
    assertThat(lab.worker("w").state()).isInstanceOf(WorkerState.Drained.class);
    assertThat(lab.hints).contains(Hint.Look.worker(lab.uid, "w"));
    assertThat(lab.worker("w").held()).isEmpty();
  }

  @Test
  void aNoticeDrainsAndAsksForALook() {
    var w = lab.machine("w");
    w.ask();
    lab.hints.clear();
    w.notice = Optional.of(lab.now());
    w.call();

    assertThat(lab.worker("w").state()).isInstanceOf(WorkerState.Draining.class);
    assertThat(lab.hints).contains(Hint.Look.worker(lab.uid, "w"));
    lab.submit(Lab.count("j", 1));
    lab.pass(1_000);
    assertThat(w.held()).as("it gets no more work").isEmpty();
  }

  @Test
  void aLostWorkerIsFencedAndGivesExclusiveWorkBackWhenNothingRuns() {
    lab.submit(Lab.spec("j", new TaskSource.Count(1), Optional.empty(), true));
    var w = lab.machine("w");
    w.ask();
    w.call();
    lab.change(
        "w",
        true,
        x -> x.atEpoch(x.epoch() + 1).with(new WorkerState.Lost(lab.now(), Cause.LOST, "silent")));
    lab.pass(100);
    assertThat(w.last().fenced()).isTrue();

    assertThat(w.ask().fenced()).isTrue();
    assertThat(lab.shards("j").getFirst().state())
        .as("it still runs")
        .isEqualTo(Shard.State.LEASED);
    w.release();
    assertThat(w.ask().fenced()).isTrue();
    assertThat(lab.shards("j").getFirst().state()).isEqualTo(Shard.State.READY);
    assertThat(lab.worker("w").held()).isEmpty();
  }

  @Test
  void anOlderStartDoesNotGiveBackWhatTheLostNewerOneMayRun() {
    var old = lab.machine("w");
    old.ask();
    lab.pass(1_000);
    var young = old.restarted();
    lab.submit(Lab.spec("j", new TaskSource.Count(1), Optional.empty(), true));
    young.ask();
    lab.change("w", true, x -> x.with(new WorkerState.Lost(lab.now(), Cause.LOST, "silent")));
    lab.pass(100);
    old.ask();

    assertThat(lab.shards("j").getFirst().state()).isEqualTo(Shard.State.LEASED);
  }
}
