package dev.mayfly.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.wire.Wire;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The seeds and a few mutations; {@code testing/fuzz/run} tries a million. */
@Timeout(300)
class FuzzTest {
  /** Enough for a few seconds. */
  private static final int INPUTS = 200;

  @TempDir Path folder;

  static Stream<FuzzTarget> entries() {
    return FuzzTargets.all().stream();
  }

  /** Else mutations of them would try nothing behind the first refusal. */
  @Test
  void ordinaryDocumentsAreInOrder() {
    assertThat(Wire.codec().commands(SeedCorpus.bytes(SeedCorpus.CLUSTER))).hasSize(1);
    assertThat(Wire.codec().commands(SeedCorpus.bytes(SeedCorpus.JOB))).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("entries")
  void seedsAreAcceptedOrRefused(FuzzTarget entry) throws Exception {
    var accepted = 0;
    for (var seed : entry.seeds()) if (entry.accepts(seed)) accepted++;
    assertThat(accepted).as("at least one seed is in order").isPositive();
  }

  @ParameterizedTest
  @MethodSource("entries")
  void emptyInputIsAcceptedOrRefused(FuzzTarget entry) throws Exception {
    assertThat(entry.accepts(new byte[0])).isIn(true, false);
  }

  @Test
  void mutationsAreAcceptedOrRefused() throws Exception {
    Main.main(new String[] {folder.toString()});
    var log = folder.resolve("log");
    var command = new ArrayList<>(java());
    command.addAll(
        List.of(
            "--target_class=" + Main.class.getName(),
            // Instrumenting all classes would take half a minute.
            "--instrumentation_includes=dev.mayfly.wire.**:dev.mayfly.core.text.**:dev.mayfly.agent.files.**",
            "--custom_hook_excludes=**",
            "-runs=" + INPUTS,
            "-seed=1",
            "-max_len=4096",
            "-rss_limit_mb=2048",
            folder.resolve("all").toString()));

    var process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();

    try {
      assertThat(process.waitFor(280, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(() -> tail(log)).isZero();
    assertThat(Files.readString(log)).contains("fuzz all: ", " accepted, ");
  }

  private static List<String> java() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-XX:+EnableDynamicAgentLoading",
        "-XX:+UseSerialGC",
        "-Xmx256m",
        "-XX:TieredStopAtLevel=1",
        "-cp",
        System.getProperty("java.class.path"),
        "com.code_intelligence.jazzer.Jazzer");
  }

  private static String tail(Path log) {
    try {
      var lines = Files.readAllLines(log).stream().filter(l -> !l.startsWith("INFO")).toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
