package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.Denied;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Query;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Machines of one's own: no cloud knows them, and only their own silence loses them. */
class JoinTest extends OwnPool {
  private List<Worker> workers() {
    return lab.store.query(new Query.Workers(lab.uid, false, 100)).complete().stream()
        .map(s -> s.value())
        .toList();
  }

  /** It is silent until it is lost; it is alone in its cluster. */
  private void silence(String worker) {
    for (var i = 0; i < 200 && !(state(worker) instanceof WorkerState.Lost); i += 10) {
      lab.control.look(new Hint.Tick());
      lab.pass(10_000);
    }
    assertThat(state(worker)).isInstanceOf(WorkerState.Lost.class);
  }

  @Test
  void aMachineJoinsRunsAJobAndNothingIsOrderedForIt() {
    var desk = joined("desk");
    lab.submit(onOwn("j", false));
    lab.deliver();
    lab.control.look(new Hint.Tick());
    desk.ask();

    assertThat(state("desk")).isInstanceOf(WorkerState.Ready.class);
    assertThat(lab.worker("desk").provisioning()).isEqualTo(Provisioning.STATIC);
    assertThat(desk.held()).isNotEmpty();
    assertThat(workers()).extracting(Worker::name).containsExactly("desk");
  }

  @Test
  void itIsNeverLostToTheCloudNorDrainedForBeingIdleOrOld() {
    var desk = joined("desk");
    desk.ask();

    for (var hours = 0; hours < 30; hours++) {
      lab.control.look(new Hint.Sweep());
      lab.control.look(new Hint.Tick());
      desk.ask();
      lab.pass(0);
      lab.time.pass(Duration.ofSeconds(1));
    }
    lab.change(
        "desk",
        false,
        w -> w.with(new WorkerState.Ready(lab.now(), Optional.of(lab.now().minusSeconds(99_999)))));
    lab.control.look(new Hint.Tick());

    assertThat(state("desk")).isInstanceOf(WorkerState.Ready.class);
  }

  @Test
  void aRepeatedMessageChangesNothing() {
    joined("desk").ask();
    var before = lab.worker("desk");
    var message =
        lab.message(
            new Command.JoinWorker("lab", "own", "desk", "i-desk", Sha256.of("nonce-desk")));

    lab.control.intake().receive(message);

    assertThat(lab.worker("desk")).isEqualTo(before);
    assertThat(lab.refused(message)).isEmpty();
  }

  @Test
  void onlyTheMachineThatJoinedSpeaksForIt() {
    joined("desk");
    var thief = new Caller(lab, "desk", lab.now());
    thief.nonce = "guess";
    var other = new Caller(lab, "desk", lab.now());
    other.incarnation = new dev.mayfly.core.model.Incarnation("i-other", "boot", lab.now());

    assertThatThrownBy(thief::call).isInstanceOf(Denied.class).hasMessageContaining("value");
    assertThatThrownBy(other::call).isInstanceOf(Denied.class).hasMessageContaining("i-other");
  }

  @Test
  void whatCannotJoinIsToldWhy() {
    lab.machine("bought");

    assertThat(lab.refused(join("cpu", "desk", "i-desk", "n")))
        .singleElement()
        .asString()
        .contains("are bought (spot)", "those are own");
    assertThat(lab.refused(join("none", "desk", "i-desk", "n")))
        .singleElement()
        .asString()
        .contains("has no pool none");
    assertThat(lab.refused(join("bought", "i-desk", "n")))
        .singleElement()
        .asString()
        .contains("is a machine that was bought");
    joined("one");
    joined("two");
    assertThat(lab.refused(join("three", "i-three", "n")))
        .singleElement()
        .asString()
        .contains("may have 2 workers and has 2");
    assertThat(lab.refused(join("one", "i-elsewhere", "n")))
        .singleElement()
        .asString()
        .contains("another machine, i-one");
  }

  @Test
  void aMachineThatNeverSpeaksIsGivenUpAndItsPlaceIsFree() {
    joined("desk");

    lab.time.pass(Duration.ofMinutes(11));
    lab.control.look(new Hint.Tick());
    assertThat(state("desk")).isInstanceOf(WorkerState.Lost.class);
    lab.time.pass(Duration.ofMinutes(17));
    lab.control.look(new Hint.Tick());

    assertThat(state("desk")).isInstanceOf(WorkerState.Gone.class);
  }

  @Test
  void oneThatWasLostComesBackWithAnotherEpochAndItsWorkWentElsewhere() {
    var desk = joined("desk");
    lab.submit(onOwn("j", false));
    lab.deliver();
    desk.ask();
    assertThat(lab.shards("j")).anyMatch(s -> s.state() == Shard.State.LEASED);

    silence("desk");
    assertThat(lab.shards("j")).noneMatch(s -> s.state() == Shard.State.LEASED);
    var epoch = lab.worker("desk").epoch();
    assertThat(desk.restarted().ask().fenced()).isTrue();

    var back = again(desk);
    back.ask();

    assertThat(state("desk")).isInstanceOf(WorkerState.Ready.class);
    assertThat(lab.worker("desk").epoch()).isGreaterThan(epoch);
    assertThat(back.held()).isNotEmpty();
    assertThatThrownBy(() -> desk.restarted().call()).isInstanceOf(Denied.class);
  }

  @Test
  void exclusiveWorkOfALostMachineWaitsForItsCutOff() {
    var desk = joined("desk");
    lab.submit(onOwn("j", true));
    lab.deliver();
    desk.ask();
    var held = desk.held().size();
    assertThat(held).isPositive();

    silence("desk");
    lab.time.pass(Duration.ofMinutes(15).plusSeconds(50));
    lab.control.look(new Hint.Tick());
    assertThat(lab.worker("desk").held()).hasSize(held);

    lab.time.pass(Duration.ofSeconds(20));
    lab.control.look(new Hint.Tick());

    assertThat(state("desk")).isInstanceOf(WorkerState.Gone.class);
    assertThat(lab.shards("j")).noneMatch(s -> s.state() == Shard.State.LEASED);
  }

  @Test
  void exclusiveWorkGoesOnWhenTheSameMachineIsBackForItKilledWhatWasLeft() {
    var desk = joined("desk");
    lab.submit(onOwn("j", true));
    lab.deliver();
    desk.ask();
    silence("desk");

    var back = again(desk);
    assertThat(lab.worker("desk").held()).isNotEmpty();
    back.ask();

    assertThat(back.held()).isNotEmpty();
    assertThat(back.held()).allMatch(r -> r.epoch() > 1);
  }

  @Test
  void oneThatIsRemovedGivesItsWorkBackAndIsGoneWhenItSaysSo() {
    var desk = joined("desk");
    desk.ask();
    desk.call();

    lab.publish(new Command.DrainWorker("lab", "desk"));
    assertThat(state("desk")).isInstanceOf(WorkerState.Draining.class);
    lab.pass(3_000);
    assertThat(desk.last().drain()).isPresent();
    desk.drained = true;
    desk.ask();
    lab.pass(3_000);
    lab.control.look(new Hint.Tick());

    assertThat(state("desk"))
        .isInstanceOfSatisfying(
            WorkerState.Gone.class, g -> assertThat(g.reason()).startsWith("removed: "));
    assertThat(again(desk).ask().fenced()).isFalse();
    assertThat(state("desk")).isInstanceOf(WorkerState.Ready.class);
  }
}
