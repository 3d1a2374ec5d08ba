package dev.mayfly.agent.runner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.task.TaskExecutorFixture;
import dev.mayfly.agent.task.TestJobs;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.output.ProducedOutput;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Programs of a shell that are given task after task. */
public abstract class RunnerFixture {
  protected static final TaskEnvironment.Runner PLAIN =
      new TaskEnvironment.Runner(Optional.empty(), Optional.empty());

  /** Each task leaves the number of its process, and is answered by {@code answer}, usually. */
  protected static final String LOOP =
      """
      value() { printf '%%s' "$task" | sed -n "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/p"; }
      answer() { printf '{"task":"%%s","exitCode":%%d}\\n' "$(value task)" "$1" >&4; }
      n=0
      while read -r task <&3; do
        n=$((n + 1))
        printf %%s $$ >"$(value output)"
        case "$(value MAYFLY_INDEX)" in
        %s) %s ;;
        *) echo "words of $n"; answer 0 ;;
        esac
      done
      """;

  @TempDir protected Path root;
  protected TaskExecutorFixture bench;

  @BeforeEach
  void open() throws IOException {
    bench = new TaskExecutorFixture(root, reference -> "");
  }

  @AfterEach
  void close() throws IOException {
    bench.close();
  }

  protected final Path pipe() throws Exception {
    var pipe = root.resolve("pipe");
    if (!Files.exists(pipe))
      assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    return pipe;
  }

  protected static String plainly() {
    return LOOP.formatted("none", ":");
  }

  protected static JobInfo job() {
    return job(PLAIN, plainly());
  }

  protected static JobInfo job(TaskEnvironment.Runner rules, String script) {
    return TestJobs.with(
        TaskEnvironment.NONE.with(rules), TestJobs.jobInfo(Optional.empty(), "sh", "-c", script));
  }

  protected static TaskAttempt attempt(long index) {
    return new TaskAttempt(new LeaseRef("j1", 0, 3), index);
  }

  protected final TaskAttempt run(long index) {
    return run(index, job());
  }

  protected final TaskAttempt run(long index, JobInfo jobInfo) {
    start(index, jobInfo);
    return attempt(index);
  }

  protected final void start(long index, JobInfo jobInfo) {
    bench.taskExecutor.start(
        new AgentEffect.Start(attempt(index), jobInfo, TaskItem.counted(index), List.of()));
  }

  protected final AgentEvent.Exited exit(TaskAttempt attempt) throws InterruptedException {
    var event = bench.nextBesidesUse();
    assertThat(event).isInstanceOf(AgentEvent.Exited.class);
    var exited = (AgentEvent.Exited) event;
    assertThat(exited.attempt()).isEqualTo(attempt);
    return exited;
  }

  protected final long process(long index) throws IOException {
    return Long.parseLong(output(index));
  }

  protected final String output(long index) throws IOException {
    var output = (ProducedOutput.OneFile) bench.taskExecutor.producedOutput(attempt(index));
    try (var in = output.content().open()) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  protected final String log(long index) throws Exception {
    bench.logUploader.flush().get(120, SECONDS);
    return bench.objects.text("gs://lab/mayfly/.jobs/j1/logs/%08d/s0e3/00000.log".formatted(index));
  }
}
