package dev.mayfly.cli.slice;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterOption;
import dev.mayfly.cli.context.CommonOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mayfly slice list}. */
@Command(
    name = "list",
    description = "Lists the manual slices.",
    footer = {"", "Example:", "  mayfly slice list -o json"})
public final class SliceListCommand implements Callable<Integer> {
  private final CliContext cliContext;
  @Mixin CommonOptions commonOptions = new CommonOptions();
  @Mixin ClusterOption cluster = new ClusterOption();

  public SliceListCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    var name = cluster.of(cliContext);
    var slices =
        ManualSlices.of(
            cliContext.api().cluster(name).spec(), cliContext.api().workers(name, false));
    var screen = cliContext.screen();
    if (commonOptions.json()) commonOptions.json(screen, slices);
    else if (slices.isEmpty())
      screen.note("no manual slices; create one with: mayfly slice create");
    else screen.lines(ManualSlices.table(slices).lines(screen));
    return 0;
  }
}
