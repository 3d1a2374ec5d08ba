package dev.mayfly.cli.context;

import picocli.CommandLine.Mixin;

/** A command that applies to one cluster. */
public abstract class ClusterCommand extends ResultCommand {
  @Mixin protected final ClusterOption cluster;

  protected ClusterCommand(CliContext cliContext) {
    super(cliContext);
    cluster = new ClusterOption(cliContext);
  }
}
