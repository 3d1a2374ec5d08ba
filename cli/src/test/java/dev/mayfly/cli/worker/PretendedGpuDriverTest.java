package dev.mayfly.cli.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PretendedGpuDriverTest {
  @TempDir Path folder;

  private List<String> ask(Path bin, String... words) throws Exception {
    var line = new ArrayList<>(List.of(bin.resolve("nvidia-smi").toString()));
    line.addAll(List.of(words));
    var process = new ProcessBuilder(line).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said.lines().toList();
  }

  @Test
  void columnsAreAnsweredInOrder() throws Exception {
    var bin = PretendedGpuDriver.install(folder, "desk-1", 2);

    assertThat(
            ask(bin, "--query-gpu=index,uuid,name,memory.total", "--format=csv,noheader,nounits"))
        .containsExactly(
            "0, GPU-desk-1-0, pretended GPU, 16384", "1, GPU-desk-1-1, pretended GPU, 16384");
    assertThat(ask(bin, "--query-gpu=utilization.gpu,index,fan.speed"))
        .containsExactly("0, 0, [N/A]", "0, 1, [N/A]");
  }

  @Test
  void laterJoinMayPretendAnotherNumber() throws Exception {
    PretendedGpuDriver.install(folder, "desk-1", 2);

    assertThat(ask(PretendedGpuDriver.install(folder, "desk-1", 1))).hasSize(1);
  }
}
