package dev.mayfly.cli.local;

import dev.mayfly.cli.context.CliCommand;
import dev.mayfly.cli.context.CliContext;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly local stock}: limits the machines of a zone. */
@Command(
    name = "stock",
    description = "Limits a zone to N more machines, or removes the limit.",
    footer = {
      "",
      "Examples:",
      "  mayfly local stock us-central1-a 0",
      "  mayfly local stock us-central1-a",
      "  mayfly local stock us-central1-a 0 --type g2-standard-8"
    })
public final class ZoneStockCommand extends CliCommand {
  @Parameters(index = "0", paramLabel = "ZONE", description = "For example us-central1-a.")
  String zone = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "N",
      description = "How many more; without it, no limit.")
  @Nullable Integer machines;

  @Option(names = "--type", paramLabel = "TYPE", description = "Only for this machine type.")
  @Nullable String type;

  public ZoneStockCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var settings = new TreeMap<String, String>();
    if (machines != null) settings.put("n", machines.toString());
    if (type != null) settings.put("type", type);
    cliContext.faultControls().stock(zone, settings);
    cliContext
        .screen()
        .line(
            "zone "
                + zone
                + " has capacity for "
                + (machines == null ? "any number of" : machines)
                + " more machines"
                + (type == null ? "" : " of type " + type));
    return 0;
  }
}
