package dev.mayfly.agent.logs;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.FakeObjects;
import dev.mayfly.agent.NodeSettings;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.worker.WorkerInfo;
import dev.mayfly.core.port.BucketLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogUploaderTest {
  private static final String FOLDER = "gs://lab/mayfly/.jobs/j1/logs/";
  private static final WorkerInfo WORKER =
      new WorkerInfo(
          "c1", "w-1", "cpu", "n", "http://127.0.0.1:1", "gs://lab", new Resources(2_000, 1, 0, 0));

  private static final Duration SECOND = Duration.ofSeconds(1);

  @TempDir Path folder;
  private final FakeObjects objects = new FakeObjects();
  private final LogUploader logUploader =
      new LogUploader(
          objects,
          new LogUploader.UploadPolicy(Duration.ofSeconds(2), Duration.ofSeconds(8), 1 << 20),
          Runnable::run);

  private LogFile log;

  @AfterEach
  void close() throws IOException {
    log.close();
  }

  @BeforeEach
  void open() throws IOException {
    log = LogFile.make(file());
    logUploader.open(
        "a",
        "j1",
        log,
        new LogUploader.LogDestination(
            piece -> BucketLayout.of("gs://lab").log("j1", 0, "s0e1", piece), Optional.empty()),
        List.of());
  }

  @Test
  void intervalGrows() throws Exception {
    assertThat(piecesAfterEachSecond(16))
        .containsExactly(0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3);
  }

  @Test
  void machineThatVanishesTakesTheLastSecondsOnly() throws Exception {
    var times = NodeSettings.from(WORKER.metadata(), Map.of()).times();
    var asDeployed =
        new LogUploader(
            objects,
            new LogUploader.UploadPolicy(times.logFirst(), times.logLast(), 1 << 20),
            Runnable::run);
    var second = LogFile.make(folder.resolve("second.log"));
    asDeployed.open(
        "b",
        "j1",
        second,
        new LogUploader.LogDestination(
            piece -> BucketLayout.of("gs://lab").log("j1", 1, "s1e1", piece), Optional.empty()),
        List.of());
    var random = new SplittableRandom(7);
    var printed = new ArrayList<Integer>();
    for (var at = 0; at < 900; at++) {
      // Five minutes are quiet.
      if (random.nextInt(100) < (at / 300 % 2 == 0 ? 60 : 1)) {
        Files.writeString(folder.resolve("second.log"), at + "\n", StandardOpenOption.APPEND);
        printed.add(at);
      }
      asDeployed.tick(SECOND);

      var stored = String.join("", objects.texts(FOLDER)).lines().map(Integer::valueOf).toList();
      var old = at - 10;
      assertThat(stored)
          .as("what was printed ten seconds before %d", at)
          .containsAll(printed.stream().filter(line -> line <= old).toList());
    }
    assertThat(objects.urls()).as("a quiet log is not stored").hasSizeLessThan(75);
    second.close();
  }

  @Test
  void followerKeepsIntervalShort() throws Exception {
    logUploader.follow(List.of("j1"));

    assertThat(piecesAfterEachSecond(8)).containsExactly(0, 1, 1, 2, 2, 3, 3, 4);
  }

  @Test
  void quietLogCostsNothingThenSendsAtOnce() throws Exception {
    for (int i = 0; i < 100; i++) {
      logUploader.tick(SECOND);
    }
    assertThat(objects.urls()).isEmpty();

    print("at last\n");
    logUploader.tick(SECOND);

    assertThat(objects.texts(FOLDER)).containsExactly("at last\n");
  }

  @Test
  void finishSendsRestAndFlushWaits() throws Exception {
    print("rest\n");

    logUploader.finish("a").get(120, SECONDS);
    logUploader.flush().get(120, SECONDS);

    assertThat(objects.texts(FOLDER)).containsExactly("rest\n");
  }

  @Test
  void flushSendsRunningTasksLogs() throws Exception {
    print("running\n");

    logUploader.flush().get(120, SECONDS);

    assertThat(objects.texts(FOLDER)).containsExactly("running\n");
  }

  @Test
  void brieflyAbsentStoreLosesNothing() throws Exception {
    print("rest\n");
    objects.failNext(2);

    logUploader.finish("a").get(120, SECONDS);

    assertThat(objects.texts(FOLDER)).containsExactly("rest\n");
  }

  @Test
  void finishingUnknownAttemptIsImmediate() {
    assertThat(logUploader.finish("unknown")).isDone();
  }

  private List<Integer> piecesAfterEachSecond(int seconds) throws IOException {
    var counts = new ArrayList<Integer>();
    for (int i = 0; i < seconds; i++) {
      print("line\n");
      logUploader.tick(SECOND);
      counts.add(objects.urls().size());
    }
    return counts;
  }

  private Path file() {
    return folder.resolve("output.log");
  }

  private void print(String text) throws IOException {
    Files.writeString(file(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
