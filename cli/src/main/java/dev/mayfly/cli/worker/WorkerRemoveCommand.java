package dev.mayfly.cli.worker;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.error.UnavailableException;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mayfly worker remove}: removes a static worker. */
@Command(
    name = "remove",
    description = {
      "Removes a static worker.",
      "Tasks that have not started are returned, running tasks may end within five minutes, and"
          + " then"
          + " the worker is gone. mayfly worker join adds it again."
    },
    footer = {"", "Example:", "  mayfly worker remove desk-1"})
public final class WorkerRemoveCommand extends DrainingCommand {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration MAX_PAUSE = Duration.ofMillis(500);

  @Option(names = "--no-wait", description = "Does not wait until the worker is gone.")
  boolean noWait;

  public WorkerRemoveCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var name = cluster.ofWorker(worker);
    var seen = drain(name, "removal");
    if (!noWait && !seen.state().equals("lost"))
      seen =
          cliContext
              .poller()
              .until(LIMIT, MAX_PAUSE, () -> draining(name).filter(w -> w.state().equals("gone")))
              .orElseThrow(() ->
                  new UnavailableException(
                      worker + " is still draining; mayfly workers shows when it is gone"));
    show(seen);
    return 0;
  }
}
