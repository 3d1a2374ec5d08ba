package dev.mayfly.cli.slice;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code mayfly slice delete}. */
@Command(
    name = "delete",
    description = "Drains a manual slice and gives its TPUs back.",
    footer = {"", "Example:", "  mayfly slice delete big"})
public final class SliceDeleteCommand extends ClusterCommand {
  @Parameters(paramLabel = "NAME", description = "A name that mayfly slice list shows.")
  String slice = "";

  public SliceDeleteCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var fields = Map.of("cluster", cluster.ofSlice(slice), "slice", slice);
    ManualSlices.publish(
        cliContext, "DeleteSlice", fields, c -> c.pool(slice).filter(p -> p.max() > 0).isEmpty());
    show(
        fields,
        () -> cliContext.screen().line("slice " + slice + " is draining and will be deleted"));
    return 0;
  }
}
