package dev.mayfly.agent.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.agent.container.ContainerEngine;
import dev.mayfly.agent.container.RegistryLogin;
import dev.mayfly.agent.files.WorkDir;
import dev.mayfly.agent.machine.MpsFolders;
import dev.mayfly.agent.process.FakePrograms;
import dev.mayfly.agent.process.ProcessCommand;
import dev.mayfly.agent.process.ResourceLimits;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.task.TaskCommand;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.job.TaskItem;
import java.io.FileNotFoundException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares an engine's arguments with the variables that a task sees. */
class TaskContainerTest {
  private static final TaskAttempt ATTEMPT = new TaskAttempt(new LeaseRef("j1", 0, 3), 7);
  @TempDir Path folder;
  private FakePrograms programs;

  @BeforeEach
  void programs() {
    programs = new FakePrograms(folder);
  }

  private ContainerEngine engine() {
    var login = new RegistryLogin(folder.resolve("login"), () -> "token", reference -> "a:b");
    return new ContainerEngine(programs.alone(), login, List.of(), time -> {});
  }

  private static AgentEffect.Start start(
      Resources need, List<Integer> gpus, Map<String, String> peers) {
    var jobInfo = TestJobs.inImage("lab/x:1", need, "train");
    return new AgentEffect.Start(ATTEMPT, jobInfo, TaskItem.counted(7), gpus, peers);
  }

  private ProcessCommand started(AgentEffect.Start start) throws Exception {
    var taskContainer =
        TaskContainer.of(
                Optional.of(engine()),
                "/w",
                new AttemptState(ATTEMPT),
                start,
                false,
                Optional.empty())
            .orElseThrow();
    try (var workDir = WorkDir.open(folder.resolve("work"))) {
      var dir = workDir.attempt();
      var taskCommand = TaskCommand.of(start, "/in", "/out");
      var env = taskCommand.env();
      var command = new ProcessCommand(taskCommand.argv(), env, dir.work(), folder.resolve("log"));
      return taskContainer.wrap(command, env, dir);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          docker | 3       | 0     | --gpus="device=3"
          docker | 0       | 0     | --gpus="device=0"
          docker | 1,3     | 0,1   | --gpus="device=1,3"
          podman | 3       | 0     | --device=nvidia.com/gpu=3
          podman | 2,5,7   | 0,1,2 | --device=nvidia.com/gpu=2 --device=nvidia.com/gpu=5 --device=nvidia.com/gpu=7
          """)
  void containerDevicesStartAtZero(String program, String gpus, String inside, String arguments)
      throws Exception {
    programs.with(program, "");
    var devices = List.of(gpus.split(",")).stream().map(Integer::valueOf).toList();
    var need = new Resources(1_000, 0, devices.size() * 1_000L, 0);

    var processCommand = started(start(need, devices, Map.of()));

    assertThat(processCommand.environment()).containsEntry("CUDA_VISIBLE_DEVICES", inside);
    assertThat(processCommand.argv())
        .contains("--env=CUDA_VISIBLE_DEVICES")
        .contains(arguments.split(" "))
        // The engine sets it; the job's value would name other devices.
        .noneMatch(argument -> argument.contains("NVIDIA_VISIBLE_DEVICES"));
  }

  @Test
  void gangAddressesAreVisibleInContainer() throws Exception {
    programs.with("docker", "");
    var peers = Map.of("TPU_WORKER_ID", "1", "TPU_WORKER_HOSTNAMES", "10.0.0.1,10.0.0.2");

    var processCommand = started(start(new Resources(1_000, 0, 0, 4), List.of(), peers));

    assertThat(processCommand.environment()).containsAllEntriesOf(peers);
    assertThat(processCommand.argv()).contains("--env=TPU_WORKER_ID", "--env=TPU_WORKER_HOSTNAMES");
  }

  private List<String> walled(TaskRights taskRights, Resources need, Map<String, String> peers)
      throws Exception {
    programs.with("docker", "");
    var start = start(need, List.of(), peers);
    var asked =
        new AgentEffect.Start(
            ATTEMPT, TestJobs.with(taskRights, start.jobInfo()), start.item(), List.of(), peers);
    var taskContainer =
        TaskContainer.of(
                Optional.of(engine()),
                "/w",
                new AttemptState(ATTEMPT),
                asked,
                true,
                Optional.empty())
            .orElseThrow();
    try (var workDir = WorkDir.open(folder.resolve("work"));
        var dir = workDir.attempt()) {
      var processCommand =
          new ProcessCommand(List.of("x"), Map.of(), dir.work(), folder.resolve("log"));
      return taskContainer.wrap(processCommand, Map.of(), dir).argv();
    }
  }

  @Test
  void mpsReachesContainersThatUseGpus() throws Exception {
    var folders = MpsFolders.in(folder);

    assertThat(withMps(new Resources(1_000, 1L << 30, 250, 0), folders))
        .contains("--ipc=host", "--cap-drop=ALL")
        .contains("--volume=" + folders.pipe() + ":" + folders.pipe())
        .contains("--volume=" + folders.log() + ":" + folders.log())
        // Engines refuse a size for the machine's own shared memory.
        .noneMatch(argument -> argument.startsWith("--shm-size"));
    assertThat(withMps(Resources.cpu(1, 1L << 30), folders))
        .noneMatch(argument -> argument.contains("mps"))
        .anyMatch(argument -> argument.startsWith("--shm-size"));
  }

  private List<String> withMps(Resources need, MpsFolders folders) throws Exception {
    programs.with("docker", "");
    var start = start(need, need.needsGpu() ? List.of(0) : List.of(), Map.of());
    var taskContainer =
        TaskContainer.of(
                Optional.of(engine()),
                "/w",
                new AttemptState(ATTEMPT),
                start,
                true,
                Optional.of(folders))
            .orElseThrow();
    var seen = new ContainerEngine.SharedFolder(folder.resolve("cache"), false);
    try (var workDir = WorkDir.open(folder.resolve("work"));
        var dir = workDir.attempt()) {
      var processCommand =
          new ProcessCommand(List.of("x"), Map.of(), dir.work(), folder.resolve("log"));
      return taskContainer.with(List.of(seen)).wrap(processCommand, Map.of(), dir).argv();
    }
  }

  @Test
  void containerHasNoCapabilitiesAndOwnNetwork() throws Exception {
    assertThat(walled(TaskRights.NONE, Resources.cpu(1, 1L << 30), Map.of()))
        .contains(
            "--cap-drop=ALL",
            "--security-opt=no-new-privileges",
            "--network=bridge",
            "--shm-size=1073741824")
        .doesNotContain("--ipc=host", "--network=host")
        .noneMatch(a -> a.startsWith("--cap-add") || a.startsWith("--privileged"));
  }

  @Test
  void tpusAndGangsUseHostNetwork() throws Exception {
    assertThat(walled(TaskRights.NONE, new Resources(1_000, 0, 0, 4), Map.of()))
        .contains(
            "--cap-drop=ALL", "--cap-add=SYS_RESOURCE", "--ulimit=memlock=-1:-1", "--network=host");
    assertThat(walled(TaskRights.NONE, Resources.cpu(1, 0), Map.of("MAYFLY_RANK", "1")))
        .contains("--cap-drop=ALL", "--network=host");
  }

  @Test
  void rightsAreGrantedOneByOne() throws Exception {
    assertThat(walled(new TaskRights(false, true, false), Resources.cpu(1, 0), Map.of()))
        .contains("--cap-drop=ALL", "--network=host")
        .noneMatch(a -> a.startsWith("--cap-add"));
    assertThat(walled(new TaskRights(true, false, false), Resources.cpu(1, 0), Map.of()))
        .contains("--cap-drop=ALL", "--cap-add=CHOWN", "--network=bridge")
        .doesNotContain("--cap-add=SYS_ADMIN", "--cap-add=NET_RAW", "--cap-add=MKNOD");
  }

  @Test
  void taskVariablesDoNotReachEngineClient() throws Exception {
    programs.with("docker", "");
    var inside =
        Map.of(
            "LD_PRELOAD", "/w/evil.so", "DOCKER_HOST", "tcp://x", "PATH", "/opt/bin", "KEY", "v");
    var outside = new ProcessCommand(List.of("x"), inside, folder, folder.resolve("log"));
    var containerSpec =
        new ContainerEngine.ContainerSpec("lab/x:1", "n", 0, 0, List.of(), false, Optional.empty());

    var processCommand = engine().wrap(containerSpec, outside, inside, folder.toString());

    assertThat(processCommand.environment())
        .containsEntry("KEY", "v")
        .containsEntry("PATH", folder.toString())
        .doesNotContainKeys("LD_PRELOAD", "DOCKER_HOST");
    assertThat(processCommand.argv())
        .contains(
            "--env=LD_PRELOAD=/w/evil.so",
            "--env=DOCKER_HOST=tcp://x",
            "--env=PATH=/opt/bin",
            "--env=KEY");
  }

  @Test
  void outOfMemoryIsReadFromEngine() throws Exception {
    programs.with("docker", "echo true");
    var start = start(Resources.cpu(1, 64L << 20), List.of(), Map.of());
    var taskContainer =
        TaskContainer.of(
                Optional.of(engine()),
                "/w",
                new AttemptState(ATTEMPT),
                start,
                false,
                Optional.empty())
            .orElseThrow();

    var bounds = taskContainer.bounds(counted(false));
    assertThat(bounds.entrance()).isEmpty();
    assertThat(bounds.ranOutOfMemory()).isTrue();
    assertThat(programs.arguments("docker")).contains("inspect");
  }

  @Test
  void kernelCountCatchesMissedOomKill() throws Exception {
    programs.with("podman", "echo false");
    var start = start(Resources.cpu(1, 64L << 20), List.of(), Map.of());
    var taskContainer =
        TaskContainer.of(
                Optional.of(engine()),
                "/w",
                new AttemptState(ATTEMPT),
                start,
                false,
                Optional.empty())
            .orElseThrow();

    assertThat(taskContainer.bounds(counted(true)).ranOutOfMemory()).isTrue();
    assertThat(taskContainer.bounds(counted(false)).ranOutOfMemory()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "125, 0001-01-01T00:00:00Z, true",
    "126, 0001-01-01 00:00:00 +0000 UTC, true",
    "125, 2026-01-31T12:00:00Z, false",
    "127, 2026-01-31T12:00:00Z, false",
    "137, 0001-01-01T00:00:00Z, false",
  })
  void engineFailureIsNotTheCommands(int code, String started, boolean engines) throws Exception {
    programs.with("docker", "case $2 in *StartedAt*) echo '" + started + "';; esac");
    var start = start(Resources.cpu(1, 0), List.of(), Map.of());
    var taskContainer =
        TaskContainer.of(
                Optional.of(engine()),
                "/w",
                new AttemptState(ATTEMPT),
                start,
                false,
                Optional.empty())
            .orElseThrow();

    assertThat(taskContainer.bounds(counted(false)).neverBegan(code)).isEqualTo(engines);
  }

  private static ResourceLimits.Bounds counted(boolean killed) {
    return new ResourceLimits.Bounds() {
      @Override
      public Optional<Path> entrance() {
        return Optional.empty();
      }

      @Override
      public boolean ranOutOfMemory() {
        return killed;
      }

      @Override
      public void kill() {}

      @Override
      public void close() {}
    };
  }

  @Test
  void missingEngineIsNotRetried() {
    var start = start(Resources.cpu(1, 0), List.of(), Map.of());

    assertThatThrownBy(() ->
            TaskContainer.of(
                Optional.of(engine()),
                "/w",
                new AttemptState(ATTEMPT),
                start,
                false,
                Optional.empty()))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("neither podman nor docker")
        .hasMessageContaining("machine.image");
  }
}
