package dev.mayfly.agent.task;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.FakeObjects;
import dev.mayfly.agent.logs.Logs;
import dev.mayfly.agent.os.WholeKill;
import dev.mayfly.agent.os.WorkDir;
import dev.mayfly.core.agent.AgentEffect;
import dev.mayfly.core.agent.AgentEvent;
import dev.mayfly.core.agent.Attempt;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskItem;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Secrets in real processes. */
@Timeout(60)
final class SecretTasksTest {
  private static final Workshop.Tools TOOLS = Workshop.Tools.find();
  private static final Attempt ATTEMPT = new Attempt(new LeaseRef("j1", 0, 3), 7);

  @TempDir Path root;
  private final FakeObjects objects = new FakeObjects();
  private final LinkedBlockingQueue<AgentEvent> events = new LinkedBlockingQueue<>();
  private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, String> secrets = new ConcurrentHashMap<>();
  private WorkDir workDir;
  private Logs logs;
  private Tasks tasks;

  @BeforeEach
  void open() throws IOException {
    workDir = WorkDir.open(root.resolve("work"));
    logs =
        new Logs(
            objects, new Logs.Pace(Duration.ofSeconds(2), Duration.ofMinutes(5), 1 << 20), threads);
    tasks =
        new Tasks(
            new Workshop(workDir, CompletableFuture.completedFuture(TOOLS)),
            Map.of("PATH", "/usr/bin:/bin", "KEPT", "yes"),
            Duration.ofSeconds(20),
            objects,
            this::secret,
            logs,
            new Tasks.Outward(threads, events::add));
  }

  @AfterEach
  void close() throws IOException {
    assertThat(WholeKill.earlier(workDir.root(), Duration.ofSeconds(20)).confirmed()).isTrue();
    workDir.close();
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

      assertThat(next()).isEqualTo(new AgentEvent.Exited(attempt, 3, false, "got [secret]"));
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

    assertThat(next())
        .isEqualTo(
            new AgentEvent.StartFailed(ATTEMPT, Cause.USER, "secret none/latest: is not there"));
  }

  private AgentEvent next() throws InterruptedException {
    var event = events.poll(30, SECONDS);
    assertThat(event).isNotNull();
    return event;
  }
}
