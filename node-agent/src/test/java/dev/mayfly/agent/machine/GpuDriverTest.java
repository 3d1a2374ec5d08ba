package dev.mayfly.agent.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.process.FakePrograms;
import dev.mayfly.core.model.sync.GpuUse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes of a program in the driver's place. */
@Timeout(60)
class GpuDriverTest {
  private static final long MIB = 1L << 20;

  @TempDir Path folder;
  private FakePrograms programs;

  @BeforeEach
  void programs() {
    programs = new FakePrograms(folder);
  }

  private GpuDriver driver(String shell, Duration limit) throws IOException {
    programs.with("nvidia-smi", shell);
    return new GpuDriver(programs.environment(), limit);
  }

  private GpuDriver saying(String... lines) throws IOException {
    return driver("cat <<'END'\n" + String.join("\n", lines) + "\nEND", Duration.ofSeconds(20));
  }

  @Test
  void useAndMemoryAreRead() throws Exception {
    var driver = saying("0, 37, 4211, 23034", "1, 0, 0, 23034");

    assertThat(driver.uses())
        .containsExactly(
            new GpuUse(0, Optional.of(37), Optional.of(4211 * MIB), Optional.of(23_034 * MIB)),
            new GpuUse(1, Optional.of(0), Optional.of(0L), Optional.of(23_034 * MIB)));
    assertThat(programs.arguments("nvidia-smi"))
        .containsExactly(
            "--query-gpu=index,utilization.gpu,memory.used,memory.total",
            "--format=csv,noheader,nounits");
    assertThat(driver.memory()).contains(23_034 * MIB);
  }

  @Test
  void unreadableNumbersAreAbsentAndNeverZero() throws Exception {
    var uses =
        saying(
                "0, [N/A], 12, 40960",
                "1, [Not Supported], [N/A], 81920",
                "2, [N/A], [N/A], [N/A]",
                "3, 250, 1, 0",
                "Unable to determine the device handle for GPU: GPU is lost.",
                "4, 1")
            .uses();

    assertThat(uses)
        .containsExactly(
            new GpuUse(0, Optional.empty(), Optional.of(12 * MIB), Optional.of(40_960 * MIB)),
            new GpuUse(1, Optional.empty(), Optional.empty(), Optional.of(81_920 * MIB)),
            new GpuUse(3, Optional.empty(), Optional.of(MIB), Optional.empty()));
  }

  @Test
  void hangingProgramIsKilledInTime() throws Exception {
    var driver = driver("exec sleep 600", Duration.ofMillis(300));
    var began = System.nanoTime();

    assertThat(driver.uses()).isEmpty();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
  }

  @Test
  void failureShowsNothing() throws Exception {
    assertThat(driver("echo '0, 1, 2, 3'; exit 9", Duration.ofSeconds(20)).uses()).isEmpty();
    assertThat(new GpuDriver(Map.of("PATH", "/nowhere"), Duration.ofSeconds(1)).gpus()).isEmpty();
  }

  @Test
  void changesAloneAreReported() {
    var busy = List.of(new GpuUse(0, Optional.of(9), Optional.of(1L), Optional.of(2L)));
    var shown = new ArrayDeque<>(List.of(List.<GpuUse>of(), busy, busy, List.<GpuUse>of()));
    var measured = new ArrayList<List<GpuUse>>();
    var gpuUseWatch = new GpuUseWatch(shown::remove, measured::add, why -> {});

    for (var i = 0; i < 4; i++) gpuUseWatch.measure();

    // A driver that stops to say takes back what it said.
    assertThat(measured).containsExactly(busy, List.of());
  }

  @Test
  void gpuThatIsGoneIsToldOnce() {
    var one = new GpuUse(0, Optional.of(9), Optional.of(1L), Optional.of(2L));
    var two = new GpuUse(1, Optional.of(9), Optional.of(1L), Optional.of(2L));
    var none = List.<GpuUse>of();
    var shown =
        new ArrayDeque<>(
            List.of(none, List.of(one, two), none, List.of(one, two), none, List.of(two), none));
    var lost = new ArrayList<String>();
    var gpuUseWatch = new GpuUseWatch(shown::remove, uses -> {}, lost::add);

    while (!shown.isEmpty()) gpuUseWatch.measure();

    assertThat(lost).containsExactly("the driver shows 1 GPUs of 2");
  }
}
