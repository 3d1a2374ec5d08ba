package dev.mayfly.agent.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.FakeObjects;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.TaskItem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Secrets in real processes. */
@Timeout(300)
final class TaskSecretsTest {
  private static final TaskAttempt ATTEMPT = new TaskAttempt(new LeaseRef("j1", 0, 3), 7);

  @TempDir Path root;
  private final Map<String, String> secrets = new ConcurrentHashMap<>();
  private TaskExecutorFixture bench;
  private FakeObjects objects;
  private TaskExecutor taskExecutor;

  @BeforeEach
  void open() throws IOException {
    bench = new TaskExecutorFixture(root, this::secret);
    objects = bench.objects;
    taskExecutor = bench.taskExecutor;
  }

  @AfterEach
  void close() throws IOException {
    bench.close();
  }

  private String secret(String reference) {
    return Optional.ofNullable(secrets.get(reference))
        .orElseThrow(() -> new InvalidInputException("secret " + reference, "is not there"));
  }

  @Test
  void secretIsReadAtEachStartAndMasked() throws Exception {
    var command = List.of("sh", "-c", "echo got $KEY >&2; exit 3");
    for (var value : List.of("first-canary", "second-canary")) {
      secrets.put("wandb/latest", value);
      var taskAttempt = new TaskAttempt(new LeaseRef("j1", 0, 3), value.length());
      taskExecutor.start(
          new AgentEffect.Start(
              taskAttempt,
              TestJobs.secretly(Map.of("KEY", "wandb/latest"), command),
              TaskItem.counted(value.length()),
              List.of()));

      assertThat(bench.next())
          .isEqualTo(new AgentEvent.Exited(taskAttempt, 3, FailureCause.USER, "got [secret]"));
      var log = "gs://lab/mayfly/.jobs/j1/logs/%08d/s0e3/00000.log".formatted(value.length());
      assertThat(objects.text(log)).isEqualTo("got " + "*".repeat(value.length()) + "\n");
    }
  }

  @Test
  void missingSecretIsNamedWithoutStart() throws Exception {
    taskExecutor.start(
        new AgentEffect.Start(
            ATTEMPT,
            TestJobs.secretly(Map.of("KEY", "none/latest"), List.of("touch", "ran")),
            TaskItem.counted(7),
            List.of()));

    assertThat(bench.next())
        .isEqualTo(
            new AgentEvent.StartFailed(
                ATTEMPT,
                FailureCause.USER,
                false,
                "secret none/latest: is not there",
                AgentEvent.Prospect.NONE));
  }
}
