package dev.mayfly.sim.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.TpuCreateQuota;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.sim.fixture.LabCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Manual slices, from the message to the machines. */
class SliceCommandsTest {
  private final LabCluster labCluster = new LabCluster();

  @Test
  void wantedSliceIsStoredAndReconciled() {
    tell(create("big", "v4-128"));

    ticks(1);

    assertThat(slice("big").orElseThrow().machine().reservation()).contains("r1");
    assertThat(types()).containsExactly("v4-128");
    assertThat(labCluster.store.read(new DocumentKey.OfTpuCreateQuota()).orElseThrow().value())
        .extracting(c -> c.remaining(labCluster.time.instant()))
        .isEqualTo(TpuCreateQuota.A_MINUTE - 1);
  }

  @Test
  void repeatedOrLateMessageChangesNothing() {
    var created = tell(create("big", "v4-128"));
    var reshaped = tell(new UserCommand.ReshapeSlice("lab", "big", "v4-64", 2));
    labCluster.controlPlane.commandHandler().handle(reshaped);
    labCluster.controlPlane.commandHandler().handle(created);
    assertThat(slice("big").orElseThrow().machineType()).isEqualTo("v4-64");

    tell(new UserCommand.DeleteSlice("lab", "big"));
    labCluster.controlPlane.commandHandler().handle(reshaped);
    labCluster.controlPlane.commandHandler().handle(created);
    ticks(4);

    assertThat(slice("big")).isEmpty();
    assertThat(types()).isEmpty();
    assertThat(labCluster.refused(created)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
  void sliceAppearingDuringDeletionIsDeleted(int read) {
    var created = labCluster.message(create("big", "v4-128"));
    labCluster.advance(1_000);
    var deleted = labCluster.message(new UserCommand.DeleteSlice("lab", "big"));

    labCluster.ledger.beforeRead(
        read, () -> labCluster.controlPlane.commandHandler().handle(created));
    try {
      labCluster.controlPlane.commandHandler().handle(deleted);
    } catch (UnavailableException again) {
      labCluster.controlPlane.commandHandler().handle(deleted);
    }
    labCluster.controlPlane.commandHandler().handle(created);
    ticks(4);

    assertThat(slice("big")).isEmpty();
  }

  @Test
  void sameSliceIsAcceptedAndDifferentOneRefused() {
    tell(create("big", "v4-128"));

    assertThat(labCluster.refused(tell(create("big", "v4-128")))).isEmpty();
    assertThat(labCluster.refused(tell(create("big", "v4-64"))))
        .singleElement()
        .asString()
        .contains("slice big is there, and is another one: 1xv4-128, reserved by r1");
    assertThat(labCluster.refused(tell(create("cpu", "v4-64"))))
        .singleElement()
        .asString()
        .contains("'cpu' is a pool's name");
  }

  @Test
  void sliceThatItsAdapterWouldNotOrderIsRefused() {
    var flexible =
        new UserCommand.CreateSlice(
            "lab",
            "big",
            "v4-128",
            1,
            Provisioning.FLEX_START,
            Optional.empty(),
            Optional.empty(),
            Optional.of("us-a"),
            Optional.empty());

    assertThat(labCluster.refused(tell(flexible)))
        .singleElement()
        .asString()
        .contains("Cloud TPU would make them on demand");
  }

  @Test
  void reshapedSliceKeepsChipCountAndWaits() {
    tell(create("big", "v4-128"));
    ticks(1);

    assertThat(labCluster.refused(tell(new UserCommand.ReshapeSlice("lab", "big", "v4-64", 3))))
        .singleElement()
        .asString()
        .contains("3xv4-64 has 96 chips, and slice big has 64 (1xv4-128, reserved by r1)");
    assertThat(labCluster.refused(tell(new UserCommand.ReshapeSlice("lab", "small", "v4-64", 2))))
        .singleElement()
        .asString()
        .contains("there is no slice small; known slices: big");
    tell(new UserCommand.ReshapeSlice("lab", "big", "v4-64", 2));
    for (var i = 0; i < 8; i++) {
      ticks(1);
      assertThat(types().stream().distinct().toList()).hasSizeLessThan(2);
    }

    assertThat(types()).containsExactly("v4-64", "v4-64");
  }

  @Test
  void newClusterFileKeepsSlices() {
    tell(create("big", "v4-128"));
    var before =
        labCluster
            .store
            .read(new DocumentKey.OfCluster(labCluster.uid))
            .orElseThrow()
            .value()
            .spec();
    var file = before.with(before.pools().stream().filter(p -> !p.manual()).toList());

    tell(new UserCommand.ApplyCluster(file, Optional.empty(), false));

    assertThat(slice("big")).isPresent();
    assertThat(
            labCluster
                .store
                .read(new DocumentKey.OfCluster(labCluster.uid))
                .orElseThrow()
                .value()
                .spec())
        .isEqualTo(before);
  }

  @Test
  void ticksContinueWhileManualSliceExists() {
    tell(create("big", "v4-128"));

    ticks(90);

    assertThat(labCluster.schedule.paused()).isFalse();
  }

  private static UserCommand create(String name, String type) {
    return new UserCommand.CreateSlice(
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

  private UserMessage tell(UserCommand userCommand) {
    labCluster.time.advance(Duration.ofMillis(1));
    return labCluster.publish(userCommand);
  }

  private void ticks(int n) {
    for (var i = 0; i < n; i++) {
      labCluster.time.advance(Duration.ofMinutes(1));
      labCluster.controlPlane.handle(new Trigger.Tick());
    }
  }

  private Optional<PoolSpec> slice(String name) {
    return labCluster
        .store
        .read(new DocumentKey.OfCluster(labCluster.uid))
        .orElseThrow()
        .value()
        .spec()
        .pool(name);
  }

  private List<String> types() {
    return labCluster
        .store
        .query(new LedgerQuery.Workers(labCluster.uid, false, 100))
        .requireComplete()
        .stream()
        .map(VersionedDocument::value)
        .filter(w -> !(w.state() instanceof WorkerState.Gone))
        .map(Worker::machineType)
        .sorted()
        .toList();
  }
}
