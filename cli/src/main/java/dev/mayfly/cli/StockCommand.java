package dev.mayfly.cli;

import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly local stock}: how many machines a zone has left. */
@Command(
    name = "stock",
    description = "Lets a zone have room for N more machines, or for any number again.",
    footer = {
      "",
      "Examples:",
      "  mayfly local stock us-central1-a 0",
      "  mayfly local stock us-central1-a",
      "  mayfly local stock us-central1-a 0 --type g2-standard-8"
    })
final class StockCommand implements Callable<Integer> {
  private final Session session;
  @Mixin HelpOption help = new HelpOption();

  @Parameters(index = "0", paramLabel = "ZONE", description = "For example us-central1-a.")
  String zone = "";

  @Parameters(index = "1", arity = "0..1", paramLabel = "N", description = "Any number without it.")
  @Nullable Integer machines;

  @Option(names = "--type", paramLabel = "TYPE", description = "Of one machine type only.")
  @Nullable String type;

  StockCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var settings = new TreeMap<String, String>();
    if (machines != null) settings.put("n", machines.toString());
    if (type != null) settings.put("type", type);
    session.dials().stock(zone, settings);
    session
        .screen()
        .line(
            "zone "
                + zone
                + " has room for "
                + (machines == null ? "any number of" : machines)
                + " more machines"
                + (type == null ? "" : " of type " + type));
    return 0;
  }
}
