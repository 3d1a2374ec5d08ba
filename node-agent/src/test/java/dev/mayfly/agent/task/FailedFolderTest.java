package dev.mayfly.agent.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.model.job.TaskItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder of an attempt of a job that says {@code keepFailed}. */
class FailedFolderTest {
  private static final TaskAttempt ATTEMPT = new TaskAttempt(new LeaseRef("j1", 0, 3), 7);

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
  void folderIsToldAndStaysUntilItIsDeleted() throws Exception {
    start(TaskEnvironment.NONE.keepingFailed(Duration.ofMinutes(30)));
    var made = (AgentEvent.FolderMade) bench.next();
    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);

    var left = Path.of(made.path()).resolve("work/left");
    assertThat(left).content().isEqualTo("here\n");

    bench.taskExecutor.deleteWorkDir(ATTEMPT).get(120, TimeUnit.SECONDS);

    assertThat(Files.exists(left)).isFalse();
  }

  @Test
  void otherJobsAreNotTold() throws Exception {
    start(TaskEnvironment.NONE);

    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
  }

  private void start(TaskEnvironment environment) throws IOException {
    var info = TestJobs.jobInfo(Optional.empty(), "sh", "-c", "echo here > left; exit 3");
    var jobInfo = TestJobs.with(environment, info);
    var item = new TaskItem(7, Optional.empty(), Map.of());
    bench.taskExecutor.start(new AgentEffect.Start(ATTEMPT, jobInfo, item, List.of(), Map.of()));
  }
}
