package dev.mayfly.agent;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.files.WorkDir;
import dev.mayfly.agent.logs.LogUploader;
import dev.mayfly.agent.task.TaskContext;
import dev.mayfly.agent.task.TaskContexts;
import dev.mayfly.agent.task.TaskExecutor;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.output.ObjectEffectExecutor;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Unexpected exceptions in the work for one effect fail that effect only. */
@Timeout(120)
final class EffectExecutorTest {
  private static final TaskAttempt ATTEMPT = new TaskAttempt(new LeaseRef("j1", 0, 3), 7);

  @TempDir Path root;
  private WorkDir workDir;
  private EffectExecutor effectExecutor;
  private final LinkedBlockingQueue<AgentEvent> events = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<Throwable> uncaught = new LinkedBlockingQueue<>();

  @BeforeEach
  void open() throws IOException {
    var threads = Thread.ofVirtual().uncaughtExceptionHandler((_, e) -> uncaught.add(e)).factory();
    Executor each = work -> threads.newThread(work).start();
    workDir = WorkDir.open(root.resolve("work"));
    var uploadPolicy =
        new LogUploader.UploadPolicy(Duration.ofSeconds(2), Duration.ofMinutes(5), 1 << 20);
    var logUploader = new LogUploader(new FakeObjects(), uploadPolicy, each);
    var executionContext =
        new TaskExecutor.ExecutionContext(each, InstantSource.system(), events::add);
    var taskContext = TaskContexts.of(workDir, TaskContext.Tools.find());
    var taskExecutor =
        new TaskExecutor(
            taskContext,
            Map.of(),
            Duration.ofSeconds(20),
            new FakeObjects(),
            reference -> "",
            logUploader,
            executionContext);
    effectExecutor =
        new EffectExecutor(
            new SyncClient("http://127.0.0.1:1", "", Optional.empty(), each, events::add),
            taskExecutor,
            logUploader,
            new ObjectEffectExecutor(broken(), Wire.codec(), "w1"),
            new AgentExit(Duration.ofSeconds(1)),
            executionContext);
  }

  @AfterEach
  void close() throws IOException {
    workDir.close();
  }

  private static ObjectStore broken() {
    return (ObjectStore)
        Proxy.newProxyInstance(
            EffectExecutorTest.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (self, method, arguments) -> {
              throw new IllegalStateException("who expects this?");
            });
  }

  private AgentEvent run(AgentEffect effect) throws InterruptedException {
    effectExecutor.accept(effect);
    var event = events.poll(60, SECONDS);
    assertThat(uncaught).isEmpty();
    assertThat(event).isNotNull();
    return event;
  }

  @Test
  void bugInFetchIsFailedFetch() throws Exception {
    assertThat(run(new AgentEffect.FetchTaskList("j1", 4, ObjectUrl.of("gs://lab/list"))))
        .isInstanceOfSatisfying(
            AgentEvent.TaskListFetchFailed.class,
            e -> {
              assertThat(e.chunk()).isEqualTo(4);
              assertThat(e.reason()).contains("a bug in Mayfly", "who expects this?");
            });
  }

  private static AgentEffect.Seal seal() {
    var sentinel =
        new Sentinel(
            "j1",
            7,
            "s0e3",
            "gs://lab/o",
            1,
            2,
            "",
            "w1",
            java.time.Instant.EPOCH,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    return new AgentEffect.Seal(ATTEMPT, ObjectUrl.of("gs://lab/o.COMPLETE"), sentinel, false);
  }

  @Test
  void bugInSealFailsItsAttempt() throws Exception {
    assertThat(run(seal()))
        .isInstanceOfSatisfying(
            AgentEvent.PublishCrashed.class, e -> assertThat(e.reason()).contains("who expects"));
  }

  @Test
  void bugInSealingTogetherFailsAllAttempts() throws Exception {
    var together = new AgentEffect.SealTogether("j1", "gs://lab", List.of(seal(), seal()));

    assertThat(run(together))
        .isInstanceOfSatisfying(
            AgentEvent.SealedTogether.class,
            e ->
                assertThat(e.ends())
                    .hasSize(2)
                    .allMatch(end -> end instanceof AgentEvent.PublishCrashed));
  }
}
