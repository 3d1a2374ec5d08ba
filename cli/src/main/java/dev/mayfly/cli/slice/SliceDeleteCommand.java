package dev.mayfly.cli.slice;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterOption;
import dev.mayfly.cli.context.CommonOptions;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code mayfly slice delete}. */
@Command(
    name = "delete",
    description = "Drains a manual slice and gives its TPUs back.",
    footer = {"", "Example:", "  mayfly slice delete big"})
public final class SliceDeleteCommand implements Callable<Integer> {
  private final CliContext cliContext;
  @Mixin CommonOptions commonOptions = new CommonOptions();
  @Mixin ClusterOption cluster = new ClusterOption();

  @Parameters(paramLabel = "NAME", description = "A name that mayfly slice list shows.")
  String slice = "";

  public SliceDeleteCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    var fields = Map.of("cluster", cluster.ofSlice(cliContext, slice), "slice", slice);
    ManualSlices.publish(
        cliContext, "DeleteSlice", fields, c -> c.pool(slice).filter(p -> p.max() > 0).isEmpty());
    if (commonOptions.json()) commonOptions.json(cliContext.screen(), fields);
    else cliContext.screen().line("slice " + slice + " is draining and will be deleted");
    return 0;
  }
}
