package dev.mayfly.agent.logs;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.FakeObjects;
import dev.mayfly.core.port.BucketLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogUploaderTest {
  private static final String FOLDER = "gs://lab/mayfly/.jobs/j1/logs/";
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
        piece -> BucketLayout.of("gs://lab").log("j1", 0, "s0e1", piece),
        List.of());
  }

  @Test
  void intervalGrows() throws Exception {
    assertThat(piecesAfterEachSecond(16))
        .containsExactly(0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3);
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
    var counts = new java.util.ArrayList<Integer>();
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
