package dev.mayfly.cli.storage;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import picocli.CommandLine.Command;

/** {@code mayfly storage ls}. */
@Command(
    name = "ls",
    aliases = "list",
    description = "Lists the cluster's storage: what it is, which pools mount it, how full it is.",
    footer = {"", "Example:", "  mayfly storage ls -o json"})
public final class StorageListCommand extends ClusterCommand {
  public StorageListCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var name = cluster.name();
    var rows =
        StorageRow.of(cliContext.api().cluster(name).spec(), cliContext.api().workers(name, false));
    showTable(
        rows,
        () -> StorageRow.table(rows),
        "cluster " + name + " has no storage; define it in its file, with storage:");
    return 0;
  }
}
