package dev.mayfly.agent.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeldDevicesTest {
  @TempDir Path proc;

  private void process(int pid, String name, String... open) throws IOException {
    var fd = Files.createDirectories(proc.resolve(Integer.toString(pid)).resolve("fd"));
    Files.writeString(fd.resolveSibling("comm"), name + "\n");
    for (var i = 0; i < open.length; i++)
      Files.createSymbolicLink(fd.resolve(Integer.toString(i)), Path.of(open[i]));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/dev/accel0", "/dev/vfio/3"})
  void holderOfChipIsNamed(String chip) throws IOException {
    process(7, "sshd", "/dev/null");
    process(9, "python3", "/dev/null", "socket:[4711]", chip);

    assertThat(new HeldDevices(proc).firstHolder())
        .contains(chip + " is held by process 9 (python3)");
  }

  @Test
  void otherDevicesAreIgnored() throws IOException {
    process(9, "python3", "/dev/vfio/vfio", "/dev/nvidia0", "/dev/accelerometer", "/tmp/accel0");

    assertThat(new HeldDevices(proc).firstHolder()).isEmpty();
  }

  @Test
  void endingProcessHoldsNothing() throws IOException {
    Files.createDirectories(proc.resolve("12"));

    assertThat(new HeldDevices(proc).firstHolder()).isEmpty();
    assertThat(new HeldDevices(proc.resolve("nowhere")).firstHolder()).isEmpty();
  }
}
