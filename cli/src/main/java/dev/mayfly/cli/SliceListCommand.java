package dev.mayfly.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mayfly slice list}. */
@Command(
    name = "list",
    description = "Lists the slices that were made by hand.",
    footer = {"", "Example:", "  mayfly slice list -o json"})
final class SliceListCommand implements Callable<Integer> {
  private final Session session;
  @Mixin Common common = new Common();
  @Mixin OneCluster cluster = new OneCluster();

  SliceListCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var name = cluster.of(session);
    var slices = Slices.of(session.api().cluster(name).spec(), session.api().workers(name, false));
    var screen = session.screen();
    if (common.json()) common.json(screen, slices);
    else if (slices.isEmpty()) screen.note("no slice was made by hand (mayfly slice create)");
    else screen.lines(Slices.table(slices).lines(screen));
    return 0;
  }
}
