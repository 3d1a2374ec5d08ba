package dev.mayfly.cli.worker;

import dev.mayfly.cli.context.CliContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mayfly cordon}: nothing new starts on a worker or pool. */
@Command(
    name = "cordon",
    description = {
      "Gives a worker, or all workers of a pool, nothing new; what runs there goes on.",
      "It is not ended for being idle, so that you can look at it, until mayfly uncordon or the end of --for. A pool gets no more machines."
    },
    footer = {"", "Examples:", "  mayfly cordon cpu-7f3a", "  mayfly cordon gpu --for 30m"})
public final class CordonCommand extends CordoningCommand {
  @Option(
      names = "--for",
      paramLabel = "TIME",
      description = "Ends by itself after this time, such as 30m or 2d. Default: 4h.")
  @Nullable Duration lasts;

  public CordonCommand(CliContext cliContext) {
    super(cliContext, true);
  }

  @Override
  Map<String, Object> fields() {
    var fields = new HashMap<String, Object>();
    if (lasts != null) fields.put("for", lasts.toString());
    return fields;
  }
}
