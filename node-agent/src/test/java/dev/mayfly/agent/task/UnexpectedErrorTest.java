package dev.mayfly.agent.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.TaskItem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An unexpected exception ends one attempt and no others. */
@Timeout(300)
final class UnexpectedErrorTest {
  private static final TaskAttempt ATTEMPT = new TaskAttempt(new LeaseRef("j1", 0, 3), 7);
  private static final TaskAttempt OTHER = new TaskAttempt(new LeaseRef("j1", 0, 3), 8);

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

  private void start(TaskAttempt taskAttempt, String... command) {
    var item = new TaskItem(taskAttempt.index(), Optional.empty(), Map.of());
    bench.taskExecutor.start(
        new AgentEffect.Start(
            taskAttempt, TestJobs.jobInfo(Optional.empty(), command), item, List.of()));
  }

  @Test
  void bugAtExitFailsThatAttemptOnly() throws Exception {
    var looks = new AtomicInteger();
    bench.room =
        () -> {
          if (looks.getAndIncrement() != 1) return 1L << 40;
          throw new IllegalStateException("who expects this?");
        };
    start(ATTEMPT, "sh", "-c", "exit 3");

    var event = bench.next();

    assertThat(event)
        .isInstanceOfSatisfying(
            AgentEvent.Exited.class,
            e -> {
              assertThat(e.attempt()).isEqualTo(ATTEMPT);
              assertThat(e.exitCode()).isEqualTo(3);
              assertThat(e.cause()).isEqualTo(FailureCause.INFRASTRUCTURE);
              assertThat(e.evidence()).contains("a bug in Mayfly", "who expects this?");
            });
    start(OTHER, "sh", "-c", "exit 0");
    assertThat(bench.next())
        .isInstanceOfSatisfying(
            AgentEvent.Exited.class, e -> assertThat(e.exitCode()).isEqualTo(0));
  }
}
