package dev.mayfly.agent.runner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.files.DiskHealth;
import dev.mayfly.agent.files.LastingFolders;
import dev.mayfly.agent.files.WorkDir;
import dev.mayfly.agent.process.CommandLauncher;
import dev.mayfly.agent.process.LaunchSteps;
import dev.mayfly.agent.process.ProcessAwait;
import dev.mayfly.agent.process.ProcessCommand;
import dev.mayfly.agent.process.ProcessExit;
import dev.mayfly.agent.process.ResourceLimits;
import dev.mayfly.agent.process.kill.OrphanReaper;
import dev.mayfly.agent.process.kill.ProcessTreeKiller;
import dev.mayfly.agent.process.kill.TaskMarkers;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.wire.RunnerTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One program of a shell that is given tasks. */
@Timeout(120)
final class RunnerTest {
  private static final RunnerKey KEY = key(List.of());
  private static final TaskEnvironment.Runner RULES =
      new TaskEnvironment.Runner(Optional.empty(), Optional.empty());

  @TempDir Path root;
  private WorkDir workDir;
  private RunnerPool pool;

  /** How often something was done beside the runner. */
  private final AtomicInteger works = new AtomicInteger();

  private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();

  @BeforeEach
  void open() throws IOException {
    workDir = WorkDir.open(root.resolve("work"));
    var killer =
        new ProcessTreeKiller(
            workDir.root(), OrphanReaper::adopt, () -> pool.processes(), Duration.ofSeconds(20));
    pool =
        new RunnerPool(
            killer, new LastingFolders(workDir, new DiskHealth(workDir)), this::inThread);
  }

  private void inThread(Runnable work) {
    works.incrementAndGet();
    threads.execute(work);
  }

  @AfterEach
  void close() throws IOException {
    pool.stopAll().join();
    workDir.close();
  }

  /** Its first task is answered, and the next one is never read. */
  @Test
  void taskThatWasNotReadIsNotAtFault() throws Exception {
    var begun = start("read -r task <&3; echo '{\"task\":\"a\",\"exitCode\":0}' >&4; sleep 600");
    var first = begun.task();
    assertThat(first.task().exit().get(60, SECONDS)).isEqualTo(new ProcessExit.Code(0));
    first.bounds().close();
    var again = pool.take(KEY).orElseThrow();
    var dir = workDir.attempt();
    var second = again.give(task("b"), dir).orElseThrow();

    ProcessHandle.of(begun.runner().pid()).orElseThrow().destroyForcibly();

    assertThat(second.task().exit().get(60, SECONDS)).isEqualTo(new ProcessExit.Signal(9));
    assertThat(second.bounds().neverBegan(137)).isTrue();
    assertThat(new String(dir.log().read(0, 1000), UTF_8))
        .isEqualTo("mayfly: the runner had ended by itself before it read this task\n");
    second.bounds().close();
    assertThat(pool.processes()).isEmpty();
  }

  /** A program that cannot even begin is the user's. */
  @Test
  void firstTaskIsAtFaultReadOrNot() throws Exception {
    var only = start("exit 3").task();

    assertThat(only.task().exit().get(60, SECONDS)).isEqualTo(new ProcessExit.Code(3));
    assertThat(only.bounds().neverBegan(3)).isFalse();
    only.bounds().close();
  }

  /** It does not end when it is asked to, and writes on for the whole grace. */
  @Test
  void garbageWithoutTaskEndsItOnce() throws Exception {
    var begun =
        start(
            "trap '' TERM; read -r task <&3; echo '{\"task\":\"a\",\"exitCode\":0}' >&4;"
                + " read -r go <&3; cat /dev/zero >&4");
    var only = begun.task();
    assertThat(only.task().exit().get(60, SECONDS)).isEqualTo(new ProcessExit.Code(0));
    only.bounds().close();
    var before = works.get();

    Files.writeString(begun.runner().tasks(), "go\n");

    assertThat(ProcessAwait.gone(begun.runner().pid())).isTrue();
    assertThat(works.get() - before).isLessThanOrEqualTo(3);
    assertThat(pool.take(KEY)).isEmpty();
  }

  @Test
  void idleOnesStayTogetherOnDifferentDevices() {
    assertThat(key(List.of(0)).isBeside(key(List.of(1)))).isTrue();
    assertThat(key(List.of(0, 1)).isBeside(key(List.of(1)))).isFalse();
    assertThat(key(List.of()).isBeside(key(List.of(1)))).isFalse();
    var other = new RunnerKey("j2", List.of("sh"), Map.of(), Optional.empty(), List.of(1));
    assertThat(key(List.of(0)).isBeside(other)).isFalse();
  }

  private static RunnerKey key(List<Integer> gpus) {
    return new RunnerKey("j1", List.of("sh"), Map.of(), Optional.empty(), gpus);
  }

  private record Begun(Runner runner, Runner.Given task) {}

  /** A runner whose first task is called a. */
  private Begun start(String script) throws IOException {
    var dir = workDir.attempt();
    var runner = pool.add("j1/0/s0e1/runner", KEY, RULES, dir);
    runner.setBounds(ResourceLimits.counting());
    var given = runner.give(task("a"), workDir.attempt()).orElseThrow();
    var variables = new HashMap<>(TaskMarkers.of(workDir.root(), runner.id()));
    variables.put("PATH", "/usr/bin:/bin");
    var pipes = Optional.of(new LaunchSteps.Pipes(runner.tasks(), runner.answers()));
    var command =
        new ProcessCommand(List.of("sh", "-c", script), variables, dir.work(), runner.output())
            .withSteps(new LaunchSteps(Optional.empty(), false, Optional.empty(), pipes));
    var launched = (CommandLauncher.LaunchResult.Started) CommandLauncher.best().launch(command);
    runner.started(launched.running());
    return new Begun(runner, given);
  }

  private static RunnerTask task(String name) {
    return new RunnerTask(name, 0, "s0e1", "", "", "", Map.of());
  }
}
