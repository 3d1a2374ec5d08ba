package dev.mayfly.agent.process.kill;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mayfly.agent.process.CommandLauncher;
import dev.mayfly.agent.process.CommandLauncher.LaunchResult;
import dev.mayfly.agent.process.ProcessAwait;
import dev.mayfly.agent.process.ProcessCommand;
import dev.mayfly.agent.process.ProcessExit;
import dev.mayfly.agent.process.RunningProcess;
import dev.mayfly.agent.process.kill.ProcessTreeKiller.AttemptProcesses;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class ProcessTreeKillerTest {
  private static final CommandLauncher LAUNCHER = CommandLauncher.best();
  private static final OrphanReaper ORPHANS = OrphanReaper.adopt();
  private static final Duration GRACE = Duration.ofSeconds(20);

  @TempDir Path root;
  private final Map<String, AttemptProcesses> live = new ConcurrentHashMap<>();

  @AfterEach
  void killAll() {
    assertThat(ProcessTreeKiller.killEarlier(root, GRACE).confirmed()).isTrue();
  }

  @Test
  void killsEscapedChildrenIgnoringSigterm() throws Exception {
    var attemptProcesses =
        start(
            "a", "trap '' TERM; setsid sh -c 'trap \"\" TERM; echo $$ > ready; sleep 600' & wait");
    var child = firstLine("a");

    var killResult = kill().kill(attemptProcesses, Duration.ofMillis(50));

    assertThat(killResult.confirmed()).isTrue();
    assertThat(ProcessAwait.gone(child)).isTrue();
    assertThat(attemptProcesses.first().orElseThrow().exit().get(20, SECONDS))
        .isEqualTo(new ProcessExit.Signal(9));
  }

  @Test
  void killsOrphanWithClearedEnvironment() throws Exception {
    var attemptProcesses =
        start("a", "(setsid env -i sleep 600 & echo $! > ready); exec sleep 600");
    var orphan = firstLine("a");

    var killResult = kill().kill(attemptProcesses, Duration.ZERO);

    assertThat(killResult.confirmed()).isTrue();
    assertThat(ProcessAwait.gone(orphan)).isTrue();
  }

  @Test
  void childrenKeepGraceAfterShellEnds() throws Exception {
    var attemptProcesses =
        start(
            "a",
            "sh -c 'trap \"sleep 0.1; echo saved > result; exit\" TERM; echo $$ > ready;"
                + " while :; do sleep 0.01; done' & wait");
    firstLine("a");

    assertThat(kill().kill(attemptProcesses, GRACE).confirmed()).isTrue();

    assertThat(root.resolve("a/result")).hasContent("saved");
  }

  @Test
  void containerMainProcessIsSignalledOnce() throws Exception {
    var namespace = List.of("unshare", "--pid", "--fork", "--mount-proc");
    assumeTrue(runs(namespace), "this machine lets nobody make a namespace of processes");
    var main = "trap 'echo main >>heard; exit' TERM; echo $$ > ready; while :; do sleep 0.01; done";
    Files.writeString(root.resolve("main"), main);
    var first = "trap 'echo first >>heard' TERM; setsid sh ../main & while ! wait; do :; done";
    Files.writeString(root.resolve("first"), first);
    var client = "trap 'echo client >>heard' TERM; %s sh ../first & while ! wait; do :; done";
    var started = start("a", client.formatted(String.join(" ", namespace)));
    firstLine("a");
    var attemptProcesses = new AttemptProcesses("a", started.first(), true);

    assertThat(kill().kill(attemptProcesses, GRACE).confirmed()).isTrue();

    assertThat(root.resolve("a/heard")).hasContent("main");
  }

  private static boolean runs(List<String> wrapper) throws Exception {
    var command = new ArrayList<>(wrapper);
    command.add("true");
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getInputStream().readAllBytes();
    return process.waitFor() == 0;
  }

  @Test
  void sparesOtherAttempts() throws Exception {
    var attemptProcesses = start("a", "setsid sleep 600 & echo $! > ready; wait");
    start("b", "setsid sleep 600 & echo $! > ready; wait");
    firstLine("a");
    var other = firstLine("b");

    assertThat(kill().kill(attemptProcesses, Duration.ZERO).confirmed()).isTrue();
    assertThat(kill().sweep().confirmed()).isTrue();

    assertThat(ProcessHandle.of(other).map(ProcessHandle::isAlive)).contains(true);
    assertThat(live.get("b").first().orElseThrow().exit()).isNotDone();
  }

  @Test
  void sweepsEndedAttemptsLeftovers() throws Exception {
    var attemptProcesses = start("a", "setsid sleep 600 & echo $! > ready");
    var daemon = firstLine("a");
    assertThat(attemptProcesses.first().orElseThrow().exit().get(20, SECONDS).ok()).isTrue();
    live.remove("a");

    assertThat(kill().sweep().confirmed()).isTrue();

    assertThat(ProcessAwait.gone(daemon)).isTrue();
  }

  @Test
  void findsDaemonWhenAttemptEnds() throws Exception {
    start("b", "echo $$ > ready; exec sleep 600");
    firstLine("b");
    var attemptProcesses = start("a", "setsid env -i sleep 600 & echo $! > ready");
    var daemon = firstLine("a");
    assertThat(attemptProcesses.first().orElseThrow().exit().get(20, SECONDS).ok()).isTrue();
    live.remove("b").first().orElseThrow().signal(RunningProcess.Sig.KILL);

    assertThat(kill().killLeftovers(attemptProcesses).confirmed()).isTrue();

    assertThat(ProcessAwait.gone(daemon)).isTrue();
  }

  @Test
  void withoutLeftoversNothingIsSuspected() throws Exception {
    var attemptProcesses = start("a", "echo $$ > ready; exec sleep 600");
    firstLine("a");
    var first = (int) attemptProcesses.first().orElseThrow().pid();

    ORPHANS.reap(pid -> pid == first, Duration.ZERO);

    assertThat(ORPHANS.mayHaveLeftovers(pid -> pid == first))
        .as("only %d is a child of this process: %s", first, children())
        .isFalse();
  }

  private static List<String> children() {
    return ProcessHandle.current()
        .children()
        .map(child -> child.pid() + " " + child.info().commandLine().orElse("?"))
        .toList();
  }

  @Test
  void killsEarlierLeftoversUnderThisRootOnly(@TempDir Path elsewhere) throws Exception {
    var foreign = launch(elsewhere, "z", "setsid sleep 600 & echo $! > ready; wait");
    start("a", "setsid sleep 600 & echo $! > ready; wait");
    var left = firstLine("a");

    assertThat(ProcessTreeKiller.killEarlier(root, GRACE).confirmed()).isTrue();

    assertThat(ProcessAwait.gone(left)).isTrue();
    assertThat(foreign.exit()).isNotDone();
    assertThat(ProcessTreeKiller.killEarlier(elsewhere, GRACE).confirmed()).isTrue();
  }

  /** As with sudo or env -i: what the agent knew of the process died with the agent. */
  @Test
  void killsEarlierProcessesWithoutMarkers() throws Exception {
    var folder = Files.createDirectories(root.resolve("attempts/1"));
    var first =
        start("a", "exec env -i sh -c 'echo $$ > ready; exec sleep 600'").first().orElseThrow();
    firstLine("a");
    FirstProcess.write(folder, first.pid());

    assertThat(ProcessTreeKiller.killEarlier(root, GRACE).confirmed()).isTrue();
    assertThat(first.exit().get(20, SECONDS).ok()).isFalse();
  }

  /** Process ids are reused. */
  @Test
  void reusedSessionIdIsSpared() throws Exception {
    var folder = Files.createDirectories(root.resolve("attempts/1"));
    var foreign =
        start("a", "exec env -i sh -c 'echo $$ > ready; exec sleep 600'").first().orElseThrow();
    firstLine("a");
    FirstProcess.write(folder, foreign.pid());
    var record = folder.resolve("session");
    var words = Files.readString(record).split(" ");
    Files.writeString(record, words[0] + " 1 " + words[2]);

    assertThat(ProcessTreeKiller.killEarlier(root, GRACE).confirmed()).isTrue();
    assertThat(foreign.exit()).isNotDone();

    Files.writeString(record, words[0] + " " + words[1] + " another-boot\n");
    assertThat(ProcessTreeKiller.killEarlier(root, GRACE).confirmed()).isTrue();
    assertThat(foreign.exit()).isNotDone();
  }

  @Test
  void otherAgentsRankIsSpared(@TempDir Path elsewhere) throws Exception {
    var other = launch(elsewhere, "a", "echo $$ > ready; exec sleep 600");
    assertThat(Files.readString(elsewhere.resolve("a/ready"))).isNotBlank();
    var attemptProcesses = start("a", "setsid sleep 600 & echo $! > ready");
    var daemon = firstLine("a");
    assertThat(attemptProcesses.first().orElseThrow().exit().get(20, SECONDS).ok()).isTrue();

    assertThat(kill().killLeftovers(attemptProcesses).confirmed()).isTrue();
    assertThat(kill().kill(attemptProcesses, Duration.ZERO).confirmed()).isTrue();

    assertThat(ProcessAwait.gone(daemon)).isTrue();
    assertThat(other.exit()).isNotDone();
    assertThat(ProcessTreeKiller.killEarlier(elsewhere, GRACE).confirmed()).isTrue();
  }

  @Test
  void killingTwiceIsHarmless() throws Exception {
    var attemptProcesses = start("a", "echo $$ > ready; exec sleep 600");
    firstLine("a");

    assertThat(kill().kill(attemptProcesses, Duration.ZERO).confirmed()).isTrue();
    assertThat(kill().kill(attemptProcesses, Duration.ZERO).confirmed()).isTrue();
  }

  private ProcessTreeKiller kill() {
    return new ProcessTreeKiller(root, () -> ORPHANS, live::values, GRACE);
  }

  private AttemptProcesses start(String id, String script) throws Exception {
    live.put(id, new AttemptProcesses(id, Optional.empty(), false));
    var attemptProcesses = new AttemptProcesses(id, Optional.of(launch(root, id, script)), false);
    live.put(id, attemptProcesses);
    return attemptProcesses;
  }

  private static RunningProcess launch(Path root, String id, String script) throws Exception {
    var folder = Files.createDirectory(root.resolve(id));
    var pipe = folder.resolve("ready").toString();
    assertThat(new ProcessBuilder("mkfifo", pipe).start().waitFor()).isZero();
    var environment = new HashMap<>(TaskMarkers.of(root, id));
    environment.put("PATH", "/usr/bin:/bin");
    var argv = List.of("sh", "-c", script);
    var processCommand = new ProcessCommand(argv, environment, folder, folder.resolve("log"));
    return switch (LAUNCHER.launch(processCommand)) {
      case LaunchResult.Started(RunningProcess runningProcess) -> runningProcess;
      case LaunchResult.NotStarted refused -> throw new AssertionError(refused);
      case LaunchResult.NoRoom refused -> throw new AssertionError(refused);
    };
  }

  /** The process id that the script writes to its pipe once it runs. */
  private long firstLine(String id) throws Exception {
    return Long.parseLong(Files.readString(root.resolve(id).resolve("ready")).strip());
  }
}
