package dev.mayfly.agent.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.FakeObjects;
import dev.mayfly.core.agent.AgentEffect;
import dev.mayfly.core.agent.AgentEvent;
import dev.mayfly.core.agent.Attempt;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskItem;
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
final class SecretTasksTest {
  private static final Attempt ATTEMPT = new Attempt(new LeaseRef("j1", 0, 3), 7);

  @TempDir Path root;
  private final Map<String, String> secrets = new ConcurrentHashMap<>();
  private TaskBench bench;
  private FakeObjects objects;
  private Tasks tasks;

  @BeforeEach
  void open() throws IOException {
    bench = new TaskBench(root, this::secret);
    objects = bench.objects;
    tasks = bench.tasks;
  }

  @AfterEach
  void close() throws IOException {
    bench.close();
  }

  private String secret(String reference) {
    return Optional.ofNullable(secrets.get(reference))
        .orElseThrow(() -> new Invalid("secret " + reference, "is not there"));
  }

  @Test
  void aSecretIsReadAtEachStartAndIsHiddenInWhatIsTold() throws Exception {
    var command = List.of("sh", "-c", "echo got $KEY >&2; exit 3");
    for (var value : List.of("first-canary", "second-canary")) {
      secrets.put("wandb/latest", value);
      var attempt = new Attempt(new LeaseRef("j1", 0, 3), value.length());
      tasks.start(
          new AgentEffect.Start(
              attempt,
              Sheets.secretly(Map.of("KEY", "wandb/latest"), command),
              TaskItem.counted(value.length()),
              List.of()));

      assertThat(bench.next())
          .isEqualTo(new AgentEvent.Exited(attempt, 3, Cause.USER, "got [secret]"));
      var log = "gs://lab/mayfly/.jobs/j1/logs/%08d/s0e3/00000.log".formatted(value.length());
      assertThat(objects.text(log)).isEqualTo("got " + "*".repeat(value.length()) + "\n");
    }
  }

  @Test
  void aSecretThatIsNotThereIsNamedAndNothingIsStarted() throws Exception {
    tasks.start(
        new AgentEffect.Start(
            ATTEMPT,
            Sheets.secretly(Map.of("KEY", "none/latest"), List.of("touch", "ran")),
            TaskItem.counted(7),
            List.of()));

    assertThat(bench.next())
        .isEqualTo(
            new AgentEvent.StartFailed(
                ATTEMPT, Cause.USER, false, "secret none/latest: is not there"));
  }
}
