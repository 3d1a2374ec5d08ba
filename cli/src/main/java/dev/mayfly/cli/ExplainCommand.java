package dev.mayfly.cli;

import dev.mayfly.cli.show.ExplainPage;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code mayfly explain}: why a job is where it is. */
@Command(
    name = "explain",
    description = "Says why a job is where it is: what it waits for, what failed, what happened.",
    footer = {"", "Example:", "  mayfly explain reddit-toxicity"})
final class ExplainCommand implements Callable<Integer> {
  private final Session session;
  @Mixin Common common = new Common();
  @Mixin OneCluster cluster = new OneCluster();

  @Parameters(paramLabel = "JOB", description = "Its name or uid.")
  String job = "";

  ExplainCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var name = cluster.ofJob(session, job);
    var explanation = session.api().explain(name, job);
    var screen = session.screen();
    if (common.json()) common.json(screen, explanation);
    else
      screen.lines(
          ExplainPage.lines(session.api().job(name, job), explanation, session.now(), screen));
    return 0;
  }
}
