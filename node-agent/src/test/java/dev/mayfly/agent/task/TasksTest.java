package dev.mayfly.agent.task;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.FakeObjects;
import dev.mayfly.agent.logs.Logs;
import dev.mayfly.agent.os.Await;
import dev.mayfly.agent.os.WholeKill;
import dev.mayfly.agent.os.WorkDir;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Attempts as real processes, with objects in memory. */
@Timeout(60)
final class TasksTest {
  private static final Workshop.Tools TOOLS = Workshop.Tools.find();
  private static final Attempt ATTEMPT = new Attempt(new LeaseRef("j1", 0, 3), 7);
  private static final String INPUT = "gs://lab/in/part-7.jsonl";

  @TempDir Path root;
  private final FakeObjects objects = new FakeObjects();
  private final LinkedBlockingQueue<AgentEvent> events = new LinkedBlockingQueue<>();
  private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();
  private WorkDir workDir;
  private Logs logs;
  private Tasks tasks;

  @BeforeEach
  void open() throws IOException {
    workDir = WorkDir.open(root.resolve("work"));
    logs =
        new Logs(
            objects, new Logs.Pace(Duration.ofSeconds(2), Duration.ofMinutes(5), 1 << 20), threads);
    tasks =
        new Tasks(
            new Workshop(workDir, CompletableFuture.completedFuture(TOOLS)),
            Map.of("PATH", "/usr/bin:/bin", "KEPT", "yes"),
            Duration.ofSeconds(20),
            objects,
            reference -> "",
            logs,
            new Tasks.Outward(threads, events::add));
  }

  @AfterEach
  void close() throws IOException {
    assertThat(WholeKill.earlier(workDir.root(), Duration.ofSeconds(20)).confirmed()).isTrue();
    workDir.close();
  }

  @Test
  void anAttemptReadsItsInputAndLeavesItsOutput() throws Exception {
    objects.put(INPUT, "hello\n");

    start("sh", "-c", "tr a-z A-Z < {inputFile} > {outputFile}; echo {index} $KEPT");

    assertThat(next()).isEqualTo(new AgentEvent.Exited(ATTEMPT, 0, false, ""));
    var left = (Left.OneFile) tasks.left(ATTEMPT);
    assertThat(left.content().size()).isEqualTo(6);
    assertThat(left.content().open()).hasContent("HELLO\n");
    logs.flush().get(20, SECONDS);
    assertThat(objects.text("gs://lab/mayfly/.jobs/j1/logs/00000007/s0e3/00000.log"))
        .isEqualTo("7 yes\n");
  }

  @Test
  void aDirectoryIsListedByPathWithoutLinks() throws Exception {
    start(
        "sh",
        "-c",
        "mkdir -p {outputFile}/b && cd {outputFile} && echo 1 > b/x && echo 2 > a && ln -s / root");

    assertThat(next()).isInstanceOf(AgentEvent.Exited.class);
    assertThat(tasks.left(ATTEMPT))
        .isInstanceOfSatisfying(
            Left.Directory.class,
            folder ->
                assertThat(folder.entries())
                    .extracting(Left.Entry::path)
                    .containsExactly("a", "b/x"));
  }

  @Test
  void aFailureTellsItsCodeAndLastWords() throws Exception {
    start("sh", "-c", "echo before; echo 'no such model' >&2; exit 3");

    assertThat(next()).isEqualTo(new AgentEvent.Exited(ATTEMPT, 3, false, "before\nno such model"));
    assertThat(tasks.left(ATTEMPT)).isEqualTo(new Left.Nothing());
  }

  @Test
  void aSignalIs128AndItsNumber() throws Exception {
    start("sh", "-c", "kill -SEGV $$");

    assertThat(next())
        .isInstanceOfSatisfying(
            AgentEvent.Exited.class, exited -> assertThat(exited.exitCode()).isEqualTo(139));
  }

  @Test
  void theEndIsToldWhenNoProcessIsLeft() throws Exception {
    start("sh", "-c", "setsid sleep 600 & echo $! > {outputFile}");

    assertThat(next()).isInstanceOf(AgentEvent.Exited.class);
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

    assertThat(next()).isEqualTo(new AgentEvent.Killed(ATTEMPT));
    assertThat(Await.gone(child)).isTrue();
    assertThat(events).isEmpty();
    tasks.kill(new AgentEffect.Kill(ATTEMPT, Duration.ZERO));
    assertThat(next()).isEqualTo(new AgentEvent.Killed(ATTEMPT));
  }

  @Test
  void aKillOfWhatIsNotHereIsAnsweredAtOnce() throws Exception {
    tasks.kill(new AgentEffect.Kill(ATTEMPT, Duration.ofHours(1)));

    assertThat(next()).isEqualTo(new AgentEvent.Killed(ATTEMPT));
  }

  @Test
  void aKillCutsADownloadShort() throws Exception {
    objects.put(INPUT, "never comes");
    objects.holdReads();
    start("cat", "{inputFile}");
    objects.awaitReader();

    tasks.kill(new AgentEffect.Kill(ATTEMPT, Duration.ZERO));

    assertThat(next()).isEqualTo(new AgentEvent.Killed(ATTEMPT));
  }

  @Test
  void whatTheUserCanMendIsTheUsersFault() throws Exception {
    start("cat", "{inputFile}");
    assertThat(next()).satisfies(event -> assertFailed(event, Cause.USER, INPUT + " is not there"));

    tasks.drop(ATTEMPT).get(20, SECONDS);
    start("no-such-program");
    assertThat(next()).satisfies(event -> assertFailed(event, Cause.USER, "command not found"));

    tasks.drop(ATTEMPT).get(20, SECONDS);
    start("echo", "nul \0 character");
    assertThat(next()).satisfies(event -> assertFailed(event, Cause.USER, "NUL"));
  }

  @Test
  void aStoreThatIsAwayIsNot() throws Exception {
    objects.put(INPUT, "x");
    objects.failNext(1);

    start("cat", "{inputFile}");

    assertThat(next()).satisfies(event -> assertFailed(event, Cause.INFRASTRUCTURE, "away"));
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

    assertThat(next()).isEqualTo(new AgentEvent.Exited(ATTEMPT, 0, false, ""));
    assertThat(file().resolve("out/7")).hasContent("from the bundle");
  }

  @Test
  void droppingDeletesTheFolderOnceTheLogIsOut() throws Exception {
    start("echo", "words");
    assertThat(next()).isInstanceOf(AgentEvent.Exited.class);

    tasks.drop(ATTEMPT).get(20, SECONDS);

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
      assertThat(next()).isEqualTo(new AgentEvent.Exited(attempt, 0, false, ""));
      tasks.drop(attempt).get(20, SECONDS);
    }

    assertThat(filesOfAttempts()).isEmpty();
    assertThat(objects.urls()).isEmpty();
  }

  private void start(String... command) {
    tasks.start(
        new AgentEffect.Start(ATTEMPT, Sheets.sheet(Optional.empty(), command), item(), List.of()));
  }

  private static TaskItem item() {
    return new TaskItem(7, Optional.of(INPUT), Map.of());
  }

  private List<Path> filesOfAttempts() throws IOException {
    try (var files = Files.walk(workDir.root().resolve("attempts"))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private Path file() throws IOException {
    try (var folders = Files.list(workDir.root().resolve("attempts"))) {
      return folders.findFirst().orElseThrow();
    }
  }

  private AgentEvent next() throws InterruptedException {
    var event = events.poll(30, SECONDS);
    assertThat(event).isNotNull();
    return event;
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
