package dev.mayfly.cli;

import dev.mayfly.cli.exit.Exit;
import dev.mayfly.cli.exit.Refusal;
import dev.mayfly.cli.show.EventLines;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly events}: what happened. */
@Command(
    name = "events",
    description = "Lists what happened in a cluster and why, the newest first.",
    footer = {
      "",
      "Examples:",
      "  mayfly events",
      "  mayfly events job/reddit-toxicity",
      "  mayfly events worker/us-central2-cpu-7f3a2b -o json"
    })
final class EventsCommand implements Callable<Integer> {
  private final Session session;
  @Mixin Common common = new Common();
  @Mixin OneCluster cluster = new OneCluster();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ABOUT",
      description = "Only of this: job/NAME, worker/NAME or cluster/NAME.")
  @Nullable String about;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "50",
      description = "At most so many (50).")
  int limit = 50;

  EventsCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (limit < 1) throw new Refusal(Exit.INPUT, "-n is " + limit + "; write 1 or more");
    if (about != null && about.indexOf('/') < 1)
      throw new Refusal(
          Exit.INPUT, "'%1$s' names no kind; write job/%1$s or worker/%1$s".formatted(about));
    var events = session.api().events(named(), Optional.ofNullable(about), limit);
    var screen = session.screen();
    if (common.json()) common.json(screen, events);
    else if (events.isEmpty()) screen.note("no event" + (about == null ? "" : " about " + about));
    else screen.lines(EventLines.table(events, session.now()).lines(screen));
    return 0;
  }

  private String named() {
    if (about == null) return cluster.of(session);
    var name = about.substring(about.indexOf('/') + 1);
    return about.startsWith("job/") ? cluster.ofJob(session, name) : cluster.of(session);
  }
}
