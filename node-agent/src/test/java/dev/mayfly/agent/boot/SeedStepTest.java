package dev.mayfly.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.agent.process.ProgramRunner;
import dev.mayfly.core.model.cluster.SeedSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(40)
class SeedStepTest {
  @TempDir Path volume;
  private final List<Duration> pauses = new ArrayList<>();

  /** What another machine does while this one waits. */
  private Runnable meanwhile =
      () -> {
        throw new AssertionError("nothing is waited for");
      };

  private SeedStep step(String script) {
    return new SeedStep(
        "data",
        volume,
        new SeedSpec(List.of("sh", "-eu", "-c", script), Duration.ofSeconds(30)),
        new ProgramRunner(Map.of("PATH", "/usr/bin:/bin")),
        "lab-cpu-a",
        time -> {
          pauses.add(time);
          meanwhile.run();
        });
  }

  private Path locked(int number) throws IOException {
    var folder = Files.createDirectories(volume.resolve(".mayfly"));
    return Files.writeString(folder.resolve("seed-lock-" + number), "lab-cpu-b");
  }

  private String made() throws IOException {
    return Files.readString(volume.resolve("made"));
  }

  @Test
  void volumeIsFilledOnce() throws Exception {
    step("echo x >> made").run();
    step("echo x >> made").run();

    assertThat(made()).isEqualTo("x\n");
    assertThat(pauses).isEmpty();
  }

  @Test
  void otherContentFillsItAgain() throws Exception {
    step("echo x >> made").run();
    step("echo y >> made").run();
    step("echo x >> made").run();

    assertThat(made()).isEqualTo("x\ny\n");
  }

  @Test
  void otherMachineIsWaitedForAndItsSeedTaken() throws Exception {
    var lock = locked(1);
    var step = step("echo mine >> made");
    meanwhile =
        () -> {
          try {
            // The other machine ends its seed.
            var hash =
                new SeedSpec(List.of("sh", "-eu", "-c", "echo mine >> made"), Duration.ZERO).hash();
            Files.writeString(volume.resolve(".mayfly/seed-" + hash), "");
            Files.delete(lock);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        };

    step.run();

    assertThat(pauses).hasSize(1);
    assertThat(volume.resolve("made")).doesNotExist();
  }

  @Test
  void deadMachinesLockIsTakenOver() throws Exception {
    var lock = locked(4);
    var old = FileTime.fromMillis(System.currentTimeMillis() - SeedLock.DEAD.toMillis() - 5_000);
    Files.setLastModifiedTime(lock, old);

    step("echo x >> made").run();

    assertThat(made()).isEqualTo("x\n");
    assertThat(pauses).isEmpty();
  }

  @Test
  void oneMachineTakesTheLock() throws Exception {
    var folder = Files.createDirectories(volume.resolve(".mayfly"));
    var first = new SeedLock(folder, "a");
    var second = new SeedLock(folder, "b");

    var taken = first.take();
    assertThat(taken).isPresent();
    assertThat(second.take()).isEmpty();
    first.release(taken.get());

    assertThat(second.take()).isPresent();
  }

  @Test
  void failureIsNamedAndFreesTheLock() throws Exception {
    assertThatThrownBy(() -> step("echo no such host >&2; exit 6").run())
        .isInstanceOf(PreparationStep.Failed.class)
        .hasMessageContaining("exit code 6: no such host");

    step("echo x >> made").run();
    assertThat(made()).isEqualTo("x\n");
  }
}
