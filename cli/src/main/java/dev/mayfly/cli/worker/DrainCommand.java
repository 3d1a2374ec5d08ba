package dev.mayfly.cli.worker;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterOption;
import dev.mayfly.cli.context.CommonOptions;
import dev.mayfly.wire.UserDocuments;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code mayfly drain}: drains a worker. */
@Command(
    name = "drain",
    description = "Gives a worker no more work; its running tasks end and its machine is deleted.",
    footer = {"", "Example:", "  mayfly drain cpu-7f3a"})
public final class DrainCommand implements Callable<Integer> {
  private final CliContext cliContext;
  @Mixin CommonOptions commonOptions = new CommonOptions();
  @Mixin ClusterOption cluster = new ClusterOption();

  @Parameters(paramLabel = "WORKER", description = "A name that mayfly workers lists.")
  String worker = "";

  public DrainCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    var name = cluster.ofWorker(cliContext, worker);
    var document = UserDocuments.of("DrainWorker", Map.of("cluster", name, "worker", worker));
    var message = cliContext.topics().publish(document);
    var drained =
        cliContext
            .acceptance()
            .await(message, "drain of " + worker, () -> DrainStatus.of(cliContext, name, worker));
    var screen = cliContext.screen();
    if (commonOptions.json()) commonOptions.json(screen, drained);
    else screen.line(DrainStatus.line(drained));
    return 0;
  }
}
