package dev.mayfly.agent;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.process.kill.TaskMarkers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a killed agent leaves is ended, and what another agent runs is not. */
@Timeout(60)
final class TaskGuardTest {
  private static final long AGENT = 4711;

  @TempDir Path root;
  private Process task;

  @BeforeEach
  void runATask() throws IOException {
    var builder = new ProcessBuilder("sleep", "600");
    builder.environment().putAll(TaskMarkers.of(root, "j/0/1"));
    task = builder.start();
  }

  @AfterEach
  void endIt() {
    task.destroyForcibly();
  }

  /** The guard of an agent that is gone; its end is waited for. */
  private void guard(long lockedBy) throws Exception {
    Files.writeString(root.resolve("lock"), lockedBy + "\n");
    var java = ProcessHandle.current().info().command().orElseThrow();
    var shell = TaskGuard.start(java, root, AGENT, Duration.ZERO).shell().orElseThrow();
    shell.getOutputStream().close();
    assertThat(shell.waitFor(50, SECONDS)).isTrue();
  }

  @Test
  void tasksOfAKilledAgentEnd() throws Exception {
    guard(AGENT);

    assertThat(task.waitFor(10, SECONDS)).isTrue();
    assertThat(task.exitValue()).isEqualTo(128 + 9);
  }

  @Test
  void anotherAgentsTasksRunOn() throws Exception {
    guard(AGENT + 1);

    assertThat(task.isAlive()).isTrue();
  }

  @Test
  void agentThatEndsInOrderEndsItsGuard() throws Exception {
    var java = ProcessHandle.current().info().command().orElseThrow();
    var guard = TaskGuard.start(java, root, AGENT, Duration.ofHours(1));

    guard.close();

    assertThat(guard.shell().orElseThrow().isAlive()).isFalse();
    assertThat(task.isAlive()).isTrue();
  }
}
