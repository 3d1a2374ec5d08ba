package dev.mayfly.cli.logs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.gcs.ObjectStores;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobLogsTest {
  @TempDir Path temp;
  private final ObjectStore objectStore = ObjectStores.of(Map.of());
  private final List<String> lines = new ArrayList<>();

  @Test
  void piecesAreReadInOrderAndOnce() {
    write(1, "2", 0, "second try\n");
    write(1, "1", 1, "tle\nlast");
    write(1, "1", 0, "first lit");
    write(10, "1", 0, "ten\n");
    var logs = new JobLogs(objectStore, bucket(), "j1", false, LogSelection.all());

    assertThat(logs.readNew(this::add)).isEqualTo(4);
    assertThat(lines).containsExactly("1/1 first little", "1/2 second try", "10/1 ten");
    assertThat(logs.readNew(this::add)).isZero();

    write(10, "1", 1, "more\n");
    assertThat(logs.readNew(this::add)).isEqualTo(1);
    logs.flush(this::add);
    assertThat(lines).endsWith("10/1 more", "1/1 last");
  }

  @Test
  void taskLogExcludesOtherTasks() {
    write(1, "1", 0, "one\n");
    write(10, "1", 0, "ten\n");

    new JobLogs(objectStore, bucket(), "j1", false, LogSelection.of(OptionalLong.of(1)))
        .readNew(this::add);

    assertThat(lines).containsExactly("1/1 one");
  }

  @Test
  void linesOfGangNameTheirRank() {
    write(0, "s0e1-rank1", 0, "one\n");
    write(0, "s0e2", 0, "zero again\n");
    write(0, "s0e1", 0, "zero\n");
    write(1, "s1e1", 0, "alone\n");
    var labels = new ArrayList<String>();

    new JobLogs(objectStore, bucket(), "j1", false, LogSelection.all())
        .readNew(line -> labels.add(line.attempt() + " " + line.label(false) + line.text()));

    assertThat(labels)
        .containsExactly(
            "s0e1 [0/s0e1/r0] zero",
            "s0e1 [0/s0e1/r1] one",
            "s0e2 [0/s0e2/r0] zero again",
            "s1e1 [1] alone");
    new JobLogs(objectStore, bucket(), "j1", true, LogSelection.of(OptionalLong.of(1)))
        .readNew(line -> labels.add(line.label(true) + line.text()));
    assertThat(labels.getLast()).isEqualTo("[r0] alone");
  }

  @Test
  void setupComesBeforeItsTask() {
    write(3, "s0e10", 0, "later\n");
    write(3, "s0e2", 0, "task\n");
    write(3, "setup-s0e2", 0, "installing\n");
    var labels = new ArrayList<String>();

    new JobLogs(objectStore, bucket(), "j1", false, LogSelection.all())
        .readNew(line -> labels.add(line.label(false) + line.text()));

    assertThat(labels)
        .containsExactly("[3/s0e2/setup] installing", "[3/s0e2] task", "[3/s0e10] later");
  }

  @Test
  void secondAttemptIsNamed() {
    write(0, "s0e1", 0, "first\n");
    write(1, "s0e1", 0, "other\n");
    var logs = new JobLogs(objectStore, bucket(), "j1", false, LogSelection.all());
    var labels = new ArrayList<String>();
    logs.readNew(line -> labels.add(line.label(false) + line.text()));
    write(0, "s0e3", 0, "again\n");

    logs.readNew(line -> labels.add(line.label(false) + line.text()));

    assertThat(labels).containsExactly("[0] first", "[1] other", "[0/s0e3] again");
    labels.clear();
    new JobLogs(objectStore, bucket(), "j1", false, LogSelection.of(OptionalLong.of(0)))
        .readNew(line -> labels.add(line.label(true) + line.text()));
    assertThat(labels).containsExactly("[s0e1] first", "[s0e3] again");
  }

  @Test
  void piecesAreOrderedByTheirNumbersValue() {
    write(0, "s0e1", 100_000, "third\n");
    write(0, "s0e1", 99_999, "second\n");
    write(0, "s0e1", 9, "first\n");

    new JobLogs(objectStore, bucket(), "j1", false, LogSelection.all()).readNew(this::add);

    assertThat(lines).containsExactly("0/s0e1 first", "0/s0e1 second", "0/s0e1 third");
  }

  @Test
  void aCharacterCutBetweenPiecesIsWhole() {
    var text = "日本語 é 𝄞 plain\n".repeat(40) + "ende 終";
    var bytes = text.getBytes(UTF_8);
    var random = new SplittableRandom(7);
    var piece = 0;
    for (int from = 0, to; from < bytes.length; from = to) {
      to = Math.min(bytes.length, from + random.nextInt(1, 9));
      write(0, "s0e1", piece++, Arrays.copyOfRange(bytes, from, to));
    }
    var logs = new JobLogs(objectStore, bucket(), "j1", false, LogSelection.all());

    logs.readNew(line -> lines.add(line.text()));
    logs.flush(line -> lines.add(line.text()));

    assertThat(String.join("\n", lines)).isEqualTo(text);
  }

  /** What metrics were over time is beside logs and no log. */
  @Test
  void historiesOfMetricsAreNoLogs() {
    objectStore.create(
        BucketLayout.of(bucket()).metrics("j1", 0, "s0e1", 0),
        ObjectStore.Content.of("{}\n".getBytes(UTF_8)),
        Map.of());
    write(0, "s0e1", 0, "a\n");
    write(99_999_999, "s0e1", 0, "b\n");
    var logs = new JobLogs(objectStore, bucket(), "j1", false, LogSelection.all());

    logs.readLast(this::add);

    assertThat(lines).containsExactly("0/s0e1 a", "99999999/s0e1 b");
  }

  private void add(LogLine line) {
    lines.add(line.task() + "/" + line.attempt() + " " + line.text());
  }

  private String bucket() {
    return "file://" + temp.resolve("bucket");
  }

  private void write(long task, String attempt, int piece, String text) {
    write(task, attempt, piece, text.getBytes(UTF_8));
  }

  private void write(long task, String attempt, int piece, byte[] bytes) {
    var place = BucketLayout.of(bucket()).log("j1", task, attempt, piece);
    objectStore.create(place, ObjectStore.Content.of(bytes), Map.of());
  }
}
