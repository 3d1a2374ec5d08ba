package dev.mayfly.cli.context;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only has subcommands; without one, it says which there are. */
public abstract class CommandGroup extends CliCommand {
  private final String subcommands;
  @Spec CommandSpec spec = CommandSpec.create();

  protected CommandGroup(CliContext cliContext, String subcommands) {
    super(cliContext);
    this.subcommands = subcommands;
  }

  @Override
  public final Integer call() {
    throw new ParameterException(spec.commandLine(), "missing subcommand: " + subcommands);
  }
}
