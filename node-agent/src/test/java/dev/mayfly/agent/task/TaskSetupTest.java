package dev.mayfly.agent.task;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.process.ProcessAwait;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.cluster.SetupSpec;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.model.job.TaskItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Setups as real processes, before the tasks that need them. */
@Timeout(300)
final class TaskSetupTest {
  private static final String TOOL =
      "mkdir -p $MAYFLY_SETUP/bin; echo made >> %s; "
          + "printf '#!/bin/sh\\necho tool' > $MAYFLY_SETUP/bin/tool; "
          + "chmod +x $MAYFLY_SETUP/bin/tool; touch $MAYFLY_SETUP/pyvenv.cfg; echo installing";

  @TempDir Path root;
  private Path made;
  private TaskExecutorFixture bench;

  @BeforeEach
  void open() throws IOException {
    made = root.resolve("made");
    bench = new TaskExecutorFixture(root, reference -> "");
  }

  @AfterEach
  void close() throws IOException {
    bench.close();
  }

  @Test
  void tasksAtOnceMakeItOnce() throws Exception {
    var setup = script(TOOL.formatted(made) + "; sleep 0.3");
    for (var i = 0; i < 4; i++)
      start(i, setup, "sh", "-c", "echo $(tool) $VIRTUAL_ENV $MAYFLY_SETUP");

    for (var i = 0; i < 4; i++) assertExited(0);
    assertThat(made).hasContent("made\n");
    var folder = setups().getFirst().resolve("env");
    bench.logUploader.flush().get(120, SECONDS);
    assertThat(bench.objects.texts("gs://lab/mayfly/.jobs/j1/logs/"))
        .containsOnlyOnce("installing\n")
        .contains("tool %s %s\n".formatted(folder, folder));
    assertThat(bench.objects.urls()).anyMatch(url -> url.contains("/setup-s0e1/00000.log"));
  }

  @Test
  void cacheOutlivesTasksUntilDiskIsShort() throws Exception {
    start(0, Optional.empty(), "sh", "-c", "echo kept > $MAYFLY_CACHE/weights");
    assertExited(0);
    bench.free = 1L << 30;
    bench.taskExecutor.sweep();
    start(1, Optional.empty(), "cat", root.resolve("work/lasting/agent/cache/weights").toString());
    assertExited(0);

    for (var i = 0; i < 2; i++) bench.taskExecutor.deleteWorkDir(attempt(i)).get(120, SECONDS);
    bench.taskExecutor.sweep();
    start(2, Optional.empty(), "sh", "-c", "test ! -e $MAYFLY_CACHE/weights");
    assertExited(0);
  }

  @Test
  void unusedSetupGoesWhenDiskIsShort() throws Exception {
    start(0, script(TOOL.formatted(made)), "true");
    assertExited(0);
    bench.free = 1L << 30;
    bench.taskExecutor.sweep();
    assertThat(setups()).hasSize(1);

    bench.taskExecutor.deleteWorkDir(attempt(0)).get(120, SECONDS);
    bench.taskExecutor.sweep();
    assertThat(setups()).isEmpty();
  }

  @Test
  void failureIsTheUsersWithEvidence() throws Exception {
    var setup = script("touch $MAYFLY_SETUP/half; echo 'No matching distribution'; exit 3");
    start(0, setup, "true");

    assertFailed(FailureCause.USER, "setup: exit code 3: No matching distribution");
    assertThat(setups()).isEmpty();
    bench.logUploader.flush().get(120, SECONDS);
    assertThat(bench.objects.text("gs://lab/mayfly/.jobs/j1/logs/00000000/setup-s0e1/00000.log"))
        .isEqualTo("No matching distribution\n");
  }

  @Test
  void waitersShareFailureAndLaterTasksTryAgain() throws Exception {
    var setup =
        script("echo made >> %s; sleep 1; test -e %s".formatted(made, root.resolve("mended")));
    start(0, setup, "true");
    start(1, setup, "true");
    assertFailed(FailureCause.USER, "setup: exit code 1");
    assertFailed(FailureCause.USER, "setup: exit code 1");
    assertThat(made).hasContent("made\n");

    Files.writeString(root.resolve("mended"), "");
    start(2, setup, "true");
    assertExited(0);
  }

  @Test
  void networkFailureIsInfrastructure() throws Exception {
    start(0, script("echo 'curl: (6) Could not resolve host: pypi.org'; exit 6"), "true");

    assertFailed(FailureCause.INFRASTRUCTURE, "Could not resolve host");
  }

  @Test
  void fullDiskIsInfrastructure() throws Exception {
    bench.free = 3L << 20;
    start(0, script("exit 1"), "true");

    assertFailed(FailureCause.INFRASTRUCTURE, "setup: disk full: 3 MiB free");
  }

  @Test
  void timeoutEndsIt() throws Exception {
    var setup =
        new SetupSpec(
            List.of("sh", "-c", "echo slow; exec sleep 600"),
            List.of(),
            Duration.ofMillis(300),
            false,
            Optional.empty());
    start(0, Optional.of(setup), "true");

    assertFailed(FailureCause.TIMEOUT, "slow");
    assertThat(setups()).isEmpty();
  }

  @Test
  void killDuringSetupLeavesNothing() throws Exception {
    var pipe = root.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    start(0, script("setsid sh -c 'echo $$ > " + pipe + "; sleep 600' & wait"), "true");
    var child = Long.parseLong(Files.readString(pipe).strip());

    bench.taskExecutor.kill(TestJobs.kill(attempt(0), Duration.ofSeconds(20)));

    assertThat(bench.next()).isEqualTo(new AgentEvent.Killed(attempt(0)));
    assertThat(ProcessAwait.gone(child)).isTrue();
    assertThat(setups()).isEmpty();
    assertThat(bench.events).isEmpty();
  }

  @Test
  void daemonOfSetupDoesNotOutliveIt() throws Exception {
    var pid = root.resolve("pid");
    start(0, script("setsid sleep 600 & echo $! > " + pid), "true");

    assertExited(0);
    assertThat(ProcessAwait.gone(Long.parseLong(Files.readString(pid).strip()))).isTrue();
  }

  @Test
  void storedSetupIsFetchedByNextMachine() throws Exception {
    var setup =
        new SetupSpec(
            List.of("sh", "-euc", TOOL.formatted(made)),
            List.of(),
            Duration.ofMinutes(1),
            true,
            Optional.empty());
    start(0, Optional.of(setup), "tool");
    assertExited(0);
    assertThat(bench.objects.urls()).anyMatch(url -> url.startsWith("gs://lab/mayfly/.setups/"));

    bench.taskExecutor.deleteWorkDir(attempt(0)).get(120, SECONDS);
    bench.free = 1L << 30;
    bench.taskExecutor.sweep();
    assertThat(setups()).isEmpty();
    start(1, Optional.of(setup), "tool");

    assertExited(0);
    assertThat(made).hasContent("made\n");
  }

  @Test
  void brokenStoredSetupIsMadeAnew() throws Exception {
    var setup =
        new SetupSpec(
            List.of("sh", "-euc", TOOL.formatted(made)),
            List.of(),
            Duration.ofMinutes(1),
            true,
            Optional.empty());
    start(0, Optional.of(setup), "tool");
    assertExited(0);
    var url =
        bench.objects.urls().stream().filter(u -> u.contains(".setups/")).findFirst().orElseThrow();
    bench.objects.put(url, "no archive");
    bench.taskExecutor.deleteWorkDir(attempt(0)).get(120, SECONDS);
    bench.free = 1L << 30;
    bench.taskExecutor.sweep();

    start(1, Optional.of(setup), "tool");

    assertExited(0);
    assertThat(made).hasContent("made\nmade\n");
  }

  private static Optional<SetupSpec> script(String script) {
    return Optional.of(
        new SetupSpec(
            List.of("sh", "-euc", script),
            List.of(),
            Duration.ofMinutes(1),
            false,
            Optional.empty()));
  }

  private void start(int index, Optional<SetupSpec> setup, String... command) {
    var environment = new TaskEnvironment(setup, Optional.empty(), Optional.empty());
    var jobInfo = TestJobs.with(environment, TestJobs.jobInfo(Optional.empty(), command));
    bench.taskExecutor.start(new AgentEffect.Start(attempt(index), jobInfo, item(), List.of()));
  }

  private static TaskAttempt attempt(int index) {
    return new TaskAttempt(new LeaseRef("j1", 0, 1), index);
  }

  private static TaskItem item() {
    return new TaskItem(7, Optional.empty(), Map.of());
  }

  private List<Path> setups() throws IOException {
    var all = root.resolve("work/lasting/agent/setups");
    if (!Files.exists(all)) return List.of();
    try (Stream<Path> folders = Files.list(all)) {
      return folders.toList();
    }
  }

  private void assertExited(int code) throws InterruptedException {
    assertThat(bench.next())
        .isInstanceOfSatisfying(
            AgentEvent.Exited.class, end -> assertThat(end.exitCode()).isEqualTo(code));
  }

  private void assertFailed(FailureCause cause, String words) throws InterruptedException {
    assertThat(bench.next())
        .isInstanceOfSatisfying(
            AgentEvent.StartFailed.class,
            failed -> {
              assertThat(failed.cause()).isEqualTo(cause);
              assertThat(failed.evidence()).contains(words);
            });
  }
}
