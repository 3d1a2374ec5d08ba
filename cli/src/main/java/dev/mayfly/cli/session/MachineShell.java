package dev.mayfly.cli.session;

import dev.mayfly.cli.context.CliContext;
import java.time.Duration;
import java.util.List;

/** How a command gets onto a machine. Nothing is started by these methods but {@link #forward}. */
interface MachineShell {
  /** The shell of the deployment that this command talks to. */
  static MachineShell of(CliContext cliContext) {
    return cliContext.endpoints().cloud().isEmpty()
        ? new GcloudShell(cliContext)
        : new LaptopShell(cliContext);
  }

  /**
   * A program that runs the command at the target.
   *
   * @param argv the command; empty for a shell
   * @param terminal whether the command gets a terminal
   * @param wait how long it waits on the machine for the task's first process
   */
  LocalProgram program(SessionTarget target, List<String> argv, boolean terminal, Duration wait);

  /**
   * Forwards ports of this computer to the target until it is interrupted or the target is gone.
   *
   * @return the exit code
   */
  int forward(SessionTarget target, List<PortPair> ports);

  /** Whether the machine is known to be off; false when that cannot be told from here. */
  boolean isOff(Machine machine);
}
