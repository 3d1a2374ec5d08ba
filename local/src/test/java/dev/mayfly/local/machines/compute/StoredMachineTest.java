package dev.mayfly.local.machines.compute;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.compute.v1.Instance;
import dev.mayfly.local.machines.StoredRecords;
import dev.mayfly.local.machines.StoredValues;
import dev.mayfly.local.machines.VmHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A later version of the laptop cloud finds the machines of an earlier one. */
class StoredMachineTest {
  private static final Instant BOOT = Instant.parse("2026-11-01T00:00:00.300Z");
  private static final String STORED =
      "{\"bootAt\":\"2026-11-01T00:00:00.300Z\",\"instance\":{\"id\":\"7\",\"name\":\"a\"}%s}";

  @TempDir Path folder;

  private StoredValues<ComputeMachine> files() {
    return StoredRecords.of(
        folder, ComputeMachine.class, Instance.getDefaultInstance(), ComputeMachine::id);
  }

  private ComputeMachine read(String rest) throws IOException {
    Files.writeString(folder.resolve("7.json"), STORED.formatted(rest));
    return files().find("7").orElseThrow();
  }

  private static ComputeMachine machine(
      Optional<VmHandle> handle, Optional<Termination> termination) {
    var instance = Instance.newBuilder().setId(7).setName("a").build();
    return new ComputeMachine(instance, BOOT, handle, termination);
  }

  @Test
  void machineThatIsOffIsRead() throws IOException {
    assertThat(read("")).isEqualTo(machine(Optional.empty(), Optional.empty()));
  }

  @Test
  void endingMachineIsRead() throws IOException {
    var found =
        read(
            ",\"trace\":{\"pid\":1,\"startTicks\":2,\"metadataPort\":3},"
                + "\"fate\":{\"cause\":\"PREEMPTED\",\"at\":\"2026-11-01T00:00:00.300Z\"}");

    assertThat(found)
        .isEqualTo(
            machine(
                Optional.of(new VmHandle(1, 2, 3)),
                Optional.of(new Termination(Termination.Cause.PREEMPTED, BOOT))));
  }

  @Test
  void writtenMachineIsReadAgain() {
    var machine = machine(Optional.of(new VmHandle(1, 2, 3)), Optional.empty());
    files().put(machine);

    assertThat(files().find("7")).contains(machine);
  }
}
