package dev.mayfly.agent.task;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.FakeObjects;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.TaskItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that are asked to end. */
@Timeout(300)
final class GracePeriodTest {
  private static final TaskAttempt ATTEMPT = new TaskAttempt(new LeaseRef("j1", 0, 3), 7);

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

  private void start(String... command) {
    var item = new TaskItem(7, Optional.empty(), Map.of());
    taskExecutor.start(
        new AgentEffect.Start(
            ATTEMPT, TestJobs.jobInfo(Optional.empty(), command), item, List.of()));
  }

  @Test
  void terminatedTaskSeesItsDeadline() throws Exception {
    var pipe = root.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    start(
        "sh",
        "-c",
        "trap 'cat $MAYFLY_NOTICE; exit 0' TERM; [ ! -e $MAYFLY_NOTICE ] || exit 9; echo up > "
            + pipe
            + "; sleep 600 & wait");
    assertThat(Files.readString(pipe)).isEqualTo("up\n");
    var before = Instant.now().minusSeconds(1);

    taskExecutor.kill(TestJobs.kill(ATTEMPT, Duration.ofSeconds(20)));

    assertThat(bench.next()).isEqualTo(new AgentEvent.Killed(ATTEMPT, 0));
    taskExecutor.deleteWorkDir(ATTEMPT).get(120, SECONDS);
    var deadline = objects.texts("gs://lab/mayfly/.jobs/j1/logs/").getFirst().strip();
    assertThat(Instant.parse(deadline))
        .isBetween(before.plusSeconds(20), Instant.now().plusSeconds(20));
  }

  @Test
  void exitCodeWithinGraceIsKept() throws Exception {
    var pipe = root.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    start("sh", "-c", "trap 'exit 143' TERM; echo up > " + pipe + "; sleep 600 & wait");
    assertThat(Files.readString(pipe)).isEqualTo("up\n");

    taskExecutor.kill(TestJobs.kill(ATTEMPT, Duration.ofSeconds(20)));

    assertThat(bench.next()).isEqualTo(new AgentEvent.Killed(ATTEMPT, 143));
  }
}
