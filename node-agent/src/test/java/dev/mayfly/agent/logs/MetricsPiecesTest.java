package dev.mayfly.agent.logs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.FakeObjects;
import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.files.WorkDir;
import dev.mayfly.agent.metrics.AttemptMetrics;
import dev.mayfly.core.agent.task.MetricsHistory;
import dev.mayfly.core.model.MetricsRow;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The histories of metrics in the store, beside the logs of their attempts. */
final class MetricsPiecesTest {
  private static final String FOLDER = "gs://lab/mayfly/.jobs/j1/logs/metrics/00000007/s0e1/";
  private static final Instant AT = Instant.parse("2026-01-31T10:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir Path folder;
  private final FakeObjects objects = new FakeObjects();
  private WorkDir workDir;
  private AttemptDir dir;
  private AttemptMetrics metrics;
  private LogUploader uploader;

  @BeforeEach
  void open() throws IOException {
    workDir = WorkDir.open(folder.resolve("work"));
    start();
  }

  private void start() throws IOException {
    dir = workDir.attempt();
    metrics = new AttemptMetrics(dir);
    uploader =
        new LogUploader(
            objects,
            new LogUploader.UploadPolicy(Duration.ofSeconds(2), Duration.ofMinutes(5), 1 << 20),
            Runnable::run);
    uploader.openMetrics(
        "a", "j1", metrics, n -> BucketLayout.of("gs://lab").metrics("j1", 7, "s0e1", n));
  }

  @AfterEach
  void close() throws IOException {
    workDir.close();
  }

  @Test
  void runningTasksHistoryIsStoredEverLessOften() throws Exception {
    assertThat(minutesThatStore(46)).containsExactly(1, 3, 7, 15, 25, 35, 45);
  }

  @Test
  void followerHasItEachMinute() throws Exception {
    uploader.follow(List.of("j1"));

    assertThat(minutesThatStore(4)).containsExactly(1, 2, 3, 4);
  }

  @Test
  void eachObjectHasTheWholeHistory() throws Exception {
    report(1);
    uploader.tick(MINUTE);
    report(2);
    report(3);
    uploader.finish("a").get(60, SECONDS);

    assertThat(objects.urls())
        .containsExactly(FOLDER + "00000.metrics.jsonl", FOLDER + "00001.metrics.jsonl");
    assertThat(steps()).containsExactly(1.0, 2.0, 3.0);
  }

  @Test
  void nothingNewIsNotStoredAgain() throws Exception {
    report(1);
    for (var i = 0; i < 30; i++) uploader.tick(MINUTE);
    uploader.finish("a").get(60, SECONDS);

    assertThat(objects.urls()).hasSize(1);
  }

  /** An agent that was killed; what it had stored stays, and the next one goes on behind it. */
  @Test
  void restartedAgentReplacesNothing() throws Exception {
    report(1);
    uploader.tick(MINUTE);
    start();

    report(5);
    uploader.finish("a").get(60, SECONDS);

    assertThat(objects.urls()).hasSize(2);
    assertThat(steps()).containsExactly(5.0);
  }

  @Test
  void brieflyAbsentStoreLosesNothing() throws Exception {
    report(1);
    objects.failNext(1);
    uploader.tick(MINUTE);
    assertThat(objects.urls()).isEmpty();

    uploader.finish("a").get(60, SECONDS);

    assertThat(steps()).containsExactly(1.0);
  }

  @Test
  void endlessHistoryIsOneSmallObject() throws Exception {
    for (var i = 0; i < 20; i++) {
      for (var k = 0; k < 200; k++) write(i * 200 + k);
      read();
    }
    uploader.finish("a").get(60, SECONDS);

    assertThat(steps())
        .hasSizeLessThanOrEqualTo(MetricsHistory.ROWS)
        .startsWith(0.0)
        .endsWith(3_999.0);
    assertThat(objects.texts(FOLDER).getLast()).hasSizeLessThan(80_000);
  }

  private List<Integer> minutesThatStore(int minutes) throws IOException {
    var stored = new ArrayList<Integer>();
    for (var minute = 1; minute <= minutes; minute++) {
      report(minute);
      var before = objects.urls().size();
      uploader.tick(MINUTE);
      if (objects.urls().size() > before) stored.add(minute);
    }
    return stored;
  }

  private void report(int step) throws IOException {
    write(step);
    read();
  }

  private void read() throws IOException {
    assertThat(metrics.news(AT, false)).isPresent();
  }

  private void write(int step) throws IOException {
    Files.writeString(
        dir.metrics(),
        "{\"step\": %d}\n".formatted(step),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private List<Double> steps() {
    return Wire.shared().metrics(objects.texts(FOLDER).getLast().getBytes(UTF_8)).stream()
        .map(MetricsRow::values)
        .map(it -> it.get("step"))
        .toList();
  }
}
