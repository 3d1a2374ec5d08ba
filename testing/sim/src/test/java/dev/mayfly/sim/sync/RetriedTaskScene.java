package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** A task that was retried in a range which its worker still works on. */
abstract class RetriedTaskScene {
  final LabCluster labCluster = new LabCluster(1);
  final ScriptedAgent agent = labCluster.machine("w");
  LeaseRef lease = new LeaseRef("", 0, 0);

  UserMessage stop(String tasks) {
    return labCluster.publish(new UserCommand.StopTasks("lab", "j", TaskRanges.parse(tasks)));
  }

  UserMessage retry(String tasks) {
    return labCluster.publish(new UserCommand.RetryTasks("lab", "j", TaskRanges.parse(tasks)));
  }

  /** A job of five tasks that one machine has, all of them begun. */
  void begin() {
    labCluster.submit(LabCluster.count("j", 5));
    agent.total = Resources.cpu(1, 1L << 30);
    agent.room = agent.total;
    agent.prefetch = Map.of(labCluster.job("j").uid(), 5L);
    agent.syncAndWait();
    while (agent.leases.isEmpty()) agent.syncAndWait();
    agent.prefetch = Map.of();
    assertThat(ranges()).containsExactly("0..5 LEASED");
    lease = agent.held().getFirst();
    runs(0, 1, 2, 3, 4);
    agent.syncAndWait();
  }

  /** The agent's next report has these as running, and the others as begun. */
  void runs(long... indexes) {
    var running = LongStream.of(indexes).boxed().toList();
    agent.leases.replaceAll((ref, l) ->
        ref.equals(lease)
            ? new SyncReport.Lease(
                ref, l.end(), l.done(), l.failed(), running, 5, false, List.of(), List.of())
            : l);
  }

  void ended(long index, FailureCause cause) {
    agent.leases.computeIfPresent(
        lease,
        (ref, l) -> {
          var failed = new ArrayList<>(l.failed());
          failed.add(
              new AttemptFailure(
                  index, ref.attempt(), cause, 1, "said " + index, "w", labCluster.now()));
          return new SyncReport.Lease(
              ref, l.end(), l.done(), failed, l.running(), 5, false, List.of(), List.of());
        });
  }

  /** Task 2 was stopped, has ended on its machine, and was retried; the others run on. */
  void stopAndRetry() {
    begin();
    stop("2");
    agent.syncAndWait();
    ended(2, FailureCause.STOPPED);
    runs(0, 1, 3, 4);
    agent.syncAndWait();
    retry("2");
    agent.syncAndWait();
  }

  /** A minute passes in which others are heard. */
  void lose() {
    var other = labCluster.machine("v");
    other.total = Resources.ZERO;
    other.room = Resources.ZERO;
    for (var i = 0; i < 60 && !(labCluster.worker("w").state() instanceof WorkerState.Lost); i++) {
      labCluster.advance(1_000);
      other.sync();
    }
  }

  Shard shard(long index) {
    return labCluster.shards("j").stream().filter(s -> s.has(index)).findFirst().orElseThrow();
  }

  List<String> ranges() {
    return labCluster.shards("j").stream()
        .map(s -> "%d..%d %s".formatted(s.start(), s.end(), s.state()))
        .toList();
  }

  List<LeaseRef> known() {
    return labCluster.worker("w").held().stream().map(Worker.Held::known).distinct().toList();
  }

  static SyncOrders.Lease order(SyncOrders orders, LeaseRef ref) {
    return orders.leases().stream().filter(l -> l.ref().equals(ref)).findFirst().orElseThrow();
  }
}
