package dev.mayfly.agent.task;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.FakeObjects;
import dev.mayfly.agent.process.ProcessAwait;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.output.ProducedOutput;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.TaskItem;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Attempts as real processes, with objects in memory. */
@Timeout(300)
final class TaskExecutorTest {
  private static final TaskAttempt ATTEMPT = new TaskAttempt(new LeaseRef("j1", 0, 3), 7);
  private static final String INPUT = "gs://lab/in/part-7.jsonl";

  @TempDir Path root;
  private TaskExecutorFixture bench;
  private FakeObjects objects;
  private TaskExecutor taskExecutor;

  @BeforeEach
  void open() throws IOException {
    bench = new TaskExecutorFixture(root, reference -> "");
    objects = bench.objects;
    taskExecutor = bench.taskExecutor;
  }

  @AfterEach
  void close() throws IOException {
    bench.close();
  }

  @Test
  void attemptReadsInputAndWritesOutput() throws Exception {
    objects.put(INPUT, "hello\n");

    start("sh", "-c", "tr a-z A-Z < {inputFile} > {outputFile}; echo {index} $KEPT");

    assertThat(bench.next()).isEqualTo(new AgentEvent.InputFound(ATTEMPT, 1));
    assertThat(bench.next()).isEqualTo(new AgentEvent.Exited(ATTEMPT, 0, FailureCause.USER, ""));
    var left = (ProducedOutput.OneFile) taskExecutor.producedOutput(ATTEMPT);
    assertThat(left.content().size()).isEqualTo(6);
    assertThat(left.content().open()).hasContent("HELLO\n");
    bench.logUploader.flush().get(120, SECONDS);
    assertThat(objects.text("gs://lab/mayfly/.jobs/j1/logs/00000007/s0e3/00000.log"))
        .isEqualTo("7 yes\n");
  }

  @Test
  void failureReportsCodeAndLastOutput() throws Exception {
    start("sh", "-c", "echo before; echo 'no such model' >&2; exit 3");

    assertThat(bench.next())
        .isEqualTo(new AgentEvent.Exited(ATTEMPT, 3, FailureCause.USER, "before\nno such model"));
    assertThat(taskExecutor.producedOutput(ATTEMPT)).isEqualTo(new ProducedOutput.Nothing());
  }

  @Test
  void fullDiskFailureIsMachineFault() throws Exception {
    bench.free = 3L << 20;
    start("sh", "-c", "echo 'write error' >&2; exit 1");

    assertThat(bench.next())
        .isInstanceOfSatisfying(
            AgentEvent.Exited.class,
            end -> {
              assertThat(end.cause()).isEqualTo(FailureCause.INFRASTRUCTURE);
              assertThat(end.evidence())
                  .startsWith("disk full: 3 MiB free under ")
                  .contains("machine.disk.sizeGb")
                  .endsWith("Its last words: write error");
            });
  }

  @Test
  void fullDiskRemedySurvivesLongOutput() throws Exception {
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
  void fullDiskIsToldBeforeExitCodeZero() throws Exception {
    var looks = new AtomicInteger();
    bench.room = () -> looks.getAndIncrement() == 0 ? 1L << 40 : 0;
    start("true");

    assertThat(bench.next())
        .isInstanceOfSatisfying(
            AgentEvent.DiskUnusable.class,
            disk -> assertThat(disk.problem().what()).startsWith("disk full: 0 MiB free under "));
    assertThat(bench.next()).isEqualTo(new AgentEvent.Exited(ATTEMPT, 0, FailureCause.USER, ""));
  }

  @Test
  void startOnFullDiskIsTold() throws Exception {
    var looks = new AtomicInteger();
    bench.room = () -> looks.getAndIncrement() == 0 ? 0 : 1L << 40;
    start("true");

    assertThat(bench.next()).isInstanceOf(AgentEvent.DiskUnusable.class);
    assertThat(bench.next()).isEqualTo(new AgentEvent.Exited(ATTEMPT, 0, FailureCause.USER, ""));
  }

  @Test
  void signalIs128PlusItsNumber() throws Exception {
    start("sh", "-c", "kill -SEGV $$");

    assertThat(bench.next())
        .isInstanceOfSatisfying(
            AgentEvent.Exited.class, exited -> assertThat(exited.exitCode()).isEqualTo(139));
  }

  @Test
  void endIsReportedAfterLastProcess() throws Exception {
    start("sh", "-c", "setsid sleep 600 & echo $! > {outputFile}");

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    var daemon = Files.readString(file().resolve("out/7")).strip();
    assertThat(ProcessAwait.gone(Long.parseLong(daemon))).isTrue();
  }

  @Test
  void killEndsEscapedChildrenOnce() throws Exception {
    var pipe = root.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    start(
        "sh",
        "-c",
        "trap '' TERM; setsid sh -c 'trap \"\" TERM; echo $$ > " + pipe + "; sleep 600' & wait");
    var child = Long.parseLong(Files.readString(pipe).strip());

    taskExecutor.kill(TestJobs.kill(ATTEMPT, Duration.ofMillis(20)));

    assertThat(bench.next()).isEqualTo(new AgentEvent.Killed(ATTEMPT));
    assertThat(ProcessAwait.gone(child)).isTrue();
    assertThat(bench.events).isEmpty();
    taskExecutor.kill(TestJobs.kill(ATTEMPT, Duration.ZERO));
    assertThat(bench.next()).isEqualTo(new AgentEvent.Killed(ATTEMPT));
  }

  @Test
  void killOfUnknownAttemptIsConfirmedAtOnce() throws Exception {
    taskExecutor.kill(TestJobs.kill(ATTEMPT, Duration.ofHours(1)));

    assertThat(bench.next()).isEqualTo(new AgentEvent.Killed(ATTEMPT));
  }

  @Test
  void killInterruptsDownload() throws Exception {
    objects.put(INPUT, "never comes");
    objects.holdReads();
    start("cat", "{inputFile}");
    objects.awaitReader();

    taskExecutor.kill(TestJobs.kill(ATTEMPT, Duration.ZERO));

    assertThat(bench.next()).isEqualTo(new AgentEvent.InputFound(ATTEMPT, 1));
    assertThat(bench.next()).isEqualTo(new AgentEvent.Killed(ATTEMPT));
  }

  @Test
  void userErrorsAreTheUsersFault() throws Exception {
    start("cat", "{inputFile}");
    assertThat(bench.next())
        .satisfies(event -> assertFailed(event, FailureCause.USER, INPUT + " is not there"));

    taskExecutor.deleteWorkDir(ATTEMPT).get(120, SECONDS);
    start("no-such-program");
    assertThat(bench.next())
        .satisfies(event -> assertFailed(event, FailureCause.USER, "command not found"));

    taskExecutor.deleteWorkDir(ATTEMPT).get(120, SECONDS);
    start("echo", "nul \0 character");
    assertThat(bench.next()).satisfies(event -> assertFailed(event, FailureCause.USER, "NUL"));
  }

  @Test
  void unavailableStoreIsNotTheUsersFault() throws Exception {
    objects.put(INPUT, "x");
    // The look at the input's generation, and its download.
    objects.failNext(2);

    start("cat", "{inputFile}");

    assertThat(bench.next())
        .satisfies(event -> assertFailed(event, FailureCause.INFRASTRUCTURE, "away"));
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

    taskExecutor.start(
        new AgentEffect.Start(
            ATTEMPT,
            TestJobs.jobInfo(Optional.of(url), "cp", "lib/words.txt", "{outputFile}"),
            item(),
            List.of()));

    assertThat(bench.next()).isEqualTo(new AgentEvent.Exited(ATTEMPT, 0, FailureCause.USER, ""));
    assertThat(file().resolve("out/7")).hasContent("from the bundle");
  }

  @Test
  void deletesFolderAfterLogUpload() throws Exception {
    start("echo", "words");
    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);

    taskExecutor.deleteWorkDir(ATTEMPT).get(120, SECONDS);

    assertThat(filesOfAttempts()).isEmpty();
    assertThat(objects.texts("gs://lab/mayfly/.jobs/j1/logs/")).containsExactly("words\n");
  }

  @Test
  void manyAttemptsLeaveNothingBehind() throws Exception {
    for (int i = 0; i < 200; i++) {
      var taskAttempt = new TaskAttempt(new LeaseRef("j1", 0, 1), i);
      taskExecutor.start(
          new AgentEffect.Start(
              taskAttempt, TestJobs.jobInfo(Optional.empty(), "true"), item(), List.of()));
      assertThat(bench.next())
          .isEqualTo(new AgentEvent.Exited(taskAttempt, 0, FailureCause.USER, ""));
      taskExecutor.deleteWorkDir(taskAttempt).get(120, SECONDS);
    }

    assertThat(filesOfAttempts()).isEmpty();
    assertThat(objects.urls()).isEmpty();
  }

  /** A fiftieth of a one-minute task; an idle machine needs some milliseconds. */
  @Test
  @Timeout(60)
  void fiftyEmptyTasksTakeLessThanMinute() throws Exception {
    for (var i = 0; i < 50; i++) {
      var taskAttempt = new TaskAttempt(ATTEMPT.lease(), i);
      taskExecutor.start(
          new AgentEffect.Start(
              taskAttempt, TestJobs.jobInfo(Optional.empty(), "true"), item(), List.of()));
      assertThat(bench.next())
          .isEqualTo(new AgentEvent.Exited(taskAttempt, 0, FailureCause.USER, ""));
      taskExecutor.deleteWorkDir(taskAttempt).get(60, SECONDS);
    }
  }

  private void start(String... command) {
    taskExecutor.start(
        new AgentEffect.Start(
            ATTEMPT, TestJobs.jobInfo(Optional.empty(), command), item(), List.of()));
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

  private static void assertFailed(AgentEvent event, FailureCause failureCause, String words) {
    assertThat(event)
        .isInstanceOfSatisfying(
            AgentEvent.StartFailed.class,
            failed -> {
              assertThat(failed.cause()).isEqualTo(failureCause);
              assertThat(failed.evidence()).contains(words);
            });
  }
}
