package dev.mayfly.emulators;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The calls of functions from which the launcher records loaded classes. */
class FunctionAotTrainingTest {
  private static final String NO_SERVER = "127.0.0.1:1";

  @TempDir Path folder;

  @Test
  void eachFunctionAnswersWithoutItsEmulators() throws Exception {
    var log = folder.resolve("log");
    var training =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                FunctionAotTrainingMain.class.getName(),
                "../../schemas/samples/valid/sync-report.json",
                "../../functions/src/bundle/job.json")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    training.environment().keySet().removeIf(it -> it.startsWith("MAYFLY_"));
    training
        .environment()
        .putAll(
            Map.of(
                "GOOGLE_CLOUD_PROJECT",
                "rehearsal",
                "MAYFLY_IDENTITY",
                "off",
                "FIRESTORE_EMULATOR_HOST",
                NO_SERVER,
                "PUBSUB_EMULATOR_HOST",
                NO_SERVER,
                "MAYFLY_WORKERS_URL",
                "http://" + NO_SERVER,
                "MAYFLY_STORAGE_ENDPOINT",
                "http://" + NO_SERVER));
    var process = training.start();

    assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    assertThat(log)
        .content()
        .contains("ApiFunction answered", "WorkersFunction answered", "JobsFunction answered");
  }
}
