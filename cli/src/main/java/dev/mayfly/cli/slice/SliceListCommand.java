package dev.mayfly.cli.slice;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import picocli.CommandLine.Command;

/** {@code mayfly slice list}. */
@Command(
    name = "list",
    aliases = "ls",
    description = "Lists the manual slices.",
    footer = {"", "Example:", "  mayfly slice list -o json"})
public final class SliceListCommand extends ClusterCommand {
  public SliceListCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var name = cluster.name();
    var slices =
        ManualSlices.of(
            cliContext.api().cluster(name).spec(), cliContext.api().workers(name, false));
    showTable(
        slices,
        () -> ManualSlices.table(slices),
        "no manual slices; create one with: mayfly slice create");
    return 0;
  }
}
