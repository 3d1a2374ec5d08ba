package dev.mayfly.agent.task;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.nio.file.attribute.PosixFilePermissions;
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

/** Python environments, with what a machine has and lacks. */
@Timeout(300)
final class PythonSetupTest {
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
  void missingPythonNamesVersionsAndRemedy() throws Exception {
    var bin = Files.createDirectories(root.resolve("bin"));
    program(bin.resolve("python3"), "echo 3.9.7");
    var python = new SetupSpec.Python(Optional.empty(), Optional.of("3.1"));
    var path = bin + ":/usr/bin:/bin";

    startWith(path, 0, python);

    assertThat(bench.next())
        .isInstanceOfSatisfying(
            AgentEvent.StartFailed.class,
            failed -> {
              assertThat(failed.cause()).isEqualTo(FailureCause.USER);
              assertThat(failed.evidence()).contains("no Python 3.1 here, only: 3.9.7", "uv");
            });
  }

  @Test
  void pythonWithoutEnsurepipIsTheMachinesFault() throws Exception {
    var bin = Files.createDirectories(root.resolve("bin"));
    program(bin.resolve("python3"), "case $2 in *ensurepip*) exit 1;; esac; echo 3.1.2");

    startWith(
        bin + ":/usr/bin:/bin", 0, new SetupSpec.Python(Optional.empty(), Optional.of("3.1")));

    assertFailed(FailureCause.INFRASTRUCTURE, "python3-venv");
  }

  @Test
  void uvOfTheAgentServesMachinesWithoutOne() throws Exception {
    var tools = Files.createDirectories(root.resolve("tools"));
    program(tools.resolve("uv"), "echo \"$UV_DEFAULT_INDEX $@\" >> " + made);
    bench.close();
    bench = new TaskExecutorFixture(root, tools.resolve("uv"));
    var python = new SetupSpec.Python(Optional.of("r.txt"), Optional.empty());

    startWith(Map.of("PATH", "/usr/bin:/bin", "PIP_INDEX_URL", "https://mirror/simple"), 0, python);

    assertExited(0);
    var folder = setups().getFirst().resolve("env");
    assertThat(made)
        .hasContent(
            "https://mirror/simple venv --relocatable --allow-existing %1$s\n".formatted(folder)
                + "https://mirror/simple pip install --python %1$s/bin/python -r r.txt\n"
                    .formatted(folder));
  }

  @Test
  void uvMakesThePythonOfTheWantedVersion() throws Exception {
    var bin = Files.createDirectories(root.resolve("bin"));
    program(bin.resolve("uv"), "echo \"$@\" >> " + made);
    var python = new SetupSpec.Python(Optional.empty(), Optional.of("3.12"));

    startWith(bin + ":/usr/bin:/bin", 0, python);

    assertExited(0);
    assertThat(made)
        .hasContent(
            "venv --relocatable --allow-existing --python 3.12 "
                + setups().getFirst().resolve("env")
                + "\n");
  }

  private void startWith(String path, int index, SetupSpec.Python python) {
    startWith(Map.of("PATH", path), index, python);
  }

  private void startWith(Map<String, String> variables, int index, SetupSpec.Python python) {
    var setup =
        new SetupSpec(List.of(), List.of(), Duration.ofMinutes(1), false, Optional.of(python));
    var environment = new TaskEnvironment(Optional.of(setup), Optional.empty(), Optional.empty());
    var jobInfo = TestJobs.with(environment, TestJobs.withEnv(variables, "true"));
    bench.taskExecutor.start(new AgentEffect.Start(attempt(index), jobInfo, item(), List.of()));
  }

  private static void program(Path file, String script) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
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
