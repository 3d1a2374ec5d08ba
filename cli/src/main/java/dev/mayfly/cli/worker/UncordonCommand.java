package dev.mayfly.cli.worker;

import dev.mayfly.cli.context.CliContext;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code mayfly uncordon}: a worker or pool takes tasks again. */
@Command(
    name = "uncordon",
    description = "Ends mayfly cordon: the worker, or all workers of the pool, take tasks again.",
    footer = {"", "Example:", "  mayfly uncordon cpu-7f3a"})
public final class UncordonCommand extends CordoningCommand {
  public UncordonCommand(CliContext cliContext) {
    super(cliContext, false);
  }

  @Override
  Map<String, Object> fields() {
    return Map.of();
  }
}
