package dev.mayfly.cli;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code mayfly slice delete}. */
@Command(
    name = "delete",
    description = "Drains a slice that was made by hand, and gives its TPUs back.",
    footer = {"", "Example:", "  mayfly slice delete big"})
final class SliceDeleteCommand implements Callable<Integer> {
  private final Session session;
  @Mixin Common common = new Common();
  @Mixin OneCluster cluster = new OneCluster();

  @Parameters(paramLabel = "NAME", description = "As mayfly slice list names it.")
  String slice = "";

  SliceDeleteCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var fields = Map.of("cluster", cluster.ofSlice(session, slice), "slice", slice);
    Slices.publish(
        session, "DeleteSlice", fields, c -> c.pool(slice).filter(p -> p.max() > 0).isEmpty());
    if (common.json()) common.json(session.screen(), fields);
    else session.screen().line("slice " + slice + " is drained, and goes");
    return 0;
  }
}
