package dev.mayfly.agent.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.sync.MachineUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineUseWatchTest {
  private static final long KIB = 1024;

  @TempDir Path proc;
  private final List<MachineUse> measured = new ArrayList<>();

  private void kernel(String stat, String memory) throws IOException {
    Files.writeString(proc.resolve("stat"), stat);
    Files.writeString(proc.resolve("meminfo"), memory);
  }

  @Test
  void useIsTheMeanSinceTheLastLook() throws IOException {
    var memory = "MemTotal:  1000 kB\nMemFree: 1 kB\nMemAvailable:  600 kB\nHugePages_Total: 0\n";
    var watch = new MachineUseWatch(proc, measured::add);
    kernel("cpu  100 0 0 900 0 0 0 0 5 0\ncpu0 1 1 1 1\n", memory);
    watch.measure();
    assertThat(measured).isEmpty();

    kernel("cpu  150 0 25 950 75 0 0 0 99 0\n", memory);
    watch.measure();

    assertThat(measured).containsExactly(new MachineUse(38, 400 * KIB, 1000 * KIB));
  }

  @Test
  void whatTheKernelDoesNotSayIsNotTold() throws IOException {
    var watch = new MachineUseWatch(proc, measured::add);
    watch.measure();
    kernel("cpu  100 0 0 900\n", "MemTotal: 5 kB\n");
    watch.measure();
    kernel("cpu  200 0 0 900\n", "MemTotal: 5 kB\n");
    watch.measure();

    assertThat(measured).isEmpty();
  }
}
