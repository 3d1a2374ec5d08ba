package dev.mayfly.cli.logs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.gcs.ObjectStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which lines of logs are shown, and which pieces are read for them. */
class LogSelectionTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @TempDir Path temp;
  private final ReadRecorder objectStore = new ReadRecorder(ObjectStores.of(Map.of()));
  private final List<String> lines = new ArrayList<>();

  @Test
  void tailReadsTheLastPiecesOnly() throws IOException {
    for (var i = 0; i < 60; i++) write(0, "s0e1", i, NOON, "line %d\n".formatted(i));

    show(tail(3));

    assertThat(lines).containsExactly("[0] line 57", "[0] line 58", "[0] line 59");
    assertThat(objectStore.reads()).hasSize(7).allMatch(name -> name.compareTo(piece(53)) >= 0);
  }

  @Test
  void tailOfAnyPiecesIsTheEndOfAll() throws IOException {
    var random = new SplittableRandom(11);
    for (var round = 0; round < 25; round++) {
      var text = text(random);
      for (var at = 0; at < text.length; ) {
        var to = Math.min(text.length, at + random.nextInt(1, 40));
        write(round, "s0e1", at, NOON, Arrays.copyOfRange(text, at, to));
        at = to;
      }
      var one = LogSelection.of(OptionalLong.of(round));
      var all = shown(one);

      for (var n : List.of(0, 1, 2, 7, 500)) {
        var last = all.subList(Math.max(0, all.size() - n), all.size());
        assertThat(shown(with(one, n))).as("round %d, tail %d", round, n).isEqualTo(last);
      }
    }
  }

  @Test
  void tailCountsForEachTaskAndHost() throws IOException {
    write(0, "s0e1", 0, NOON, "a\nb\n");
    write(0, "s0e1-rank1", 0, NOON, "c\nd\n");
    write(0, "s0e2", 0, NOON, "again\n");
    write(1, "setup-s1e1", 0, NOON, "made\n");
    write(1, "s1e1", 0, NOON, "no end");

    show(tail(2));

    assertThat(lines)
        .containsExactly(
            "[0/s0e1/r0] b",
            "[0/s0e2/r0] again",
            "[0/s0e1/r1] c",
            "[0/s0e1/r1] d",
            "[1/setup] made",
            "[1] no end");
  }

  @Test
  void tailGoesOnWithWhatIsNew() throws IOException {
    write(0, "s0e1", 0, NOON, "one\ntwo\nthr");
    var logs = logs(tail(1));

    logs.readNew(this::add);
    write(0, "s0e1", 1, NOON, "ee\nfour\n");
    logs.readNew(this::add);

    assertThat(lines).containsExactly("[0] two", "[0] three", "[0] four");
  }

  @Test
  void sinceShowsWholeLinesOfLaterPieces() throws IOException {
    write(0, "s0e1", 0, NOON.minusSeconds(60), "old\n");
    write(0, "s0e1", 1, NOON.minusSeconds(50), "older\nbegun ");
    write(0, "s0e1", 2, NOON, "and ended\nnew\n");
    write(1, "s1e1", 0, NOON.minusSeconds(50), "quiet\n");
    var since = since(NOON);

    show(since);
    assertThat(lines).containsExactly("[0] begun and ended", "[0] new");
    assertThat(objectStore.reads()).hasSize(2);
    lines.clear();

    show(with(since, 9));
    assertThat(lines).containsExactly("[0] begun and ended", "[0] new");
  }

  @Test
  void aQuietTasksNextLineIsWhole() throws IOException {
    write(0, "s0e1", 0, NOON.minusSeconds(50), "epoch ");
    var logs = logs(since(NOON));

    logs.readNew(this::add);
    write(0, "s0e1", 1, NOON.plusSeconds(1), "7\n");
    logs.readNew(this::add);

    assertThat(lines).containsExactly("[0] epoch 7");
  }

  @Test
  void patternMatchesWhatATerminalShows() throws IOException {
    write(0, "s0e1", 0, NOON, "\u001b[31mer\u001b[0mror: größer\nfine\nerror: last\n");

    show(grep("^error: ", OptionalInt.empty()));
    assertThat(lines).containsExactly("[0] error: größer", "[0] error: last");
    lines.clear();

    show(grep("größer", OptionalInt.of(1)));
    assertThat(lines).containsExactly("[0] error: größer");
  }

  @Test
  void statesOfAProgressBarAreLines() throws IOException {
    write(0, "s0e1", 0, NOON, "\r 10%|\r 20%|\r100%|\nwindows\r\n\nend\n");

    show(LogSelection.all());

    assertThat(lines)
        .containsExactly("[0]  10%|", "[0]  20%|", "[0] 100%|", "[0] windows", "[0] ", "[0] end");
    lines.clear();
    show(grep("100", OptionalInt.empty()));
    assertThat(lines).containsExactly("[0] 100%|");
  }

  @Test
  void aLastLineStaysWithItsTask() throws IOException {
    for (var task = 0; task < 3; task++) write(task, "s0e1", 0, NOON, "begin\nresult of " + task);

    show(LogSelection.all());

    assertThat(lines)
        .containsSubsequence("[0] result of 0", "[1] begin", "[1] result of 1", "[2] begin")
        .endsWith("[2] result of 2");
  }

  @Test
  void attemptBringsItsSetup() throws IOException {
    write(0, "setup-s0e3", 0, NOON, "made\n");
    write(0, "s0e1", 0, NOON, "first\n");
    write(0, "s0e3", 0, NOON, "third\n");

    show(
        new LogSelection(
            OptionalLong.of(0),
            Optional.empty(),
            Optional.of("s0e3"),
            Optional.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            false));

    assertThat(lines).containsExactly("[0/s0e3/setup] made", "[0/s0e3] third");
    assertThat(objectStore.reads()).hasSize(2);
  }

  @Test
  void aLineWithoutEndIsNotReadWhole() throws IOException {
    var part = "#".repeat(1 << 19);
    for (var i = 0; i < 30; i++) write(0, "s0e1", i, NOON, part);

    show(tail(1));

    assertThat(lines).singleElement().asString().endsWith("##");
    assertThat(objectStore.reads()).hasSizeLessThan(5);
  }

  private static byte[] text(SplittableRandom random) {
    var words = List.of("\n", "é", "日本", "a\r", "word ", "\n", "line\n", "𝄞");
    var text = new StringBuilder();
    IntStream.range(0, random.nextInt(1, 120))
        .forEach(_ -> text.append(words.get(random.nextInt(words.size()))));
    return text.toString().getBytes(UTF_8);
  }

  private List<String> shown(LogSelection selection) {
    lines.clear();
    show(selection);
    return List.copyOf(lines);
  }

  private void show(LogSelection selection) {
    logs(selection).readLast(this::add);
  }

  private JobLogs logs(LogSelection selection) {
    return new JobLogs(objectStore, bucket(), "j1", false, selection);
  }

  private void add(LogLine line) {
    lines.add(line.label(false) + line.text());
  }

  private static LogSelection tail(int n) {
    return with(LogSelection.all(), n);
  }

  private static LogSelection with(LogSelection all, int n) {
    return new LogSelection(
        all.task(), all.rank(), all.attempt(), all.since(), OptionalInt.of(n), all.grep(), false);
  }

  private static LogSelection since(Instant time) {
    return new LogSelection(
        OptionalLong.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(time),
        OptionalInt.empty(),
        Optional.empty(),
        false);
  }

  private static LogSelection grep(String pattern, OptionalInt tail) {
    return new LogSelection(
        OptionalLong.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        tail,
        Optional.of(Pattern.compile(pattern)),
        false);
  }

  private String bucket() {
    return "file://" + temp.resolve("bucket");
  }

  private String piece(int number) {
    return BucketLayout.of(bucket()).log("j1", 0, "s0e1", number).name();
  }

  private void write(long task, String attempt, int piece, Instant at, String text)
      throws IOException {
    write(task, attempt, piece, at, text.getBytes(UTF_8));
  }

  private void write(long task, String attempt, int piece, Instant at, byte[] bytes)
      throws IOException {
    var place = BucketLayout.of(bucket()).log("j1", task, attempt, piece);
    objectStore.create(place, ObjectStore.Content.of(bytes), Map.of());
    Files.setLastModifiedTime(
        Path.of(place.toString().substring("file://".length())), FileTime.from(at));
  }
}
