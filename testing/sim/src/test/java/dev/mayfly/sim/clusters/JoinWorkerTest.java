package dev.mayfly.sim.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.sim.fixture.ScriptedAgent;
import dev.mayfly.sim.fixture.StaticPoolFixture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Static workers: no cloud knows them, and only silence loses them. */
class JoinWorkerTest extends StaticPoolFixture {
  private List<Worker> workers() {
    return labCluster
        .store
        .query(new LedgerQuery.Workers(labCluster.uid, false, 100))
        .requireComplete()
        .stream()
        .map(s -> s.value())
        .toList();
  }

  /** Keeps the only worker of the cluster silent until it is lost. */
  private void silence(String worker) {
    for (var i = 0; i < 200 && !(state(worker) instanceof WorkerState.Lost); i += 10) {
      labCluster.controlPlane.handle(new Trigger.Tick());
      labCluster.advance(10_000);
    }
    assertThat(state(worker)).isInstanceOf(WorkerState.Lost.class);
  }

  @Test
  void joinedMachineRunsJobWithoutOrder() {
    var desk = joined("desk");
    labCluster.submit(onOwn("j", false));
    labCluster.deliver();
    labCluster.controlPlane.handle(new Trigger.Tick());
    desk.syncAndWait();

    assertThat(state("desk")).isInstanceOf(WorkerState.Ready.class);
    assertThat(labCluster.worker("desk").provisioning()).isEqualTo(Provisioning.STATIC);
    assertThat(desk.held()).isNotEmpty();
    assertThat(workers()).extracting(Worker::name).containsExactly("desk");
  }

  @Test
  void jobRunsWhereLabelsMatch() {
    var desk = joined("desk");
    var spec = onOwn("j", false);
    labCluster.submit(
        spec.withPlacement(spec.place().withLabels(Map.of("disk", "ssd", "room", "2.14"))));
    labCluster.deliver();
    labCluster.controlPlane.handle(new Trigger.Tick());
    desk.wait = 0;
    desk.syncAndWait();

    assertThat(desk.held()).isEmpty();
    assertThat(labels()).contains("disk: ssd, room: 2.14", "no live worker has, of 1");

    var fast = joined("fast", Map.of("disk", "ssd", "room", "2.14", "gpu", "none"));
    fast.syncAndWait();

    assertThat(fast.held()).isNotEmpty();
    assertThat(labels()).contains("1 of 2 live workers has: fast");
  }

  private String labels() {
    return labCluster.controlPlane.statusQueries().explain("lab", "j").reasons().stream()
        .filter(reason -> reason.kind().equals("labels"))
        .findFirst()
        .orElseThrow()
        .text();
  }

  @Test
  void staticMachineIsNotDrainedForAgeOrIdleness() {
    var desk = joined("desk");
    desk.syncAndWait();

    for (var hours = 0; hours < 30; hours++) {
      labCluster.controlPlane.handle(new Trigger.CollectOrphans());
      labCluster.controlPlane.handle(new Trigger.Tick());
      desk.syncAndWait();
      labCluster.advance(0);
      labCluster.time.advance(Duration.ofSeconds(1));
    }
    labCluster.change(
        "desk",
        false,
        w ->
            w.with(
                new WorkerState.Ready(
                    labCluster.now(), Optional.of(labCluster.now().minusSeconds(99_999)))));
    labCluster.controlPlane.handle(new Trigger.Tick());

    assertThat(state("desk")).isInstanceOf(WorkerState.Ready.class);
  }

  @Test
  void repeatedMessageChangesNothing() {
    joined("desk").syncAndWait();
    var before = labCluster.worker("desk");
    var userMessage =
        labCluster.message(
            new UserCommand.JoinWorker(
                "lab", "own", "desk", "i-desk", Sha256.of("nonce-desk"), Map.of()));

    labCluster.controlPlane.commandHandler().handle(userMessage);

    assertThat(labCluster.worker("desk")).isEqualTo(before);
    assertThat(labCluster.refused(userMessage)).isEmpty();
  }

  @Test
  void onlyJoinedMachineReportsForWorker() {
    joined("desk");
    var thief = new ScriptedAgent(labCluster, "desk", labCluster.now());
    thief.nonce = "guess";
    var other = new ScriptedAgent(labCluster, "desk", labCluster.now());
    other.incarnation =
        new dev.mayfly.core.model.worker.Incarnation("i-other", "boot", labCluster.now());

    assertThatThrownBy(thief::sync)
        .isInstanceOf(DeniedException.class)
        .hasMessageContaining("value");
    assertThatThrownBy(other::sync)
        .isInstanceOf(DeniedException.class)
        .hasMessageContaining("i-other");
  }

  @Test
  void rejectedJoinNamesReason() {
    labCluster.machine("bought");

    assertThat(labCluster.refused(join("cpu", "desk", "i-desk", "n")))
        .singleElement()
        .asString()
        .contains("has cloud machines (spot)", "those are own");
    assertThat(labCluster.refused(join("none", "desk", "i-desk", "n")))
        .singleElement()
        .asString()
        .contains("has no pool none");
    assertThat(labCluster.refused(join("bought", "i-desk", "n")))
        .singleElement()
        .asString()
        .contains("is a cloud worker");
    joined("one");
    joined("two");
    assertThat(labCluster.refused(join("three", "i-three", "n")))
        .singleElement()
        .asString()
        .contains("may have 2 workers and has 2");
    assertThat(labCluster.refused(join("one", "i-elsewhere", "n")))
        .singleElement()
        .asString()
        .contains("another machine, i-one");
  }

  @Test
  void silentJoinedMachineFreesItsPlace() {
    joined("desk");

    labCluster.time.advance(Duration.ofMinutes(11));
    labCluster.controlPlane.handle(new Trigger.Tick());
    assertThat(state("desk")).isInstanceOf(WorkerState.Lost.class);
    labCluster.time.advance(Duration.ofMinutes(17));
    labCluster.controlPlane.handle(new Trigger.Tick());

    assertThat(state("desk")).isInstanceOf(WorkerState.Gone.class);
  }

  @Test
  void lostMachineReturnsWithNewEpoch() {
    var desk = joined("desk");
    labCluster.submit(onOwn("j", false));
    labCluster.deliver();
    desk.syncAndWait();
    assertThat(labCluster.shards("j")).anyMatch(s -> s.state() == Shard.State.LEASED);

    silence("desk");
    assertThat(labCluster.shards("j")).noneMatch(s -> s.state() == Shard.State.LEASED);
    var epoch = labCluster.worker("desk").epoch();
    assertThat(desk.restarted().syncAndWait().fenced()).isTrue();

    var back = again(desk);
    back.syncAndWait();

    assertThat(state("desk")).isInstanceOf(WorkerState.Ready.class);
    assertThat(labCluster.worker("desk").epoch()).isGreaterThan(epoch);
    assertThat(back.held()).isNotEmpty();
    assertThatThrownBy(() -> desk.restarted().sync()).isInstanceOf(DeniedException.class);
  }

  @Test
  void exclusiveWorkWaitsForCutOff() {
    var desk = joined("desk");
    labCluster.submit(onOwn("j", true));
    labCluster.deliver();
    desk.syncAndWait();
    var held = desk.held().size();
    assertThat(held).isPositive();

    silence("desk");
    labCluster.time.advance(Duration.ofMinutes(15).plusSeconds(50));
    labCluster.controlPlane.handle(new Trigger.Tick());
    assertThat(labCluster.worker("desk").held()).hasSize(held);

    labCluster.time.advance(Duration.ofSeconds(20));
    labCluster.controlPlane.handle(new Trigger.Tick());

    assertThat(state("desk"))
        .isInstanceOfSatisfying(
            WorkerState.Gone.class,
            gone ->
                assertThat(gone.reason())
                    .startsWith("not heard from for 16m")
                    .contains("if the agent was killed, tasks may still run"));
    assertThat(labCluster.shards("j")).noneMatch(s -> s.state() == Shard.State.LEASED);
  }

  @Test
  void returningMachineResumesExclusiveWork() {
    var desk = joined("desk");
    labCluster.submit(onOwn("j", true));
    labCluster.deliver();
    desk.syncAndWait();
    silence("desk");

    var back = again(desk);
    assertThat(labCluster.worker("desk").held()).isNotEmpty();
    back.syncAndWait();

    assertThat(back.held()).isNotEmpty();
    assertThat(back.held()).allMatch(r -> r.epoch() > 1);
  }

  @Test
  void removedMachineReturnsWorkThenLeaves() {
    var desk = joined("desk");
    desk.syncAndWait();
    desk.sync();

    labCluster.publish(new UserCommand.DrainWorker("lab", "desk"));
    assertThat(state("desk")).isInstanceOf(WorkerState.Draining.class);
    labCluster.advance(3_000);
    assertThat(desk.last().drain()).isPresent();
    desk.drained = true;
    desk.syncAndWait();
    labCluster.advance(3_000);
    labCluster.controlPlane.handle(new Trigger.Tick());

    assertThat(state("desk"))
        .isInstanceOfSatisfying(
            WorkerState.Gone.class, g -> assertThat(g.reason()).startsWith("removed: "));
    assertThat(again(desk).syncAndWait().fenced()).isFalse();
    assertThat(state("desk")).isInstanceOf(WorkerState.Ready.class);
  }
}
