package dev.mayfly.local.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The start of a control plane from which the launcher records loaded classes. */
class AotTrainingTest {
  @TempDir Path folder;

  @Test
  void eachFunctionAnswersWithoutACloud() throws Exception {
    var log = folder.resolve("log");
    var training =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                AotTrainingMain.class.getName(),
                folder.resolve("home").toString(),
                "../schemas/samples/valid/sync-report.json",
                "../functions/src/bundle/job.json")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    training.environment().keySet().removeIf(it -> it.startsWith("MAYFLY_"));
    var process = training.start();

    assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    assertThat(log)
        .content()
        .contains("/api/v1/clusters answered 200", "/workers/v1/sync answered ")
        .contains("/functions/mayfly-jobs answered 204");
  }
}
