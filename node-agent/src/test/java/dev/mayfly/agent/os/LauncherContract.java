package dev.mayfly.agent.os;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.os.Launcher.Launched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every launcher does, on real processes. */
abstract class LauncherContract {
  @TempDir Path folder;

  protected abstract Launcher launcher();

  /**
   * What is orphaned here comes to this process, and so its end is heard of. Elsewhere a dead
   * orphan stays in the table where the system's first process collects none, as in many
   * containers.
   */
  @BeforeAll
  static void adopt() {
    var unused = Orphans.adopt();
  }

  @Test
  void tellsTheExitCode() throws Exception {
    assertThat(exitOf("sh", "-c", "exit 7")).isEqualTo(new Exit.Code(7));
    assertThat(exitOf("true").ok()).isTrue();
  }

  @Test
  void tellsTheSignalThatEndedIt() throws Exception {
    var running = start("sleep", "600");

    running.signal(Running.Sig.TERM);

    assertThat(running.exit().get(20, SECONDS)).isEqualTo(new Exit.Signal(15));
  }

  @Test
  void keepsOutputAndErrorsInOrderInOneFile() throws Exception {
    exitOf("sh", "-c", "echo out; echo err >&2; echo again");

    assertThat(output()).isEqualTo("out\nerr\nagain\n");
  }

  @Test
  void appendsToTheOutputThatIsThere() throws Exception {
    exitOf("echo", "one");
    exitOf("echo", "two");

    assertThat(output()).isEqualTo("one\ntwo\n");
  }

  @Test
  void givesExactlyTheEnvironmentThatWasAsked() throws Exception {
    exitOf("env");

    assertThat(output().lines()).containsExactlyInAnyOrder("PATH=/usr/bin:/bin", "NAME=täst x=y");
  }

  @Test
  void startsInTheDirectoryWithNothingToRead() throws Exception {
    exitOf("sh", "-c", "pwd; cat; echo end");

    assertThat(output()).isEqualTo(folder.toRealPath() + "\nend\n");
  }

  @Test
  void passesArgumentsUntouched() throws Exception {
    exitOf("printf", "%s|", "$(id)", "a b", "", "*", "-n", "'\"\n");

    assertThat(output()).isEqualTo("$(id)|a b||*|-n|'\"\n|");
  }

  @Test
  void leadsASessionOfItsOwnAndLeaksNoDescriptor() throws Exception {
    try (var open = Files.newInputStream(Path.of("/proc/self/stat"))) {
      var running = start("sh", "-c", "cut -d' ' -f6 /proc/$$/stat; ls /proc/$$/fd | tr '\\n' ' '");

      assertThat(running.exit().get(20, SECONDS).ok()).isTrue();
      assertThat(output()).startsWith(running.pid() + "\n0 1 2 ");
      assertThat(open.read()).isPositive();
    }
  }

  @Test
  void killsWhatAnEndedProcessLeftInItsGroup() throws Exception {
    exitOf("sh", "-c", "sleep 600 & echo $!");

    var child = Integer.parseInt(output().strip());
    assertThat(Await.gone(child)).isTrue();
  }

  @Test
  void aProgramThatDoesNotExistIsAnAnswer() {
    var answer = launcher().launch(command("no-such-program-here"));

    assertThat(answer)
        .isInstanceOfSatisfying(
            Launched.NotStarted.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(127);
              assertThat(refused.reason()).contains("no-such-program-here").contains("/usr/bin");
            });
  }

  @Test
  void aFileThatCannotBeRunIsAnAnswer() throws IOException {
    Files.writeString(folder.resolve("data.txt"), "hello");

    var answer = launcher().launch(command("./data.txt"));

    assertThat(answer)
        .isInstanceOfSatisfying(
            Launched.NotStarted.class, refused -> assertThat(refused.code()).isEqualTo(126));
  }

  @Test
  void runsAProgramOfItsOwnDirectory() throws Exception {
    var script = Files.writeString(folder.resolve("run.sh"), "#!/bin/sh\necho $0 $1\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();

    exitOf("./run.sh", "x");

    assertThat(output()).isEqualTo("./run.sh x\n");
  }

  @Test
  void leavesNoZombieAfterManyQuickProcesses() throws Exception {
    var all = new ArrayList<Running>();
    for (int i = 0; i < quick(); i++) {
      var running = start("true");
      all.add(running);
      if (i % 4 == 3) {
        assertThat(running.exit().get(20, SECONDS).ok()).isTrue();
      }
    }
    for (var running : all) {
      assertThat(running.exit().get(20, SECONDS).ok()).isTrue();
    }

    var ours = all.stream().map(r -> (int) r.pid()).toList();
    assertThat(new ProcessTable().all())
        .noneMatch(e -> e.parent() == ProcessHandle.current().pid() && ours.contains(e.pid()));
  }

  protected int quick() {
    return 1_000;
  }

  private Exit exitOf(String... argv) throws Exception {
    return start(argv).exit().get(20, SECONDS);
  }

  private Running start(String... argv) {
    return switch (launcher().launch(command(argv))) {
      case Launched.Started(Running running) -> running;
      case Launched.NotStarted refused -> throw new AssertionError(refused);
      case Launched.NoRoom refused -> throw new AssertionError(refused);
    };
  }

  private Command command(String... argv) {
    var environment = Map.of("PATH", "/usr/bin:/bin", "NAME", "täst x=y");
    return new Command(List.of(argv), environment, folder, folder.resolve("output.log"));
  }

  private String output() throws IOException {
    return Files.readString(folder.resolve("output.log"));
  }
}
