package dev.mayfly.cli.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.MetricsRow;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MetricCurvesTest {
  private static final Instant AT = Instant.parse("2026-01-31T10:00:00Z");

  @TempDir Path bucket;
  private final ObjectStore objectStore = ObjectStores.of(Map.of());

  @Test
  void newestObjectOfEachAttemptCounts() throws IOException {
    store(7, "s0e1", 0, 10, 1);
    store(7, "s0e1", 1, 20, 1, 2);
    store(7, "s0e2", 0, 30, 1);
    store(70, "s0e1", 0, 40, 9);

    assertThat(curves().ofTask(7)).extracting(MetricCurve::attempt).containsExactly("s0e1", "s0e2");
    assertThat(curves().ofTask(7).getFirst().rows()).containsExactly(row(1), row(2));
    assertThat(curves().ofTask(7).getFirst().storedAt()).isEqualTo(AT.plusSeconds(20));
  }

  @Test
  void ofSeveralTasksTheNewestAttemptsAreRead() throws IOException {
    store(0, "s0e2", 0, 10, 1);
    store(0, "s0e1", 0, 20, 2);
    store(3, "s0e1", 0, 30, 3);

    assertThat(curves().ofTasks(List.of(3L, 0L, 5L)))
        .extracting(it -> it.index() + it.attempt())
        .containsExactly("3s0e1", "0s0e1");
  }

  @Test
  void firstTasksWithHistoriesAreRead() throws IOException {
    for (var index : new int[] {2, 5, 8, 99_999_999}) store(index, "s0e1", 0, 10, index);

    assertThat(curves().ofFirst(3, 0)).extracting(MetricCurve::index).containsExactly(2L, 5L, 8L);
    assertThat(curves().ofFirst(9, 0)).extracting(MetricCurve::index).endsWith(99_999_999L);
    assertThat(new MetricCurves(objectStore, "file://" + bucket, "j2").ofFirst(3, 0)).isEmpty();
  }

  @Test
  void earlierAttemptsAreReadTheOldestFirst() throws IOException {
    for (var attempt = 1; attempt <= 3; attempt++) store(2, "s0e" + attempt, 0, attempt, attempt);
    for (var attempt = 1; attempt <= 2; attempt++) store(5, "s0e" + attempt, 0, attempt, attempt);

    assertThat(curves().ofFirst(2, 9))
        .extracting(it -> it.index() + it.attempt())
        .containsExactly("2s0e1", "2s0e2", "2s0e3", "5s0e1", "5s0e2");
    assertThat(curves().ofFirst(2, 1))
        .extracting(it -> it.index() + it.attempt())
        .containsExactly("2s0e2", "2s0e3", "5s0e2");
  }

  /** Whoever may write a log may write anything there. */
  @Test
  void foreignLinesAndObjectsAreNoHistory() throws IOException {
    create(
        url(7, "s0e1", 0),
        "<script>\n{\"at\": \"2026-01-31T10:00:00Z\", \"values\": {\"<b>\": 1}}\n{\"at\": 3}\n"
            + new String(Wire.shared().metrics(List.of(row(1))), UTF_8));
    create(url(8, "s0e1", 0), "x".repeat((4 << 20) + 1));
    create(BucketLayout.of("file://" + bucket).metrics("j1", 7).append("s0e1/x.jsonl"), "{}");

    assertThat(curves().ofTask(7).getFirst().rows()).containsExactly(row(1));
    assertThat(curves().ofTask(8).getFirst().rows()).isEmpty();
  }

  @Test
  void shorterCurveHasItsFirstAndLastPoint() {
    var rows = IntStream.range(0, 1_000).mapToObj(MetricCurvesTest::row).toList();

    var short200 = new MetricCurve(1, "s0e1", AT, rows).atMost(200).rows();

    assertThat(short200).hasSize(200).startsWith(row(0)).endsWith(row(999)).isSubsetOf(rows);
    assertThat(new MetricCurve(1, "s0e1", AT, rows).atMost(1_000).rows()).isEqualTo(rows);
  }

  private MetricCurves curves() {
    return new MetricCurves(objectStore, "file://" + bucket, "j1");
  }

  private static MetricsRow row(int step) {
    return new MetricsRow(AT.plusSeconds(step), Map.of("step", (double) step));
  }

  private ObjectUrl url(long index, String attempt, int number) {
    return BucketLayout.of("file://" + bucket).metrics("j1", index, attempt, number);
  }

  private void store(long index, String attempt, int number, int second, int... steps)
      throws IOException {
    var rows = IntStream.of(steps).mapToObj(MetricCurvesTest::row).toList();
    var url = url(index, attempt, number);
    create(url, new String(Wire.shared().metrics(rows), UTF_8));
    Files.setLastModifiedTime(
        Path.of(url.toString().substring("file://".length())),
        FileTime.from(AT.plusSeconds(second)));
  }

  private void create(ObjectUrl url, String text) {
    objectStore.create(url, ObjectStore.Content.of(text.getBytes(UTF_8)), Map.of());
  }
}
