package dev.mayfly.agent.task;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.StopReason;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.model.job.TaskItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real tasks that continue where an earlier attempt ended. */
@Timeout(120)
final class TaskCheckpointTest {
  private static final String COUNT =
      "n=$(cat $MAYFLY_CHECKPOINT/n 2>/dev/null || echo 0); echo $((n+1)) > $MAYFLY_CHECKPOINT/n; ";

  @TempDir Path root;
  private TaskExecutorFixture bench;

  @BeforeEach
  void open() throws IOException {
    bench = new TaskExecutorFixture(root, reference -> "");
  }

  @AfterEach
  void close() throws IOException {
    bench.close();
  }

  @Test
  void nextAttemptFindsWhatFailedOneLeft() throws Exception {
    start(1, "gs://lab/ck/{index}/", Map.of(), COUNT + "exit 3");
    assertExited(3);
    start(2, "gs://lab/ck/{index}/", Map.of(), COUNT + "cat $MAYFLY_CHECKPOINT/n");
    assertThat(bench.next())
        .isInstanceOfSatisfying(
            AgentEvent.CheckpointRestored.class,
            from -> assertThat(from.checkpoint()).startsWith("checkpoint 1, stored at "));
    assertExited(0);

    bench.logUploader.flush().get(60, SECONDS);
    assertThat(bench.objects.text("gs://lab/mayfly/.jobs/j1/logs/00000007/s0e2/00000.log"))
        .startsWith("mayfly: continues from checkpoint 1, stored at ")
        .endsWith(" by attempt s0e1 of this job, with other command or environment\n2\n");
  }

  @Test
  void preemptedTaskSavesWithinItsGrace() throws Exception {
    var pipe = root.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    start(
        1,
        "gs://lab/ck/{index}/",
        Map.of(),
        "trap '" + COUNT + "exit 0' TERM; echo > " + pipe + "; while :; do sleep 0.02; done");
    Files.readString(pipe);

    bench.taskExecutor.kill(
        TestJobs.kill(attempt(1), Duration.ofSeconds(60), StopReason.PREEMPTED));

    assertThat(bench.next()).isInstanceOf(AgentEvent.CheckpointStored.class);
    assertThat(bench.next()).isEqualTo(new AgentEvent.Killed(attempt(1), 0));
    assertThat(bench.objects.urls()).contains("gs://lab/ck/7/manifests/000000000001-s0e1.json");
  }

  @Test
  void killWaitsForTheCheckpointBeingStored() throws Exception {
    var pipe = root.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    start(
        1,
        "gs://lab/ck/{index}/",
        Map.of(),
        "trap '" + COUNT + "exit 0' TERM; echo > " + pipe + "; while :; do sleep 0.02; done");
    Files.readString(pipe);
    bench.objects.holdCreations();
    var grace = Duration.ofSeconds(60);
    bench.taskExecutor.kill(TestJobs.kill(attempt(1), grace, StopReason.DRAINED));
    bench.objects.awaitCreator();

    bench.taskExecutor.kill(TestJobs.kill(attempt(1), Duration.ZERO, StopReason.DRAINED));
    bench.objects.releaseCreations();

    assertThat(bench.next()).isInstanceOf(AgentEvent.CheckpointStored.class);
    assertThat(bench.next()).isEqualTo(new AgentEvent.Killed(attempt(1), 0));
    assertThat(bench.next()).isEqualTo(new AgentEvent.Killed(attempt(1), 0));
    assertThat(bench.objects.urls()).contains("gs://lab/ck/7/manifests/000000000001-s0e1.json");
  }

  /** The line is in the log before the log is stored, and so is no later one. */
  @Test
  void logSaysWhatTheLastCheckpointLacks() throws Exception {
    start(1, "gs://lab/ck/{index}/", Map.of(), "ln -s / $MAYFLY_CHECKPOINT/root; " + COUNT);
    assertExited(0);

    bench.logUploader.flush().get(60, SECONDS);
    assertThat(bench.objects.texts("gs://lab/mayfly/.jobs/j1/logs/"))
        .singleElement()
        .asString()
        .startsWith(
            "mayfly: left out of the checkpoint: 'root' is a link to /, which leads outside");
  }

  @Test
  void uploadBeyondItsTimeIsSaid() throws Exception {
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    var checkpoints =
        new TaskCheckpoints(
            bench.objects,
            new TaskExecutor.ExecutionContext(threads, InstantSource.system(), _ -> {}));
    var state = new AttemptState(attempt(1));
    try (var dir = bench.workDir.attempt()) {
      state.setDir(dir);
      checkpoints.restore(state, order(1, "gs://lab/ck/{index}/", Map.of(), "true"), dir);
      Files.writeString(dir.checkpoint().resolve("n"), "1");
      bench.objects.holdCreations();

      checkpoints.finish(state, Duration.ZERO);

      bench.objects.releaseCreations();
      assertThat(new String(dir.log().read(0, dir.log().size()), UTF_8))
          .isEqualTo(
              "mayfly: the last checkpoint was not stored: its upload takes longer than 0 s\n");
      threads.close();
    }
  }

  @Test
  void onlyRankZeroStores() throws Exception {
    start(1, "gs://lab/ck/", Map.of("MAYFLY_RANK", "1"), COUNT);
    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);

    assertThat(bench.objects.urls().stream().filter(url -> url.startsWith("gs://lab/ck/")))
        .isEmpty();
  }

  @Test
  void unavailableStoreIsNotTheUsersFault() throws Exception {
    bench.objects.failNext(1);
    start(1, "gs://lab/ck/{index}/", Map.of(), COUNT);

    assertThat(bench.next())
        .isInstanceOfSatisfying(
            AgentEvent.StartFailed.class,
            failed -> assertThat(failed.cause()).isEqualTo(FailureCause.INFRASTRUCTURE));
  }

  private void start(int epoch, String place, Map<String, String> peers, String script) {
    bench.taskExecutor.start(order(epoch, place, peers, script));
  }

  private static AgentEffect.Start order(
      int epoch, String place, Map<String, String> peers, String script) {
    var environment = TaskEnvironment.NONE.withCheckpoint(Optional.of(place));
    var jobInfo =
        TestJobs.with(environment, TestJobs.jobInfo(Optional.empty(), "sh", "-c", script));
    return new AgentEffect.Start(attempt(epoch), jobInfo, TaskItem.counted(7), List.of(), peers);
  }

  private static TaskAttempt attempt(int epoch) {
    return new TaskAttempt(new LeaseRef("j1", 0, epoch), 7);
  }

  private void assertExited(int code) throws InterruptedException {
    assertThat(bench.next()).isInstanceOf(AgentEvent.CheckpointStored.class);
    assertThat(bench.next())
        .isInstanceOfSatisfying(
            AgentEvent.Exited.class, end -> assertThat(end.exitCode()).isEqualTo(code));
  }
}
