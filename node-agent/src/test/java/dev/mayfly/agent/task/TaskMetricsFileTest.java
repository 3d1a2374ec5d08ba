package dev.mayfly.agent.task;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.StopReason;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.MetricsRow;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What real tasks tell and are told while they run. */
@Timeout(120)
final class TaskMetricsFileTest {
  private static final TaskAttempt ATTEMPT = new TaskAttempt(new LeaseRef("j1", 0, 3), 7);

  private static final String HISTORY = "gs://lab/mayfly/.jobs/j1/logs/metrics/00000007/";

  @TempDir Path root;
  private TaskExecutorFixture bench;
  private Path pipe;

  @BeforeEach
  void open() throws Exception {
    bench = new TaskExecutorFixture(root, reference -> "");
    pipe = root.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
  }

  @AfterEach
  void close() throws IOException {
    bench.close();
  }

  @Test
  void runningTaskReportsItsNewestValues() throws Exception {
    start(
        "echo '{\"step\": 1, \"acc\": 0.5}' >> $MAYFLY_METRICS;"
            + " echo '{\"step\": 2}' >> $MAYFLY_METRICS; printf '{\"half' >> $MAYFLY_METRICS;"
            + " echo ready > %1$s; cat %1$s");
    Files.readString(pipe);

    // The process may be here before its start is noted; an agent observes every second.
    while (bench.events.isEmpty()) bench.taskExecutor.observe();
    assertThat(bench.next())
        .isEqualTo(new AgentEvent.MetricsRead(ATTEMPT, Map.of("step", 2.0, "acc", 0.5)));
    bench.taskExecutor.observe();
    assertThat(bench.events).isEmpty();

    Files.writeString(pipe, "go");
    assertThat(bench.next())
        .as("what the processes that were looked at used")
        .isInstanceOfSatisfying(
            AgentEvent.UseMeasured.class,
            measured -> assertThat(measured.use().peakMemory()).isPositive());
    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
  }

  @Test
  void lastValuesPrecedeTheEnd() throws Exception {
    start("printf '{\"acc\": 0.9}' >> $MAYFLY_METRICS");

    assertThat(bench.next()).isEqualTo(new AgentEvent.MetricsRead(ATTEMPT, Map.of("acc", 0.9)));
    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
  }

  @Test
  void historyIsStoredWhenTheAttemptFails() throws Exception {
    start(
        "for i in 1 2 3; do echo '{\"step\": '$i', \"loss\": 0.5}' >> $MAYFLY_METRICS; done;"
            + " echo '{\"loss\": NaN}' >> $MAYFLY_METRICS; exit 3");

    while (!(bench.next() instanceof AgentEvent.Exited)) {
      // Its last values precede its end.
    }

    assertThat(bench.objects.urls()).contains(HISTORY + "s0e3/00000.metrics.jsonl");
    assertThat(history())
        .containsExactly(
            Map.of("step", 1.0, "loss", 0.5),
            Map.of("step", 2.0, "loss", 0.5),
            Map.of("step", 3.0, "loss", 0.5),
            Map.of("step", 3.0));
  }

  @Test
  void historyIsStoredWhenTheAttemptIsKilled() throws Exception {
    start("echo '{\"step\": 1}' >> $MAYFLY_METRICS; echo ready > %1$s; exec sleep 600");
    Files.readString(pipe);

    bench.taskExecutor.kill(TestJobs.kill(ATTEMPT, Duration.ZERO, StopReason.PREEMPTED));
    while (!(bench.next() instanceof AgentEvent.Killed)) {
      // Its last values precede its end.
    }
    bench.taskExecutor.logUploaded(ATTEMPT).get(60, TimeUnit.SECONDS);

    assertThat(history()).containsExactly(Map.of("step", 1.0));
  }

  @Test
  void taskWithoutMetricsHasNoHistory() throws Exception {
    start("echo nothing > $MAYFLY_METRICS");

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    bench.taskExecutor.logUploaded(ATTEMPT).get(60, TimeUnit.SECONDS);
    assertThat(bench.objects.urls()).noneMatch(url -> url.startsWith(HISTORY));
  }

  /** Reports of a gang's metrics are rank 0's too. */
  @Test
  void laterHostsOfAGangHaveNoHistory() throws Exception {
    var command = "echo '{\"step\": 1}' >> $MAYFLY_METRICS";
    bench.taskExecutor.start(
        new AgentEffect.Start(
            ATTEMPT,
            TestJobs.jobInfo(Optional.empty(), "sh", "-c", command),
            TaskItem.counted(7),
            List.of(),
            Map.of("MAYFLY_RANK", "1")));

    while (!(bench.next() instanceof AgentEvent.Exited)) {
      // Its last values precede its end.
    }
    bench.taskExecutor.logUploaded(ATTEMPT).get(60, TimeUnit.SECONDS);

    assertThat(bench.objects.urls()).noneMatch(url -> url.startsWith(HISTORY));
  }

  /** What the only object has. */
  private List<Map<String, Double>> history() {
    var lines = bench.objects.texts(HISTORY);
    assertThat(lines).hasSize(1);
    return Wire.shared().metrics(lines.getFirst().getBytes(UTF_8)).stream()
        .map(MetricsRow::values)
        .toList();
  }

  @Test
  void newestOfManyLinesCount() throws Exception {
    start(
        "i=0; while [ $i -lt 9000 ]; do i=$((i+1)); echo \"{\\\"step\\\": $i}\"; done >> $MAYFLY_METRICS");

    assertThat(bench.next()).isEqualTo(new AgentEvent.MetricsRead(ATTEMPT, Map.of("step", 9000.0)));
  }

  @Test
  void linkIsNotFollowed() throws Exception {
    Files.writeString(root.resolve("secret"), "{\"key\": 1}\n");
    start("ln -s " + root.resolve("secret") + " $MAYFLY_METRICS");

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
  }

  /** The task exchanges its file and a pipe as fast as it can, while the agent reads. */
  @Test
  void pipeInTheFilesPlaceHoldsNothingUp() throws Exception {
    Files.writeString(
        root.resolve("swap.py"),
        """
        import ctypes, os, time
        file = os.fsencode(os.environ["MAYFLY_METRICS"])
        pipe = file + b".pipe"
        os.mkfifo(pipe)
        open(file, "w").write("{}\\n")
        swap = ctypes.CDLL(None).renameat2
        end = time.monotonic() + 3
        while time.monotonic() < end:
            for _ in range(2000): swap(-100, file, -100, pipe, 2)
            longer = file if os.path.isfile(file) else pipe
            open(longer, "a").write("{}\\n")
        """);
    start("exec python3 " + root.resolve("swap.py"));

    // In a thread of its own, because nothing frees one that waits for the pipe's other end.
    var observed =
        CompletableFuture.runAsync(() -> {
          while (bench.events.stream().noneMatch(AgentEvent.Exited.class::isInstance))
            bench.taskExecutor.observe();
        });
    observed.get(60, TimeUnit.SECONDS);
  }

  @Test
  void stopFilePrecedesSignalAndSaysWhy() throws Exception {
    start(
        "trap 'cat $MAYFLY_STOP > %1$s.why; exit 0' TERM; echo ready > %1$s; while :; do sleep 0.02; done");
    Files.readString(pipe);

    bench.taskExecutor.kill(TestJobs.kill(ATTEMPT, Duration.ofSeconds(60), StopReason.PREEMPTED));

    assertThat(bench.next()).isEqualTo(new AgentEvent.Killed(ATTEMPT, 0));
    assertThat(root.resolve("pipe.why")).hasContent("preempted\n");
  }

  private void start(String script) {
    var command = script.contains("%1$s") ? script.formatted(pipe) : script;
    bench.taskExecutor.start(
        new AgentEffect.Start(
            ATTEMPT,
            TestJobs.jobInfo(Optional.empty(), "sh", "-c", command),
            TaskItem.counted(7),
            List.of()));
  }
}
