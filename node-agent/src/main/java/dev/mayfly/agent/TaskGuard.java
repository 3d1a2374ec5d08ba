package dev.mayfly.agent;

import dev.mayfly.agent.files.WorkDir;
import dev.mayfly.agent.process.kill.ProcessTreeKiller;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Ends the tasks of an agent that is killed, where nothing else does: a machine of one's own is not
 * deleted for its silence, and its tasks may start elsewhere.
 *
 * <p>A shell waits for the end of its input, which the agent holds. After a moment, in which
 * another agent may take the folder and end what was left there itself, it becomes a Java process
 * that does so. An agent that ends in order ends the shell first.
 */
final class TaskGuard implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String SCRIPT =
      "trap '' HUP INT QUIT TERM; while read -r none; do :; done; sleep \"$1\"; shift; exec \"$@\"";

  private final Optional<Process> shell;

  private TaskGuard(Optional<Process> shell) {
    this.shell = shell;
  }

  /** Guards nothing. */
  static TaskGuard none() {
    return new TaskGuard(Optional.empty());
  }

  /**
   * Guards the tasks of this process, which has locked the folder. Linux alone knows them later.
   */
  static TaskGuard of(Path root) {
    var java = ProcessHandle.current().info().command();
    return java.isPresent() && Files.isDirectory(Path.of("/proc/self"))
        ? start(java.get(), root, ProcessHandle.current().pid(), PAUSE)
        : none();
  }

  static TaskGuard start(String java, Path root, long agent, Duration pause) {
    var command =
        new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "mayfly-guard", "" + pause.toSeconds()));
    command.addAll(List.of(java, "-Xmx64m", "-XX:TieredStopAtLevel=1"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), TaskGuard.class.getName()));
    command.addAll(List.of(root.toAbsolutePath().toString(), Long.toString(agent)));
    var builder = new ProcessBuilder(command);
    // It needs none of the agent's settings, of which some are secret.
    builder.environment().keySet().retainAll(Set.of("PATH"));
    try {
      return new TaskGuard(
          Optional.of(builder.redirectErrorStream(true).redirectOutput(Redirect.DISCARD).start()));
    } catch (IOException noShell) {
      return none();
    }
  }

  /** Ends what the agent left in the folder, unless another one has it. */
  public static void main(String[] arguments) throws IOException {
    var root = Path.of(arguments[0]);
    if (!Files.readString(root.resolve("lock")).strip().equals(arguments[1])) return;
    try (var workDir = WorkDir.open(root)) {
      ProcessTreeKiller.killEarlier(workDir.root(), PATIENCE);
    }
  }

  /** The shell, for those who wait for its end. */
  Optional<Process> shell() {
    return shell;
  }

  /** Returns when it has ended: an agent that ends in order leaves no process. */
  @Override
  public void close() {
    shell
        .map(Process::destroyForcibly)
        .ifPresent(killed ->
            killed.onExit().completeOnTimeout(killed, PAUSE.toSeconds(), TimeUnit.SECONDS).join());
  }
}
