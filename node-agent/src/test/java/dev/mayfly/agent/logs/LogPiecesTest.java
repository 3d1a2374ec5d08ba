package dev.mayfly.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.agent.FakeObjects;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.CutLog;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogPiecesTest {
  private static final String FOLDER = "gs://lab/mayfly/.jobs/j1/logs/00000007/s0e1/";

  @TempDir Path folder;
  private final FakeObjects objects = new FakeObjects();
  private Path file;
  private LogFile log;
  private LogPieces pieces;

  @BeforeEach
  void open() throws IOException {
    file = folder.resolve("output.log");
    log = LogFile.make(file);
    pieces = hiding();
  }

  @AfterEach
  void close() throws IOException {
    log.close();
  }

  private LogPieces hiding(String... values) {
    return new LogPieces(
        log,
        objects,
        piece -> BucketLayout.of("gs://lab").log("j1", 7, "s0e1", piece),
        200,
        new LogRedactor(List.of(values)));
  }

  @Test
  void secretsAreMaskedAcrossPieces() throws Exception {
    pieces = hiding("canary", "birdcage");
    for (var letter : "a canary in a birdcage, can canarycanary c".split("")) {
      print(letter);
      pieces.send();
    }
    pieces.finish();

    assertThat(String.join("", objects.texts(FOLDER)))
        .isEqualTo("a ****** in a ********, can ************ c");
    assertThat(objects.texts(FOLDER))
        .noneMatch(piece -> piece.contains("can") && !piece.contains("can "));
  }

  @Test
  void secretAtCutIsMasked() throws Exception {
    pieces = hiding("canary");
    print("x".repeat(97) + "canary" + "y".repeat(40));
    pieces.send();
    pieces.finish();

    assertThat(String.join("", objects.texts(FOLDER)))
        .isEqualTo("x".repeat(97) + "******" + "y".repeat(40));
  }

  @Test
  void partialSecretIsPrintedAtEnd() throws Exception {
    pieces = hiding("canary");
    print("you can");
    pieces.send();
    assertThat(String.join("", objects.texts(FOLDER))).isEqualTo("you ");

    pieces.finish();

    assertThat(String.join("", objects.texts(FOLDER))).isEqualTo("you can");
  }

  @Test
  void noOutputMakesNoObject() throws Exception {
    pieces.finish();
    print("");
    pieces.send();
    pieces.finish();

    assertThat(objects.urls()).isEmpty();
  }

  @Test
  void piecesAreNumberedAndContinueTheLog() throws Exception {
    print("one\n");
    pieces.send();
    pieces.send();
    print("two\n");
    print("three\n");
    pieces.finish();

    assertThat(objects.urls()).containsExactly(FOLDER + "00000.log", FOLDER + "00001.log");
    assertThat(objects.texts(FOLDER)).containsExactly("one\n", "two\nthree\n");
  }

  @Test
  void finishIsIdempotent() throws Exception {
    print("one\n");
    pieces.finish();
    pieces.finish();

    assertThat(objects.texts(FOLDER)).containsExactly("one\n");
  }

  @Test
  void failedPieceIsSentLater() throws Exception {
    print("one\n");
    objects.failNext(1);

    assertThatThrownBy(pieces::send).isInstanceOf(UnavailableException.class);
    print("two\n");
    pieces.finish();

    assertThat(String.join("", objects.texts(FOLDER))).isEqualTo("one\ntwo\n");
  }

  @Test
  void existingObjectIsNeverReplaced() throws Exception {
    objects.put(FOLDER + "00000.log", "somebody else's");
    print("mine\n");
    pieces.finish();

    assertThat(objects.texts(FOLDER)).containsExactly("somebody else's", "mine\n");
  }

  @Test
  void keepsHeadAndTailOfLongLog() throws Exception {
    print("h".repeat(100) + "x".repeat(1000) + "t".repeat(100));
    pieces.finish();

    assertThat(objects.texts(FOLDER))
        .containsExactly(
            "h".repeat(100),
            "\n--- mayfly: 1000 bytes of this log are left out here ---\n",
            "t".repeat(100));
  }

  /** A listing alone shows it. */
  @Test
  void pieceThatSaysOfTheCutIsMarked() throws Exception {
    print("h".repeat(200));
    pieces.send();
    assertThat(cut()).isEmpty();

    print("x".repeat(300));
    pieces.send();
    assertThat(cut()).containsExactly(new CutLog(7, "s0e1", 200, Optional.empty()));

    pieces.finish();
    assertThat(cut()).containsExactly(new CutLog(7, "s0e1", 200, Optional.of(300L)));
  }

  private List<CutLog> cut() {
    return CutLog.ofLogs(
        objects.list(ObjectUrl.of(FOLDER), "", 100).objects().stream()
            .flatMap(piece -> CutLog.of(piece).stream())
            .toList());
  }

  @Test
  void boundsFileOfEndlessLog() throws Exception {
    print("h".repeat(100));
    for (int i = 0; i < 50; i++) {
      print("x".repeat(90));
      pieces.send();
      assertThat(Files.size(file)).isLessThanOrEqualTo(400);
    }
    print("t".repeat(40));
    pieces.finish();

    assertThat(objects.texts(FOLDER))
        .containsExactly(
            "h".repeat(100),
            "\n--- mayfly: this log is longer than 200 (logLimit): of what follows, the last 100 are"
                + " kept, and stored when the attempt has ended ---\n",
            "\n--- mayfly: 4440 bytes of this log are left out here ---\n",
            "x".repeat(60) + "t".repeat(40))
        .last()
        .isEqualTo("x".repeat(60) + "t".repeat(40));
  }

  @Test
  void linkAtLogPathIsNotFollowed() throws Exception {
    var precious = Files.writeString(folder.resolve("shadow"), "p".repeat(1_000));
    print("mine\n");
    Files.delete(file);
    Files.createSymbolicLink(file, precious);
    pieces.send();
    pieces.finish();

    assertThat(objects.texts(FOLDER)).containsExactly("mine\n");
    assertThat(precious).hasContent("p".repeat(1_000));
  }

  @Test
  void linkAtRestPathIsNotFollowed() throws Exception {
    var precious = Files.writeString(folder.resolve("cron"), "precious");
    Files.createSymbolicLink(folder.resolve("output.log.rest"), precious);

    print("h".repeat(100) + "x".repeat(500));
    pieces.send();
    print("t".repeat(40));
    pieces.finish();

    assertThat(precious).hasContent("precious");
    assertThat(objects.texts(FOLDER)).endsWith("x".repeat(60), "t".repeat(40));
    assertThat(folder.resolve("output.log.rest")).doesNotExist();
  }

  /** Appends, as a task does. */
  private void print(String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
