package dev.mayfly.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.sim.world.Mutant;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** One seed gives one trace. */
class DeterminismTest {
  private static final int SEEDS = 6;
  private static final long FIRST = 40;

  @Test
  void twoRunsInOneJvmHaveOneTrace() {
    assertThat(hashes()).isEqualTo(hashes());
  }

  @Test
  void anotherJvmHasTheSameTraces() throws Exception {
    assertThat(elsewhere()).isEqualTo(hashes());
  }

  @Test
  void twoSeedsHaveTwoTraces() {
    assertThat(hashes()).doesNotHaveDuplicates();
  }

  private static List<String> hashes() {
    return SeedRuns.run(FIRST, SEEDS, Mutant.NONE).results().stream()
        .map(r -> r.scenario().seed() + " " + r.hash())
        .toList();
  }

  /** Runs in another JVM: another salt for immutable maps, other identity hash codes. */
  private static List<String> elsewhere() throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var child =
        new ProcessBuilder(
                java,
                // Identity hashes, such as those of enums, differ from this JVM's.
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:hashCode=3",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "--hashes",
                "--from",
                Long.toString(FIRST),
                "--count",
                Integer.toString(SEEDS))
            .redirectErrorStream(true)
            .start();
    var said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(child.exitValue()).as(said).isZero();
    return said.lines().filter(l -> l.matches("\\d+ [0-9a-f]{16}")).toList();
  }
}
