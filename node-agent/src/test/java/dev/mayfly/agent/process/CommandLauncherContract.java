package dev.mayfly.agent.process;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.process.CommandLauncher.LaunchResult;
import dev.mayfly.agent.process.kill.OrphanReaper;
import dev.mayfly.agent.process.kill.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of all launchers, on real processes. */
abstract class CommandLauncherContract {
  @TempDir Path folder;

  protected abstract CommandLauncher launcher();

  /**
   * Makes this process adopt orphans, so that their end is observed. Otherwise a dead orphan stays
   * in the process table if the system's first process reaps none, as in many containers.
   */
  @BeforeAll
  static void adopt() {
    var unused = OrphanReaper.adopt();
  }

  @Test
  void reportsExitCode() throws Exception {
    assertThat(exitOf("sh", "-c", "exit 7")).isEqualTo(new ProcessExit.Code(7));
    assertThat(exitOf("true").ok()).isTrue();
  }

  @Test
  void reportsFatalSignal() throws Exception {
    var runningProcess = start("sleep", "600");

    runningProcess.signal(RunningProcess.Sig.TERM);

    assertThat(runningProcess.exit().get(20, SECONDS)).isEqualTo(new ProcessExit.Signal(15));
  }

  @Test
  void keepsOutputAndErrorsInOrder() throws Exception {
    exitOf("sh", "-c", "echo out; echo err >&2; echo again");

    assertThat(output()).isEqualTo("out\nerr\nagain\n");
  }

  @Test
  void appendsToExistingOutput() throws Exception {
    exitOf("echo", "one");
    exitOf("echo", "two");

    assertThat(output()).isEqualTo("one\ntwo\n");
  }

  @Test
  void passesExactlyTheGivenEnvironment() throws Exception {
    exitOf("env");

    assertThat(output().lines()).containsExactlyInAnyOrder("PATH=/usr/bin:/bin", "NAME=täst x=y");
  }

  @Test
  void startsInDirectoryWithEmptyInput() throws Exception {
    exitOf("sh", "-c", "pwd; cat; echo end");

    assertThat(output()).isEqualTo(folder.toRealPath() + "\nend\n");
  }

  @Test
  void passesArgumentsUntouched() throws Exception {
    exitOf("printf", "%s|", "$(id)", "a b", "", "*", "-n", "'\"\n");

    assertThat(output()).isEqualTo("$(id)|a b||*|-n|'\"\n|");
  }

  @Test
  void leadsOwnSessionWithoutLeakedDescriptors() throws Exception {
    try (var open = Files.newInputStream(Path.of("/proc/self/stat"))) {
      var runningProcess =
          start("sh", "-c", "cut -d' ' -f6 /proc/$$/stat; ls /proc/$$/fd | tr '\\n' ' '");

      assertThat(runningProcess.exit().get(20, SECONDS).ok()).isTrue();
      assertThat(output()).startsWith(runningProcess.pid() + "\n0 1 2 ");
      assertThat(open.read()).isPositive();
    }
  }

  @Test
  void killsRestOfEndedProcessGroup() throws Exception {
    exitOf("sh", "-c", "sleep 600 & echo $!");

    var child = Integer.parseInt(output().strip());
    assertThat(ProcessAwait.gone(child)).isTrue();
  }

  @Test
  void missingProgramIsAResult() {
    var answer = launcher().launch(command("no-such-program-here"));

    assertThat(answer)
        .isInstanceOfSatisfying(
            LaunchResult.NotStarted.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(127);
              assertThat(refused.reason()).contains("no-such-program-here").contains("/usr/bin");
            });
  }

  @Test
  void unrunnableFileIsAResult() throws IOException {
    Files.writeString(folder.resolve("data.txt"), "hello");

    var answer = launcher().launch(command("./data.txt"));

    assertThat(answer)
        .isInstanceOfSatisfying(
            LaunchResult.NotStarted.class, refused -> assertThat(refused.code()).isEqualTo(126));
  }

  @Test
  void aScriptThatCannotStartSaysWhy() throws IOException {
    script("windows.sh", "#!/bin/sh\r\necho x\r\n");
    script("old.sh", "#!/no/such/perl -w\necho x\n");

    refused("./windows.sh", 127, "./windows.sh: its first line ends in \\r");
    refused("./old.sh", 127, "its first line names /no/such/perl, which is missing");
    refused("./gone.sh", 127, "./gone.sh: no such file");
    refused("echo hello > out.txt", 127, "'echo hello > out.txt' is one word");
  }

  private void script(String name, String text) throws IOException {
    var file = Files.writeString(folder.resolve(name), text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private void refused(String program, int code, String why) {
    assertThat(launcher().launch(command(program)))
        .isInstanceOfSatisfying(
            LaunchResult.NotStarted.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(code);
              assertThat(refused.reason()).contains(why);
            });
  }

  @Test
  void runsProgramInItsDirectory() throws Exception {
    var script = Files.writeString(folder.resolve("run.sh"), "#!/bin/sh\necho $0 $1\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();

    exitOf("./run.sh", "x");

    assertThat(output()).isEqualTo("./run.sh x\n");
  }

  @Test
  void leavesNoZombieAfterManyQuickProcesses() throws Exception {
    var all = new ArrayList<RunningProcess>();
    for (int i = 0; i < quick(); i++) {
      var runningProcess = start("true");
      all.add(runningProcess);
      if (i % 4 == 3) {
        assertThat(runningProcess.exit().get(20, SECONDS).ok()).isTrue();
      }
    }
    for (var runningProcess : all) {
      assertThat(runningProcess.exit().get(20, SECONDS).ok()).isTrue();
    }

    var ours = all.stream().map(r -> (int) r.pid()).toList();
    assertThat(new ProcessTable().all())
        .noneMatch(e -> e.parent() == ProcessHandle.current().pid() && ours.contains(e.pid()));
  }

  protected int quick() {
    return 1_000;
  }

  private ProcessExit exitOf(String... argv) throws Exception {
    return start(argv).exit().get(20, SECONDS);
  }

  private RunningProcess start(String... argv) {
    return switch (launcher().launch(command(argv))) {
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
