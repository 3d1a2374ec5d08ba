package dev.mayfly.agent.process;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mayfly.agent.process.CommandLauncher.LaunchResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a process does before it executes the user's command, on real processes and, where possible,
 * real control groups.
 */
class LaunchStepsTest {
  @TempDir Path folder;
  private Optional<Path> group = Optional.empty();

  static List<CommandLauncher> launchers() {
    return List.of(CommandLauncher.best(), new ProcessBuilderLauncher());
  }

  @AfterEach
  void removeGroup() throws IOException {
    if (group.isPresent()) Files.deleteIfExists(group.get());
  }

  /** A group in the kernel's version 2 tree; with or without controllers, it has members. */
  private Path realGroup() throws IOException {
    var mount =
        Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
            .filter(line -> line.contains(" - cgroup2 "))
            .map(line -> Path.of(line.split(" ")[4]))
            .filter(Files::isWritable)
            .findFirst();
    assumeTrue(mount.isPresent(), "no control groups of version 2 that this user may change");
    var made = mount.get().resolve("mayfly-test-" + ProcessHandle.current().pid());
    try {
      Files.createDirectories(made);
    } catch (IOException e) {
      assumeTrue(false, "no control group can be made: " + e);
    }
    group = Optional.of(made);
    return made;
  }

  @ParameterizedTest
  @MethodSource("launchers")
  void commandAndChildrenJoinTheGroup(CommandLauncher commandLauncher) throws Exception {
    var real = realGroup();

    // The child starts at once: moving its parent from outside would be too late.
    var processExit =
        run(
            commandLauncher,
            new LaunchSteps(Optional.of(real.resolve("cgroup.procs")), false, Optional.empty()),
            "sh",
            "-c",
            "cat /proc/self/cgroup & cat /proc/$$/cgroup; wait");

    assertThat(processExit.ok()).isTrue();
    assertThat(output().lines().filter(l -> l.equals("0::/" + real.getFileName()))).hasSize(2);
  }

  @ParameterizedTest
  @MethodSource("launchers")
  void processIdStaysTheSame(CommandLauncher commandLauncher) throws Exception {
    var entrance = Files.createFile(folder.resolve("cgroup.procs"));

    var started =
        start(
            commandLauncher,
            new LaunchSteps(Optional.of(entrance), false, Optional.empty()),
            "sh",
            "-c",
            "echo $$ $0 \"$@\"",
            "a b",
            "$(id)",
            "");

    assertThat(started.exit().get(20, SECONDS).ok()).isTrue();
    assertThat(entrance).hasContent(Long.toString(started.pid()));
    assertThat(output()).isEqualTo(started.pid() + " a b $(id) \n");
  }

  @ParameterizedTest
  @MethodSource("launchers")
  void addsOnlyWorkingFolderToEnvironment(CommandLauncher commandLauncher) throws Exception {
    run(
        commandLauncher,
        new LaunchSteps(Optional.of(folder.resolve("procs")), false, Optional.empty()),
        "env");

    assertThat(output().lines())
        .containsExactlyInAnyOrder(
            "PATH=/usr/bin:/bin", "NAME=täst x=y", "PWD=" + folder.toRealPath());
  }

  @ParameterizedTest
  @MethodSource("launchers")
  void failedStartIsStillAResult(CommandLauncher commandLauncher) throws Exception {
    var steps = new LaunchSteps(Optional.of(folder.resolve("procs")), false, Optional.empty());
    Files.writeString(folder.resolve("data.txt"), "hello");

    assertThat(commandLauncher.launch(command("no-such-program").withSteps(steps)))
        .isInstanceOfSatisfying(
            LaunchResult.NotStarted.class, refused -> assertThat(refused.code()).isEqualTo(127));
    assertThat(commandLauncher.launch(command("./gone.sh").withSteps(steps)))
        .isInstanceOfSatisfying(
            LaunchResult.NotStarted.class, refused -> assertThat(refused.code()).isEqualTo(127));
    assertThat(commandLauncher.launch(command("./data.txt").withSteps(steps)))
        .isInstanceOfSatisfying(
            LaunchResult.NotStarted.class, refused -> assertThat(refused.code()).isEqualTo(126));
    assertThat(folder.resolve("procs")).doesNotExist();
  }

  @ParameterizedTest
  @MethodSource("launchers")
  void missingGroupStopsTheStart(CommandLauncher commandLauncher) throws Exception {
    var steps =
        new LaunchSteps(Optional.of(folder.resolve("gone/cgroup.procs")), false, Optional.empty());

    assertThat(run(commandLauncher, steps, "touch", "ran"))
        .isEqualTo(new ProcessExit.Code(LaunchSteps.REFUSED));
    assertThat(output()).contains(LaunchSteps.SAID);
    assertThat(folder.resolve("ran")).doesNotExist();
  }

  @ParameterizedTest
  @MethodSource("launchers")
  void oomProtectionIsDropped(CommandLauncher commandLauncher) throws Exception {
    run(
        commandLauncher,
        new LaunchSteps(Optional.empty(), true, Optional.empty()),
        "cat",
        "/proc/self/oom_score_adj");

    assertThat(output()).isEqualTo("0\n");
  }

  @Test
  void withoutStepsProgramStartsDirectly() {
    assertThat(LaunchSteps.NONE.argvPrefix(Set.of("A"))).isEmpty();
  }

  @Test
  void failedGroupIsRemoved() throws Exception {
    var parent = realGroup();
    var child = parent.resolve("mayfly-a");
    // Without controllers the kernel has no file for the limit, and none can be created.
    assumeTrue(!Files.exists(parent.resolve("cpu.max")), "this group could be limited");

    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(() ->
                new CgroupLimits(parent, java.util.OptionalLong.empty()).bounds("a", 1_000, 0)))
        .hasMessageContaining("cannot limit a task");
    assertThat(child).doesNotExist();
  }

  private ProcessExit run(CommandLauncher commandLauncher, LaunchSteps steps, String... argv)
      throws Exception {
    return start(commandLauncher, steps, argv).exit().get(20, SECONDS);
  }

  private RunningProcess start(CommandLauncher commandLauncher, LaunchSteps steps, String... argv) {
    return switch (commandLauncher.launch(command(argv).withSteps(steps))) {
      case LaunchResult.Started(RunningProcess runningProcess) -> runningProcess;
      case LaunchResult.NotStarted refused -> throw new AssertionError(refused);
      case LaunchResult.NoRoom refused -> throw new AssertionError(refused);
    };
  }

  private ProcessCommand command(String... argv) {
    var environment = Map.of("PATH", "/usr/bin:/bin", "NAME", "täst x=y");
    return new ProcessCommand(List.of(argv), environment, folder, folder.resolve("output.log"));
  }

  private String output() throws IOException {
    return Files.readString(folder.resolve("output.log"));
  }
}
