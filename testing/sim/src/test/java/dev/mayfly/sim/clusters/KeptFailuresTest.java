package dev.mayfly.sim.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.sync.FailedFolder;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.model.worker.KeptAttempt;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.core.query.cost.CostBy;
import dev.mayfly.core.query.cost.CostGroup;
import dev.mayfly.core.query.cost.Waste;
import dev.mayfly.core.query.cost.Waste.Cause;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code keepFailed}: what becomes of the machine on which a task failed for good. */
class KeptFailuresTest {
  private static final Duration WISH = Duration.ofMinutes(30);

  private final LabCluster labCluster = new LabCluster(8);

  private static JobSpec keeping(String name, long tasks) {
    var spec = LabCluster.count(name, tasks);
    return spec.with(spec.run().taskEnvironment().keepingFailed(WISH));
  }

  /** An agent whose only lease has tasks that fail for good. */
  private ScriptedAgent failing(String name, FailureCause cause) {
    return failing(name, 0, cause);
  }

  private ScriptedAgent failing(String name, long index, FailureCause cause) {
    var agent = labCluster.machine(name);
    agent.wait = 0;
    return failing(agent, index, cause);
  }

  private ScriptedAgent failing(ScriptedAgent agent, long index, FailureCause cause) {
    agent.syncAndWait();
    for (var tries = 0; tries < 20 && agent.last().leases().isEmpty(); tries++) {
      labCluster.deliver();
      agent.syncAndWait();
    }
    fail(agent, index, cause);
    return agent;
  }

  private void fail(ScriptedAgent agent, long index, FailureCause cause) {
    for (var tries = 0; tries < 3 && !agent.leases.isEmpty(); tries++) {
      var lease = agent.leases.keySet().iterator().next();
      agent.folders =
          List.of(new FailedFolder(lease.job(), index, lease.attempt(), "/w/attempts/1"));
      agent.ended(index, cause, "no");
      agent.release();
      agent.syncAndWait();
      labCluster.deliver();
    }
  }

  private WorkerStatus seen(String name) {
    return labCluster.controlPlane.statusQueries().workers("lab", false).stream()
        .filter(w -> w.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private List<String> events(String about) {
    return labCluster.controlPlane.statusQueries().events("lab", Optional.of(about), 20).stream()
        .map(EventRecord::toString)
        .toList();
  }

  @Test
  void machineIsKeptWithFolderOfLastAttempt() {
    labCluster.submit(keeping("j", 1));
    labCluster.deliver();
    var agent = failing("w", FailureCause.USER);

    assertThat(seen("w").state()).isEqualTo("cordoned");
    assertThat(seen("w").reason())
        .hasValueSatisfying(why ->
            assertThat(why)
                .startsWith(
                    "kept with the folder of task 0 of job j, which failed there for good in"
                        + " /w/attempts/1 (keepFailed of its job), until ")
                .endsWith("mayfly uncordon w ends that"));
    assertThat(agent.last().folders()).contains(agent.folders);
    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "j").reasons())
        .anySatisfy(reason -> {
          assertThat(reason.kind()).isEqualTo("kept");
          assertThat(reason.text()).startsWith("worker w: kept with the folder of task 0");
        });
    assertThat(labCluster.controlPlane.statusQueries().cluster("lab").idle())
        .anySatisfy(text -> assertThat(text).startsWith("worker w: kept with the folder"));
    assertThat(events("job/j")).anySatisfy(event -> assertThat(event).contains("kept"));
  }

  @Test
  void keepEndsByItselfAndSaysSo() {
    labCluster.submit(keeping("j", 1));
    labCluster.deliver();
    var agent = failing("w", FailureCause.USER);
    labCluster.advance(WISH.toMillis() + 1_000);
    agent.syncAndWait();
    labCluster.controlPlane.handle(new Trigger.Tick());

    assertThat(agent.last().folders()).contains(List.of());
    assertThat(labCluster.worker("w").cordon()).isEmpty();
    assertThat(events("worker/w"))
        .anySatisfy(event -> assertThat(event).contains("uncordoned", "its folder is deleted"));
  }

  @Test
  void keptTimeIsWasteOfItsOwn() {
    labCluster.submit(keeping("j", 1));
    labCluster.deliver();
    var agent = failing("w", FailureCause.USER);
    var price = MachineUsage.from(Optional.of(0.5), labCluster.now());
    labCluster.change("w", false, worker -> worker.withUsage(price));
    labCluster.advance(WISH.multipliedBy(2).toMillis());
    agent.syncAndWait();
    labCluster.controlPlane.handle(new Trigger.Tick());

    assertThat(waste())
        .containsEntry(Cause.KEPT, WISH.toMinutes())
        .containsEntry(Cause.IDLE, WISH.toMinutes());
  }

  @Test
  void earlyUncordonEndsTheKeptTime() {
    labCluster.submit(keeping("j", 1));
    labCluster.deliver();
    failing("w", FailureCause.USER);
    var price = MachineUsage.from(Optional.of(0.5), labCluster.now());
    labCluster.change("w", false, worker -> worker.withUsage(price));
    labCluster.advance(Duration.ofMinutes(10).toMillis());
    labCluster.publish(new UserCommand.Uncordon("lab", "w"));
    labCluster.advance(Duration.ofMinutes(5).toMillis());

    assertThat(waste()).containsEntry(Cause.KEPT, 10L).containsEntry(Cause.IDLE, 5L);
  }

  /** Minutes by cause. */
  private Map<Cause, Long> waste() {
    var queries = labCluster.controlPlane.statusQueries();
    var cost = queries.cost("lab", CostBy.JOB, Optional.empty(), Optional.empty());
    assertThat(cost.groups()).extracting(CostGroup::name).containsExactly(CostGroup.NO_JOB);
    return cost.total().waste().orElseThrow().stream()
        .collect(Collectors.toMap(Waste::cause, it -> Math.round(it.cost().hours() * 60)));
  }

  @Test
  void explanationHasOnlyMachinesOfItsJob() {
    labCluster.submit(keeping("j", 1));
    labCluster.deliver();
    failing("w", FailureCause.USER);
    var other = new KeptAttempt("u2", "k", 0, "s0e1", 0, labCluster.now(), Optional.empty());
    labCluster.change(
        "w",
        false,
        worker -> worker.withCordon(worker.cordon().map(cordon -> cordon.keeping(other))));

    assertThat(seen("w").reason().orElseThrow()).contains("job k", "its agent has not said");
    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "j").reasons())
        .noneMatch(reason -> reason.kind().equals("kept"));
  }

  @Test
  void uncordonEndsItEarly() {
    labCluster.submit(keeping("j", 1));
    labCluster.deliver();
    var agent = failing("w", FailureCause.USER);
    labCluster.publish(new UserCommand.Uncordon("lab", "w"));
    labCluster.advance(2_000);
    agent.syncAndWait();

    assertThat(seen("w").state()).isEqualTo("ready");
    assertThat(agent.last().folders()).contains(List.of());
  }

  @Test
  void endsByTimeoutOrStopKeepNothing() {
    labCluster.submit(keeping("j", 1));
    labCluster.deliver();
    var agent = failing("w", FailureCause.TIMEOUT);

    assertThat(seen("w").state()).isEqualTo("ready");
    assertThat(agent.last().folders()).contains(List.of());
  }

  @Test
  void taskThatRunsAgainKeepsNothing() {
    labCluster.submit(keeping("j", 1));
    labCluster.deliver();
    var agent = labCluster.machine("w");
    agent.syncAndWait();
    var lease = agent.leases.keySet().iterator().next();
    agent.folders = List.of(new FailedFolder(lease.job(), 0, lease.attempt(), "/w/attempts/1"));
    agent.failed(0);
    agent.release();
    agent.syncAndWait();

    assertThat(labCluster.worker("w").cordon()).isEmpty();
  }

  @Test
  void thirdMachineOfAJobIsNotKept() {
    labCluster.submit(keeping("j", 3));
    labCluster.deliver();
    failing("w", 0, FailureCause.USER);
    failing("x", 1, FailureCause.USER);
    failing("y", 2, FailureCause.USER);

    assertThat(seen("w").state()).isEqualTo("cordoned");
    assertThat(seen("x").state()).isEqualTo("cordoned");
    assertThat(seen("y").state()).isEqualTo("ready");
    assertThat(events("job/j"))
        .anySatisfy(event ->
            assertThat(event).contains("not kept", "the job has 2 kept machines already, w, x"));
  }

  @Test
  void missingFolderIsSaid() {
    labCluster.submit(keeping("j", 1));
    labCluster.deliver();
    var agent = labCluster.machine("w");
    for (var tries = 0; tries < 3; tries++) {
      agent.syncAndWait();
      agent.failed(0);
      agent.release();
      agent.syncAndWait();
      labCluster.deliver();
    }

    assertThat(seen("w").state()).isEqualTo("ready");
    assertThat(events("job/j"))
        .anySatisfy(event -> assertThat(event).contains("not kept", "no folder is left"));
  }

  @Test
  void longerCordonByHandKeepsTheFolder() {
    labCluster.submit(keeping("j", 1));
    labCluster.deliver();
    var agent = failing("w", FailureCause.USER);
    labCluster.publish(new UserCommand.Cordon("lab", "w", Duration.ofHours(5)));
    labCluster.advance(WISH.toMillis() + 1_000);
    agent.syncAndWait();

    assertThat(agent.last().folders()).contains(agent.folders);
    assertThat(labCluster.worker("w").cordon().filter(Cordon::isByJob)).isEmpty();
  }

  @Test
  void preemptionSaysWhatEndsWithIt() {
    labCluster.submit(keeping("j", 1));
    labCluster.deliver();
    var agent = failing("w", FailureCause.USER);
    agent.notice = Optional.of(labCluster.now());
    agent.syncAndWait();

    assertThat(events("worker/w"))
        .anySatisfy(event ->
            assertThat(event)
                .contains("the cloud announced the preemption; it was kept until")
                .contains("task 0 of job j, whose folder ends with it"));
  }

  @Test
  void restartedAgentHasNothingToKeep() {
    labCluster.submit(keeping("j", 1));
    labCluster.deliver();
    var agent = failing("w", FailureCause.USER);
    labCluster.advance(1_000);
    agent.restarted().syncAndWait();

    assertThat(labCluster.worker("w").cordon()).isEmpty();
    assertThat(events("worker/w"))
        .anySatisfy(event -> assertThat(event).contains("restarted", "whose folder ends with it"));
  }

  /** The other has it from before its cordon, and no signal of what changed reaches it. */
  @Test
  void instanceThatKnowsAnEarlierWorkerDeletesNoFolder() {
    var agent = labCluster.machine("w");
    agent.wait = 0;
    agent.syncAndWait();
    var other = labCluster.control("b");
    agent.desk = other;
    agent.syncAndWait();
    agent.desk = labCluster.controlPlane;
    labCluster.submit(keeping("j", 1));
    labCluster.deliver();
    labCluster.advance(2_000);
    failing(agent, 0, FailureCause.USER);
    assertThat(labCluster.worker("w").cordon()).isPresent();

    agent.desk = other;
    agent.syncAndWait();

    assertThat(agent.last().folders()).contains(agent.folders);
  }
}
