package dev.mayfly.agent.task;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.FakeObjects;
import dev.mayfly.agent.container.ContainerEngine;
import dev.mayfly.agent.files.DiskHealth;
import dev.mayfly.agent.files.WorkDir;
import dev.mayfly.agent.logs.LogUploader;
import dev.mayfly.agent.machine.MpsFolders;
import dev.mayfly.agent.process.kill.ProcessTreeKiller;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.port.Secrets;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongSupplier;

/** Real processes in a temporary work directory, with objects in memory. */
public final class TaskExecutorFixture implements AutoCloseable {
  private static final TaskContext.Tools TOOLS = TaskContext.Tools.find();
  private static final Duration GRACE = Duration.ofSeconds(20);

  public final FakeObjects objects = new FakeObjects();
  public final WorkDir workDir;
  public final LogUploader logUploader;
  public final TaskExecutor taskExecutor;

  /** Free bytes on the disk. */
  volatile long free = 1L << 40;

  /** Reads the free bytes. */
  volatile LongSupplier room = () -> free;

  final LinkedBlockingQueue<AgentEvent> events = new LinkedBlockingQueue<>();

  public TaskExecutorFixture(Path root, Secrets secrets) throws IOException {
    this(root, secrets, TaskUsers.NONE);
  }

  TaskExecutorFixture(Path root, Secrets secrets, TaskUsers users) throws IOException {
    this(root, secrets, users, Map.of("PATH", "/usr/bin:/bin", "KEPT", "yes"));
  }

  /**
   * @param environment the base of tasks' environment
   */
  TaskExecutorFixture(Path root, Secrets secrets, TaskUsers users, Map<String, String> environment)
      throws IOException {
    this(root, secrets, users, environment, TOOLS, TaskAccess.NONE);
  }

  /** With what tasks with more rights find. */
  TaskExecutorFixture(
      Path root, TaskUsers users, Map<String, String> environment, TaskAccess access)
      throws IOException {
    this(root, reference -> "", users, environment, TOOLS, access);
  }

  /** Four gibibytes a device, and MPS. */
  private static final TaskContext.Gpus GPUS =
      new TaskContext.Gpus(
          () -> Optional.of(4L << 30), Optional.of(MpsFolders.in(Path.of("/nowhere"))));

  /** With a uv of the agent's own. */
  TaskExecutorFixture(Path root, Path uv) throws IOException {
    this(
        root,
        reference -> "",
        TaskUsers.NONE,
        Map.of("PATH", "/usr/bin:/bin"),
        TOOLS.withUv(Optional.of(uv)),
        TaskAccess.NONE);
  }

  /** With a container engine. */
  TaskExecutorFixture(Path root, TaskUsers users, ContainerEngine engine) throws IOException {
    this(
        root,
        reference -> "",
        users,
        Map.of("PATH", "/usr/bin:/bin"),
        TOOLS.with(engine),
        TaskAccess.NONE);
  }

  private TaskExecutorFixture(
      Path root,
      Secrets secrets,
      TaskUsers users,
      Map<String, String> environment,
      TaskContext.Tools tools,
      TaskAccess access)
      throws IOException {
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    workDir = WorkDir.open(root.resolve("work"));
    logUploader =
        new LogUploader(
            objects,
            new LogUploader.UploadPolicy(Duration.ofSeconds(2), Duration.ofMinutes(5), 1 << 20),
            threads);
    taskExecutor =
        new TaskExecutor(
            new TaskContext(
                workDir,
                new DiskHealth(workDir.root(), () -> room.getAsLong(), () -> 1L << 41),
                CompletableFuture.completedFuture(tools),
                users,
                Map.of(),
                access,
                GPUS),
            environment,
            GRACE,
            objects,
            secrets,
            logUploader,
            new TaskExecutor.ExecutionContext(threads, InstantSource.system(), events::add));
  }

  /** The next event from the tasks. */
  public AgentEvent next() throws InterruptedException {
    var event = events.poll(120, SECONDS);
    assertThat(event).as("an event within two minutes").isNotNull();
    return event;
  }

  /**
   * The next one that says more than what an attempt used, which is told wherever it was looked at.
   */
  public AgentEvent nextBesidesUse() throws InterruptedException {
    var event = next();
    return event instanceof AgentEvent.UseMeasured ? nextBesidesUse() : event;
  }

  /** No process that was started here is left. */
  @Override
  public void close() throws IOException {
    taskExecutor.endRunners().join();
    assertThat(ProcessTreeKiller.killEarlier(workDir.root(), GRACE).confirmed()).isTrue();
    workDir.close();
  }
}
