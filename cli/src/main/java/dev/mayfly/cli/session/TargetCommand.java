package dev.mayfly.cli.session;

import dev.mayfly.cli.context.CliCommand;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterOption;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;

/** A command that does something on a machine. */
public abstract class TargetCommand extends CliCommand {
  /** A lease comes a moment before the process. */
  static final Duration MOMENT = Duration.ofSeconds(5);

  private static final Duration EVERY = Duration.ofSeconds(1);

  @Mixin protected final ClusterOption cluster;

  protected TargetCommand(CliContext cliContext) {
    super(cliContext);
    cluster = new ClusterOption(cliContext);
  }

  final TargetLookup lookup() {
    return new TargetLookup(cliContext.api(), cluster);
  }

  /** The target of this name. */
  protected final SessionTarget target(String name) {
    return chosen(lookup().find(name), name);
  }

  /** As {@link #target(String)}; a task that has no worker yet is waited for. */
  protected final SessionTarget target(String name, Duration limit) {
    if (limit.isZero()) return target(name);
    var said = new String[] {""};
    var found =
        cliContext
            .poller()
            .until(
                limit,
                EVERY,
                () -> {
                  try {
                    return Optional.of(lookup().find(name));
                  } catch (CommandException notYet) {
                    if (notYet.exitCode() != CommandExitCode.UNAVAILABLE) throw notYet;
                    var why =
                        String.valueOf(notYet.getMessage())
                            .replace("; mayfly attach --wait SECONDS waits for one", "");
                    if (!said[0].equals(why)) cliContext.screen().note("waiting: " + why);
                    said[0] = why;
                    return Optional.<List<SessionTarget>>empty();
                  }
                });
    return found.map(all -> chosen(all, name)).orElseGet(() -> target(name));
  }

  private SessionTarget chosen(List<SessionTarget> targets, String name) {
    if (targets.size() == 1) return targets.getFirst();
    var shell = MachineShell.of(cliContext);
    for (var target : targets)
      if (ForegroundProcess.code(shell.program(target, List.of("true"), false, MOMENT)) == 0)
        return target;
    throw CommandException.notFound("none of the workers of " + name + " runs that rank");
  }

  /** A program of this computer that runs the command at the target, without a terminal. */
  protected final LocalProgram program(SessionTarget target, List<String> argv) {
    return MachineShell.of(cliContext).program(target, argv, false, MOMENT);
  }

  /** Runs the command at the target in the foreground, and says why it ended if that was not it. */
  final int session(SessionTarget target, List<String> argv) {
    return session(target, argv, MOMENT);
  }

  /**
   * As {@link #session(SessionTarget, List)}.
   *
   * @param wait how long the task's process may take to start
   */
  final int session(SessionTarget target, List<String> argv, Duration wait) {
    var shell = MachineShell.of(cliContext);
    var terminal = Terminal.isInteractive();
    var code = ForegroundProcess.run(shell.program(target, argv, terminal, wait));
    new SessionEnd(cliContext, shell)
        .explain(target, code)
        .ifPresent(why -> cliContext.screen().note("mayfly: " + why));
    return code;
  }
}
