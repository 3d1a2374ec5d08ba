package dev.mayfly.agent.task;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.model.job.TaskItem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job's own limit of its logs, with real processes. */
class TaskLogLimitTest {
  private static final String LOGS = "gs://lab/mayfly/.jobs/j1/logs/00000007/";

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
  void aLongLogKeepsItsBeginningAndItsEnd() throws Exception {
    run(Optional.of(65_536L), "echo first; seq 100000 140000; echo last");

    var log = String.join("", bench.objects.texts(LOGS));
    assertThat(log).startsWith("first\n100000\n").endsWith("140000\nlast\n");
    assertThat(log).contains("--- mayfly: ", " bytes of this log are left out here ---");
    assertThat(log.length()).isBetween(65_536, 65_536 + 300);
  }

  @Test
  void withoutALimitTheAgentsHolds() throws Exception {
    run(Optional.empty(), "echo first; seq 100000 140000; echo last");

    assertThat(String.join("", bench.objects.texts(LOGS)))
        .hasSize(40_001 * 7 + 11)
        .doesNotContain("left out");
  }

  private void run(Optional<Long> limit, String script) throws Exception {
    var environment =
        new TaskEnvironment(Optional.empty(), Optional.empty(), Optional.empty(), limit);
    var jobInfo =
        TestJobs.with(environment, TestJobs.jobInfo(Optional.empty(), "sh", "-c", script));
    var attempt = new TaskAttempt(new LeaseRef("j1", 0, 3), 7);
    var item = new TaskItem(7, Optional.empty(), Map.of());
    bench.taskExecutor.start(new AgentEffect.Start(attempt, jobInfo, item, List.of(), Map.of()));
    assertThat(bench.next()).isInstanceOf(AgentEvent.Exited.class);
    bench.logUploader.flush().get(120, SECONDS);
  }
}
