package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskCommandsTest {
  private final LabCluster labCluster = new LabCluster();

  private UserMessage stop(String tasks) {
    return labCluster.publish(new UserCommand.StopTasks("lab", "j", TaskRanges.parse(tasks)));
  }

  private UserMessage retry(String tasks) {
    return labCluster.publish(new UserCommand.RetryTasks("lab", "j", TaskRanges.parse(tasks)));
  }

  private ScriptedAgent running(long tasks) {
    labCluster.submit(LabCluster.count("j", tasks));
    var agent = labCluster.machine("w");
    agent.prefetch = Map.of(labCluster.job("j").uid(), tasks);
    agent.syncAndWait();
    while (agent.leases.isEmpty()) agent.syncAndWait();
    return agent;
  }

  /** Ends all leases until no task is open; sentinels are written for what is done. */
  private void finish(ScriptedAgent agent, List<Long> done) {
    while (labCluster.open("j") > 0) {
      agent.complete(done::contains);
      agent.release();
      agent.syncAndWait();
    }
    done.forEach(i -> labCluster.put("gs://lab/out/j/" + i + ".COMPLETE"));
    labCluster.deliver();
  }

  @Test
  void stoppedTasksAreAmongTheCounts() {
    running(10);
    stop("7-9");

    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "j").summary())
        .contains("0 failed for good, 3 stopped, accepted");
  }

  private TaskSet stopped() {
    return labCluster.shards("j").stream().map(Shard::stopped).reduce(TaskSet.none(0), TaskSet::or);
  }

  private List<TaskOutcome.Result> results() {
    var url = BucketLayout.of("gs://lab").outcome(labCluster.job("j").uid(), 0);
    return labCluster.codec.outcomes(labCluster.objects.read(url, 1 << 24).orElseThrow()).stream()
        .map(TaskOutcome::result)
        .toList();
  }

  @Test
  void stoppedTaskIsOrderedToEndUntilReported() {
    var agent = running(2);
    agent.leases.replaceAll((ref, l) -> lease(l, List.of(ref.start()), l.failed(), l.end()));

    stop("0");
    var orders = agent.syncAndWait();
    var again = agent.syncAndWait();
    assertThat(stops(orders)).containsExactly(0L);
    assertThat(stops(again)).containsExactly(0L);

    var asked = agent.answers.size();
    agent.leases.replaceAll((ref, l) -> lease(l, List.of(), endedBy(l, 0), l.end()));
    agent.sync();
    assertThat(agent.answers).as("nothing new to order").hasSize(asked);
  }

  private static List<Long> stops(SyncOrders orders) {
    return orders.leases().stream()
        .flatMap(l -> l.stop().stream())
        .flatMap(s -> s.indexes().boxed())
        .toList();
  }

  private static SyncReport.Lease lease(
      SyncReport.Lease l, List<Long> running, List<AttemptFailure> failed, long cursor) {
    return new SyncReport.Lease(
        l.ref(), l.end(), l.done(), failed, running, cursor, l.released(), List.of(), List.of());
  }

  private List<AttemptFailure> endedBy(SyncReport.Lease l, long index) {
    if (index < l.ref().start() || index >= l.end()) return l.failed();
    return List.of(
        new AttemptFailure(
            index,
            l.ref().attempt(),
            FailureCause.STOPPED,
            -1,
            "stopped by a user",
            "w",
            labCluster.now()));
  }

  @Test
  void stoppedTaskEndsAsStoppedNotFailed() {
    var agent = running(4);

    stop("2");
    finish(agent, List.of(0L, 1L, 3L));

    assertThat(results())
        .containsExactly(
            TaskOutcome.Result.DONE,
            TaskOutcome.Result.DONE,
            TaskOutcome.Result.STOPPED,
            TaskOutcome.Result.DONE);
    assertThat(labCluster.end("j")).startsWith("STOPPED: 3 done").endsWith("1 stopped");
    var totals = labCluster.job("j").state().end().orElseThrow().totals();
    assertThat(totals.failed()).isZero();
    assertThat(totals.stopped()).contains(1L);
  }

  @Test
  void jobOfStoppedWaitingTasksEnds() {
    labCluster.submit(LabCluster.count("j", 3));

    stop("0-2");
    labCluster.deliver();

    assertThat(labCluster.end("j")).isEqualTo("STOPPED: 0 done, 3 stopped");
  }

  @Test
  void resultInTransitWinsOverStop() {
    var agent = running(1);

    stop("0");
    agent.complete(i -> true);
    agent.release();
    agent.syncAndWait();
    labCluster.put("gs://lab/out/j/0.COMPLETE");
    labCluster.deliver();

    assertThat(labCluster.end("j")).startsWith("SUCCEEDED");
  }

  @Test
  void failedTaskOfRunningJobGetsNewBudget() {
    var agent = running(2);
    for (var i = 0; i < 3; i++) {
      agent.failed(0);
      agent.release();
      agent.syncAndWait();
      while (agent.leases.isEmpty() && labCluster.open("j") > 0) agent.syncAndWait();
    }
    assertThat(labCluster.open("j")).isEqualTo(1);

    var message = retry("0");
    assertThat(labCluster.open("j")).isEqualTo(2);
    assertThat(labCluster.shards("j")).allSatisfy(s -> assertThat(s.failures().at(0)).isZero());
    agent.release();
    agent.syncAndWait();
    while (agent.leases.isEmpty()) agent.syncAndWait();
    agent.failed(0);
    agent.release();
    agent.syncAndWait();
    labCluster.controlPlane.commandHandler().handle(message);

    assertThat(labCluster.shards("j").stream().mapToInt(s -> s.failures().at(0)).sum())
        .as("a repeat gives no further budget")
        .isEqualTo(1);
  }

  @Test
  void olderStopDoesNotUndoNewerRetry() {
    labCluster.submit(LabCluster.count("j", 4));
    var older = labCluster.message(new UserCommand.StopTasks("lab", "j", TaskRanges.parse("1-2")));
    retry("2");

    labCluster.controlPlane.commandHandler().handle(older);

    assertThat(stopped().indexes()).containsExactly(1L);
  }

  @Test
  void endedJobRunsAgainForNamedTasksAlone() {
    labCluster.submit(LabCluster.count("j", 4));
    labCluster.stop("j");
    labCluster.deliver();
    assertThat(labCluster.end("j")).startsWith("STOPPED: 0 done, 4 not finished");

    var message = retry("1");
    assertThat(labCluster.open("j")).isEqualTo(1);
    var agent = labCluster.machine("w");
    agent.syncAndWait();
    finish(agent, List.of(1L));
    labCluster.controlPlane.commandHandler().handle(message);

    assertThat(results())
        .containsExactly(
            TaskOutcome.Result.STOPPED,
            TaskOutcome.Result.DONE,
            TaskOutcome.Result.STOPPED,
            TaskOutcome.Result.STOPPED);
    assertThat(labCluster.end("j")).as("a repeat changes nothing").startsWith("STOPPED: 1 done");
  }

  /** Seed 1795849985: the job stopped again when its stop was delivered once more. */
  @Test
  void repeatedStopDoesNotUndoRetriedTasks() {
    labCluster.submit(LabCluster.count("j", 4));
    var stop = labCluster.stop("j");
    labCluster.deliver();
    retry("1");

    labCluster.controlPlane.commandHandler().handle(stop);

    assertThat(labCluster.job("j").running()).isTrue();
  }

  @Test
  void interruptedRetryOfEndedJobIsResumed() {
    labCluster.submit(LabCluster.count("j", 2));
    labCluster.stop("j");
    labCluster.deliver();
    var message = labCluster.message(new UserCommand.RetryTasks("lab", "j", TaskRanges.parse("1")));
    var job = labCluster.job("j").key();
    labCluster.ledger.before(
        writes -> writes.stream().anyMatch(w -> w.key().equals(job)),
        () -> {
          throw new UnavailableException("the process ended");
        });

    assertThatThrownBy(() -> labCluster.controlPlane.commandHandler().handle(message))
        .isInstanceOf(UnavailableException.class);
    assertThat(labCluster.job("j").running()).isFalse();
    labCluster.controlPlane.commandHandler().handle(message);

    assertThat(labCluster.job("j").running()).isTrue();
    assertThat(labCluster.open("j")).isEqualTo(1);
  }

  @Test
  void unknownTaskIsRefused() {
    labCluster.submit(LabCluster.count("j", 4));

    assertThat(labCluster.refused(stop("2,4")))
        .singleElement()
        .asString()
        .contains("has the tasks 0 to 3; there is no task 4");
    assertThat(labCluster.refused(retry("7"))).singleElement().asString().contains("no task 7");
    assertThat(stopped().isEmpty()).isTrue();
  }

  @Test
  void doneTaskOfEndedJobIsRefused() {
    var agent = running(1);
    finish(agent, List.of(0L));

    assertThat(labCluster.refused(retry("0")))
        .singleElement()
        .asString()
        .contains("are done", "mayfly submit FILE --again 0");
  }

  @Test
  void wholeRetryRunsStoppedTasksToo() {
    labCluster.submit(LabCluster.count("j", 3));
    stop("0-2");
    labCluster.deliver();

    labCluster.publish(new UserCommand.RetryJob("lab", "j"));

    assertThat(labCluster.open("j")).isEqualTo(3);
    assertThat(stopped().isEmpty()).isTrue();
  }
}
