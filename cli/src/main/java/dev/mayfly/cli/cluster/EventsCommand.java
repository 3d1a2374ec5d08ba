package dev.mayfly.cli.cluster;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.cli.context.LimitOption;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.EventLines;
import dev.mayfly.core.model.document.EventRecord;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
      "  mayfly events -f",
      "  mayfly events job/reddit-toxicity",
      "  mayfly events worker/us-central2-cpu-7f3a2b -o json",
      "  mayfly events -f -o json --since 2026-01-31T10:00:00.000Z-lost-k3v9x0a1b2"
    })
public final class EventsCommand extends ClusterCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ABOUT",
      description =
          "Only events about one thing: job/NAME, job/OWNER/NAME, worker/NAME, pool/NAME,"
              + " slice/NAME, storage/NAME or cluster/NAME.")
  @Nullable String about;

  @Option(
      names = {"-f", "--follow"},
      description =
          "Shows events as they happen, oldest first, until Ctrl-C; a line of JSON each with -o json.")
  boolean follow;

  @Option(
      names = "--since",
      paramLabel = "ID",
      description = "With -f: continues after the event with this id.")
  @Nullable String since;

  @Mixin LimitOption limit = new LimitOption();

  public EventsCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var most = limit.checked();
    if (about != null && about.indexOf('/') < 1)
      throw CommandException.input(
          "'%1$s' names no kind; write job/%1$s or worker/%1$s".formatted(about));
    if (since != null && !follow)
      throw CommandException.input("--since is for -f; add it, or leave --since out");
    if (follow) {
      follow(most);
      return 0;
    }
    var eventRecords = cliContext.api().events(named(), Optional.ofNullable(about), most);
    showTable(
        eventRecords,
        () -> EventLines.table(eventRecords, cliContext.now(), textScreen()),
        "no events" + (about == null ? "" : " about " + about));
    return 0;
  }

  private void follow(int most) {
    var events =
        new EventFollower(
            cliContext.api(),
            cliContext.poller(),
            named(),
            Optional.ofNullable(about),
            cliContext.screen()::note);
    (since == null ? events.newest(most) : events.since(since)).forEach(this::show);
    events.follow(this::show);
  }

  private void show(EventRecord event) {
    show(event, () -> cliContext.screen().lines(EventLines.lines(event, textScreen())));
  }

  private String named() {
    if (about == null) return cluster.name();
    var name = about.substring(about.indexOf('/') + 1);
    return about.startsWith("job/") ? cluster.ofJob(name) : cluster.name();
  }
}
