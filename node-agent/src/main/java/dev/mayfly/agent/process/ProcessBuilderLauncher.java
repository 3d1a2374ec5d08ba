package dev.mayfly.agent.process;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Starts processes with ProcessBuilder where {@link SpawnLauncher} cannot work.
 *
 * <p>With {@code setsid} and {@code kill} on the machine, as on every Linux, a command gets its own
 * session and is signalled as a group; elsewhere signals reach only the process and its known
 * descendants. An exit code of 129 to 192 is read as a signal, because the JDK does not distinguish
 * the two.
 */
final class ProcessBuilderLauncher implements CommandLauncher {
  private final boolean sessions = onPath("setsid") && onPath("kill");
  private final ProgramFinder programFinder = new ProgramFinder();

  @Override
  public LaunchResult launch(ProcessCommand processCommand) {
    var program = programFinder.find(processCommand);
    if (program.isEmpty()) {
      return new LaunchResult.NotStarted(127, SpawnLauncher.notFound(processCommand));
    }
    var refused = programFinder.launchFailure(program.get(), processCommand);
    if (refused.isPresent()) {
      return refused.get();
    }
    try {
      return new LaunchResult.Started(
          new Child(builder(program.get(), processCommand).start(), sessions));
    } catch (IOException e) {
      return new LaunchResult.NotStarted(126, program.get() + " cannot be run: " + e.getMessage());
    }
  }

  @Override
  public String describe() {
    return sessions
        ? "ProcessBuilder with setsid"
        : "ProcessBuilder; no setsid here, so a task's runaway children may survive it";
  }

  private ProcessBuilder builder(String program, ProcessCommand processCommand) {
    var argv = new ArrayList<String>();
    if (sessions) {
      argv.addAll(List.of("setsid", "--"));
    }
    if (processCommand.steps().isEmpty()) {
      argv.add(program);
      argv.addAll(processCommand.argv().subList(1, processCommand.argv().size()));
    } else {
      argv.addAll(processCommand.fullArgv());
    }
    var builder = new ProcessBuilder(argv).directory(processCommand.directory().toFile());
    builder.environment().clear();
    builder.environment().putAll(processCommand.initialEnvironment());
    return builder
        .redirectInput(new File("/dev/null"))
        .redirectOutput(Redirect.appendTo(processCommand.output().toFile()))
        .redirectErrorStream(true);
  }

  private static boolean onPath(String name) {
    for (var folder : System.getenv().getOrDefault("PATH", "").split(":")) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, name))) {
        return true;
      }
    }
    return false;
  }

  private static final class Child implements RunningProcess {
    private final Process process;
    private final boolean sessions;
    private final CompletableFuture<ProcessExit> exited;
    private volatile boolean signalled;

    Child(Process process, boolean sessions) {
      this.process = process;
      this.sessions = sessions;
      this.exited = process.onExit().thenApply(this::ended);
    }

    private ProcessExit ended(Process dead) {
      if (sessions && !signalled) {
        group(Sig.KILL);
      }
      int code = dead.exitValue();
      return code > 128 && code <= 192
          ? new ProcessExit.Signal(code - 128)
          : new ProcessExit.Code(code);
    }

    @Override
    public long pid() {
      return process.pid();
    }

    @Override
    public CompletableFuture<ProcessExit> exit() {
      return exited;
    }

    @Override
    public void signal(Sig signal) {
      if (!process.isAlive()) {
        return;
      }
      signalled = true;
      if (sessions) {
        group(signal);
      } else {
        process.descendants().forEach(child -> end(child, signal));
        end(process.toHandle(), signal);
      }
    }

    private static void end(ProcessHandle handle, Sig signal) {
      boolean unused = signal == Sig.TERM ? handle.destroy() : handle.destroyForcibly();
    }

    private void group(Sig signal) {
      try {
        var kill = new ProcessBuilder("kill", "-" + signal.number, "--", "-" + process.pid());
        kill.redirectErrorStream(true).redirectOutput(Redirect.DISCARD);
        if (kill.start().waitFor() != 0) {
          // The process has not called setsid yet.
          end(process.toHandle(), signal);
        }
      } catch (IOException e) {
        throw new IllegalStateException("cannot run kill: " + e.getMessage(), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
