package dev.mayfly.agent;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.logs.Logs;
import dev.mayfly.agent.os.Disk;
import dev.mayfly.agent.os.WorkDir;
import dev.mayfly.agent.task.TaskUsers;
import dev.mayfly.agent.task.Tasks;
import dev.mayfly.agent.task.Workshop;
import dev.mayfly.core.agent.AgentEffect;
import dev.mayfly.core.agent.AgentEvent;
import dev.mayfly.core.agent.Attempt;
import dev.mayfly.core.agent.Publication;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What nobody expected to be thrown by the work for one effect is that effect's failure. */
@Timeout(120)
final class PerformerTest {
  private static final Attempt ATTEMPT = new Attempt(new LeaseRef("j1", 0, 3), 7);

  @TempDir Path root;
  private WorkDir workDir;
  private Performer performer;
  private final LinkedBlockingQueue<AgentEvent> events = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<Throwable> uncaught = new LinkedBlockingQueue<>();

  @BeforeEach
  void open() throws IOException {
    var threads = Thread.ofVirtual().uncaughtExceptionHandler((_, e) -> uncaught.add(e)).factory();
    Executor each = work -> threads.newThread(work).start();
    workDir = WorkDir.open(root.resolve("work"));
    var pace = new Logs.Pace(Duration.ofSeconds(2), Duration.ofMinutes(5), 1 << 20);
    var logs = new Logs(new FakeObjects(), pace, each);
    var outward = new Tasks.Outward(each, events::add);
    var workshop =
        new Workshop(
            workDir,
            new Disk(workDir),
            CompletableFuture.completedFuture(Workshop.Tools.find()),
            TaskUsers.NONE);
    var tasks =
        new Tasks(
            workshop,
            Map.of(),
            Duration.ofSeconds(20),
            new FakeObjects(),
            reference -> "",
            logs,
            outward);
    performer =
        new Performer(
            new SyncCalls("http://127.0.0.1:1", Optional.empty(), each, events::add),
            tasks,
            logs,
            new Publication(broken(), Wire.codec(), "w1"),
            new Ending(Duration.ofSeconds(1)),
            outward);
  }

  @AfterEach
  void close() throws IOException {
    workDir.close();
  }

  private static Objects broken() {
    return (Objects)
        Proxy.newProxyInstance(
            PerformerTest.class.getClassLoader(),
            new Class<?>[] {Objects.class},
            (self, method, arguments) -> {
              throw new IllegalStateException("who expects this?");
            });
  }

  private AgentEvent told(AgentEffect effect) throws InterruptedException {
    performer.accept(effect);
    var event = events.poll(60, SECONDS);
    assertThat(uncaught).isEmpty();
    assertThat(event).isNotNull();
    return event;
  }

  @Test
  void mistakeInFetchIsFailedFetch() throws Exception {
    assertThat(told(new AgentEffect.Fetch("j1", 4, Url.of("gs://lab/list"))))
        .isInstanceOfSatisfying(
            AgentEvent.FetchFailed.class,
            e -> {
              assertThat(e.chunk()).isEqualTo(4);
              assertThat(e.reason()).contains("a mistake in Mayfly", "who expects this?");
            });
  }

  @Test
  void mistakeInSealFailsItsAttempt() throws Exception {
    var sentinel =
        new Sentinel("j1", 7, "s0e3", "gs://lab/o", 1, 2, "", "w1", java.time.Instant.EPOCH);

    assertThat(told(new AgentEffect.Seal(ATTEMPT, Url.of("gs://lab/o.COMPLETE"), sentinel)))
        .isInstanceOfSatisfying(
            AgentEvent.PublishBroken.class, e -> assertThat(e.reason()).contains("who expects"));
  }
}
