package dev.mayfly.agent.task;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.FakeObjects;
import dev.mayfly.agent.os.Await;
import dev.mayfly.core.agent.AgentEffect;
import dev.mayfly.core.agent.AgentEvent;
import dev.mayfly.core.agent.Attempt;
import dev.mayfly.core.agent.Left;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskItem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Attempts as real processes, with objects in memory. */
@Timeout(300)
final class TasksTest {
  private static final Attempt ATTEMPT = new Attempt(new LeaseRef("j1", 0, 3), 7);
  private static final String INPUT = "gs://lab/in/part-7.jsonl";

  @TempDir Path root;
  private TaskBench bench;
  private FakeObjects objects;
  private Tasks tasks;

  @BeforeEach
  void open() throws IOException {
    bench = new TaskBench(root, reference -> "");
    objects = bench.objects;
    tasks = bench.tasks;
  }

  @AfterEach
  void close() throws IOException {
    bench.close();
  }

  @Test
  void anAttemptReadsItsInputAndLeavesItsOutput() throws Exception {
    objects.put(INPUT, "hello\n");

    start("sh", "-c", "tr a-z A-Z < {inputFile} > {outputFile}; echo {index} $KEPT");

    assertThat(bench.next()).isEqualTo(new AgentEvent.Exited(ATTEMPT, 0, Cause.USER, ""));
    var left = (Left.OneFile) tasks.left(ATTEMPT);
    assertThat(left.content().size()).isEqualTo(6);
    assertThat(left.content().open()).hasContent("HELLO\n");
    bench.logs.flush().get(120, SECONDS);
    assertThat(objects.text("gs://lab/mayfly/.jobs/j1/logs/00000007/s0e3/00000.log"))
        .isEqualTo("7 yes\n");
  }

  @Test
  void aFailureTellsItsCodeAndLastWords() throws Exception {
    start("sh", "-c", "echo before; echo 'no such model' >&2; exit 3");

    assertThat(bench.next())
        .isEqualTo(new AgentEvent.Exited(ATTEMPT, 3, Cause.USER, "before\nno such model"));
    assertThat(tasks.left(ATTEMPT)).isEqualTo(new Left.Nothing());
  }

  @Test
  void whatFailsOnAFullDiskIsTheMachinesFaultAndNamesTheDisk() throws Exception {
    bench.free = 3L << 20;
    start("sh", "-c", "echo 'write error' >&2; exit 1");

    assertThat(bench.next())
        .isInstanceOfSatisfying(
            AgentEvent.Exited.class,
            end -> {
              assertThat(end.cause()).isEqualTo(Cause.INFRASTRUCTURE);
              assertThat(end.evidence())
                  .startsWith("disk full: 3 MiB free under ")
                  .contains("machine.disk.sizeGb")
                  .endsWith("Its last words: write error");
            });
  }

  @Test
  void aFullDisksRemedyIsNotCutOffByLongLastWords() throws Exception {
    bench.free = 3L << 20;
    start("sh", "-c", "echo " + "word ".repeat(60) + " >&2; exit 1");

    assertThat(bench.next())
        .isInstanceOfSatisfying(
            AgentEvent.Exited.class,
            end ->
                assertThat(end.evidence())
                    .startsWith("disk full: ")
                    .contains("machine.disk.sizeGb")
                    .hasSize(200));
  }

  @Test
  void aSignalIs128AndItsNumber() throws Exception {
    start("sh", "-c", "kill -SEGV $$");

    assertThat(bench.next())
        .isInstanceOfSatisfying(
            AgentEvent.Exited.class, exited -> assertThat(exited.exitCode()).isEqualTo(139));
  }

  @Test
  void theEndIsToldWhenNoProcessIsLeft() throws Exception {
    start("sh", "-c", "setsid sleep 600 & echo $! > {outputFile}");

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    var daemon = Files.readString(file().resolve("out/7")).strip();
    assertThat(Await.gone(Long.parseLong(daemon))).isTrue();
  }

  @Test
  void aKillEndsChildrenThatEscapedAndIsToldOnce() throws Exception {
    var pipe = root.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    start(
        "sh",
        "-c",
        "trap '' TERM; setsid sh -c 'trap \"\" TERM; echo $$ > " + pipe + "; sleep 600' & wait");
    var child = Long.parseLong(Files.readString(pipe).strip());

    tasks.kill(new AgentEffect.Kill(ATTEMPT, Duration.ofMillis(20)));

    assertThat(bench.next()).isEqualTo(new AgentEvent.Killed(ATTEMPT));
    assertThat(Await.gone(child)).isTrue();
    assertThat(bench.events).isEmpty();
    tasks.kill(new AgentEffect.Kill(ATTEMPT, Duration.ZERO));
    assertThat(bench.next()).isEqualTo(new AgentEvent.Killed(ATTEMPT));
  }

  @Test
  void aKillOfWhatIsNotHereIsAnsweredAtOnce() throws Exception {
    tasks.kill(new AgentEffect.Kill(ATTEMPT, Duration.ofHours(1)));

    assertThat(bench.next()).isEqualTo(new AgentEvent.Killed(ATTEMPT));
  }

  @Test
  void aKillCutsADownloadShort() throws Exception {
    objects.put(INPUT, "never comes");
    objects.holdReads();
    start("cat", "{inputFile}");
    objects.awaitReader();

    tasks.kill(new AgentEffect.Kill(ATTEMPT, Duration.ZERO));

    assertThat(bench.next()).isEqualTo(new AgentEvent.Killed(ATTEMPT));
  }

  @Test
  void whatTheUserCanMendIsTheUsersFault() throws Exception {
    start("cat", "{inputFile}");
    assertThat(bench.next())
        .satisfies(event -> assertFailed(event, Cause.USER, INPUT + " is not there"));

    tasks.drop(ATTEMPT).get(120, SECONDS);
    start("no-such-program");
    assertThat(bench.next())
        .satisfies(event -> assertFailed(event, Cause.USER, "command not found"));

    tasks.drop(ATTEMPT).get(120, SECONDS);
    start("echo", "nul \0 character");
    assertThat(bench.next()).satisfies(event -> assertFailed(event, Cause.USER, "NUL"));
  }

  @Test
  void aStoreThatIsAwayIsNot() throws Exception {
    objects.put(INPUT, "x");
    objects.failNext(1);

    start("cat", "{inputFile}");

    assertThat(bench.next()).satisfies(event -> assertFailed(event, Cause.INFRASTRUCTURE, "away"));
  }

  @Test
  void codeIsWhereTheCommandStarts() throws Exception {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("lib/words.txt"));
      zip.write("from the bundle".getBytes(StandardCharsets.UTF_8));
      zip.closeEntry();
    }
    var digest = MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray());
    var url = "gs://lab/mayfly/.code/" + HexFormat.of().formatHex(digest) + ".zip";
    objects.put(url, bytes.toByteArray());

    tasks.start(
        new AgentEffect.Start(
            ATTEMPT,
            Sheets.sheet(Optional.of(url), "cp", "lib/words.txt", "{outputFile}"),
            item(),
            List.of()));

    assertThat(bench.next()).isEqualTo(new AgentEvent.Exited(ATTEMPT, 0, Cause.USER, ""));
    assertThat(file().resolve("out/7")).hasContent("from the bundle");
  }

  @Test
  void droppingDeletesTheFolderOnceTheLogIsOut() throws Exception {
    start("echo", "words");
    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);

    tasks.drop(ATTEMPT).get(120, SECONDS);

    assertThat(filesOfAttempts()).isEmpty();
    assertThat(objects.texts("gs://lab/mayfly/.jobs/j1/logs/")).containsExactly("words\n");
  }

  @Test
  void manyAttemptsLeaveNothingBehind() throws Exception {
    for (int i = 0; i < 200; i++) {
      var attempt = new Attempt(new LeaseRef("j1", 0, 1), i);
      tasks.start(
          new AgentEffect.Start(
              attempt, Sheets.sheet(Optional.empty(), "true"), item(), List.of()));
      assertThat(bench.next()).isEqualTo(new AgentEvent.Exited(attempt, 0, Cause.USER, ""));
      tasks.drop(attempt).get(120, SECONDS);
    }

    assertThat(filesOfAttempts()).isEmpty();
    assertThat(objects.urls()).isEmpty();
  }

  /** Of a task of a minute that is a fiftieth; a quiet machine takes some milliseconds. */
  @Test
  @Timeout(60)
  void fiftyTasksOfNothingTakeLessThanMinute() throws Exception {
    for (var i = 0; i < 50; i++) {
      var attempt = new Attempt(ATTEMPT.lease(), i);
      tasks.start(
          new AgentEffect.Start(
              attempt, Sheets.sheet(Optional.empty(), "true"), item(), List.of()));
      assertThat(bench.next()).isEqualTo(new AgentEvent.Exited(attempt, 0, Cause.USER, ""));
      tasks.drop(attempt).get(60, SECONDS);
    }
  }

  private void start(String... command) {
    tasks.start(
        new AgentEffect.Start(ATTEMPT, Sheets.sheet(Optional.empty(), command), item(), List.of()));
  }

  private static TaskItem item() {
    return new TaskItem(7, Optional.of(INPUT), Map.of());
  }

  private List<Path> filesOfAttempts() throws IOException {
    try (var files = Files.walk(bench.workDir.root().resolve("attempts"))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private Path file() throws IOException {
    try (var folders = Files.list(bench.workDir.root().resolve("attempts"))) {
      return folders.findFirst().orElseThrow();
    }
  }

  private static void assertFailed(AgentEvent event, Cause cause, String words) {
    assertThat(event)
        .isInstanceOfSatisfying(
            AgentEvent.StartFailed.class,
            failed -> {
              assertThat(failed.cause()).isEqualTo(cause);
              assertThat(failed.evidence()).contains(words);
            });
  }
}
