package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Creations;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slices made by hand, from the message to the machines. */
class SliceTest {
  private final Lab lab = new Lab();

  @Test
  void whatIsWantedIsStoredAndRoundsMakeIt() {
    tell(create("big", "v4-128"));

    ticks(1);

    assertThat(slice("big").orElseThrow().machine().reservation()).contains("r1");
    assertThat(types()).containsExactly("v4-128");
    assertThat(lab.store.read(new Key.OfCreations()).orElseThrow().value())
        .extracting(c -> c.left(lab.time.instant()))
        .isEqualTo(Creations.A_MINUTE - 1);
  }

  @Test
  void aRepeatedMessageChangesNothingNorDoesALateOne() {
    var created = tell(create("big", "v4-128"));
    var reshaped = tell(new Command.ReshapeSlice("lab", "big", "v4-64", 2));
    lab.control.intake().receive(reshaped);
    lab.control.intake().receive(created);
    assertThat(slice("big").orElseThrow().machineType()).isEqualTo("v4-64");

    tell(new Command.DeleteSlice("lab", "big"));
    lab.control.intake().receive(reshaped);
    lab.control.intake().receive(created);
    ticks(4);

    assertThat(slice("big")).isEmpty();
    assertThat(types()).isEmpty();
    assertThat(lab.refused(created)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
  void sliceThatAppearsWhileItsDeletionIsTakenIsDeleted(int read) {
    var created = lab.message(create("big", "v4-128"));
    lab.pass(1_000);
    var deleted = lab.message(new Command.DeleteSlice("lab", "big"));

    lab.ledger.beforeRead(read, () -> lab.control.intake().receive(created));
    try {
      lab.control.intake().receive(deleted);
    } catch (Unavailable again) {
      lab.control.intake().receive(deleted);
    }
    lab.control.intake().receive(created);
    ticks(4);

    assertThat(slice("big")).isEmpty();
  }

  @Test
  void theSameIsThereAndAnotherIsRefused() {
    tell(create("big", "v4-128"));

    assertThat(lab.refused(tell(create("big", "v4-128")))).isEmpty();
    assertThat(lab.refused(tell(create("big", "v4-64"))))
        .singleElement()
        .asString()
        .contains("slice big is there, and is another one: 1xv4-128, reserved by r1");
    assertThat(lab.refused(tell(create("cpu", "v4-64"))))
        .singleElement()
        .asString()
        .contains("'cpu' is a pool's name");
  }

  @Test
  void aReshapedSliceHasAsManyChipsAsBeforeAndWaitsForThem() {
    tell(create("big", "v4-128"));
    ticks(1);

    assertThat(lab.refused(tell(new Command.ReshapeSlice("lab", "big", "v4-64", 3))))
        .singleElement()
        .asString()
        .contains("3xv4-64 has 96 chips, and slice big has 64 (1xv4-128, reserved by r1)");
    assertThat(lab.refused(tell(new Command.ReshapeSlice("lab", "small", "v4-64", 2))))
        .singleElement()
        .asString()
        .contains("there is no slice small; there are big");
    tell(new Command.ReshapeSlice("lab", "big", "v4-64", 2));
    for (var i = 0; i < 8; i++) {
      ticks(1);
      assertThat(types().stream().distinct().toList()).hasSizeLessThan(2);
    }

    assertThat(types()).containsExactly("v4-64", "v4-64");
  }

  @Test
  void aClustersNewFileLeavesItsSlices() {
    tell(create("big", "v4-128"));
    var before = lab.store.read(new Key.OfCluster(lab.uid)).orElseThrow().value().spec();
    var file = before.with(before.pools().stream().filter(p -> !p.manual()).toList());

    tell(new Command.ApplyCluster(file));

    assertThat(slice("big")).isPresent();
    assertThat(lab.store.read(new Key.OfCluster(lab.uid)).orElseThrow().value().spec())
        .isEqualTo(before);
  }

  @Test
  void ticksGoOnWhileThereIsASliceByHand() {
    tell(create("big", "v4-128"));

    ticks(90);

    assertThat(lab.schedule.paused()).isFalse();
  }

  private static Command create(String name, String type) {
    return new Command.CreateSlice(
        "lab",
        name,
        type,
        1,
        Provisioning.RESERVED,
        Optional.of("r1"),
        Optional.empty(),
        Optional.of("us-a"),
        Optional.empty());
  }

  private Message tell(Command command) {
    lab.time.pass(Duration.ofMillis(1));
    return lab.publish(command);
  }

  private void ticks(int n) {
    for (var i = 0; i < n; i++) {
      lab.time.pass(Duration.ofMinutes(1));
      lab.control.look(new Hint.Tick());
    }
  }

  private Optional<PoolSpec> slice(String name) {
    return lab.store.read(new Key.OfCluster(lab.uid)).orElseThrow().value().spec().pool(name);
  }

  private List<String> types() {
    return lab.store.query(new Query.Workers(lab.uid, false, 100)).complete().stream()
        .map(Stored::value)
        .filter(w -> !(w.state() instanceof WorkerState.Gone))
        .map(Worker::machineType)
        .sorted()
        .toList();
  }
}
