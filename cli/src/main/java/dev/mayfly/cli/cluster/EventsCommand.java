package dev.mayfly.cli.cluster;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.EventLines;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly events}: lists events. */
@Command(
    name = "events",
    description = "Lists what happened in a cluster and why, newest first.",
    footer = {
      "",
      "Examples:",
      "  mayfly events",
      "  mayfly events job/reddit-toxicity",
      "  mayfly events worker/us-central2-cpu-7f3a2b -o json"
    })
public final class EventsCommand extends ClusterCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ABOUT",
      description = "Only events about job/NAME, worker/NAME or cluster/NAME.")
  @Nullable String about;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "50",
      description = "Maximum number of events (50).")
  int limit = 50;

  public EventsCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    if (limit < 1) throw CommandException.input("-n is " + limit + "; write 1 or more");
    if (about != null && about.indexOf('/') < 1)
      throw CommandException.input(
          "'%1$s' names no kind; write job/%1$s or worker/%1$s".formatted(about));
    var eventRecords = cliContext.api().events(named(), Optional.ofNullable(about), limit);
    showTable(
        eventRecords,
        () -> EventLines.table(eventRecords, cliContext.now()),
        "no events" + (about == null ? "" : " about " + about));
    return 0;
  }

  private String named() {
    if (about == null) return cluster.name();
    var name = about.substring(about.indexOf('/') + 1);
    return about.startsWith("job/") ? cluster.ofJob(name) : cluster.name();
  }
}
