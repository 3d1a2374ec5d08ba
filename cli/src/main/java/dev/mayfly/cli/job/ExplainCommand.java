package dev.mayfly.cli.job;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterOption;
import dev.mayfly.cli.context.CommonOptions;
import dev.mayfly.cli.output.ExplainPage;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code mayfly explain}: explains the state of a job. */
@Command(
    name = "explain",
    description = "Explains the state of a job: what it waits for, what failed, what happened.",
    footer = {"", "Example:", "  mayfly explain reddit-toxicity"})
public final class ExplainCommand implements Callable<Integer> {
  private final CliContext cliContext;
  @Mixin CommonOptions commonOptions = new CommonOptions();
  @Mixin ClusterOption cluster = new ClusterOption();

  @Parameters(paramLabel = "JOB", description = "Its name or uid.")
  String job = "";

  public ExplainCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    var name = cluster.ofJob(cliContext, job);
    var jobExplanation = cliContext.api().explain(name, job);
    var screen = cliContext.screen();
    if (commonOptions.json()) commonOptions.json(screen, jobExplanation);
    else
      screen.lines(
          ExplainPage.lines(
              cliContext.api().job(name, job), jobExplanation, cliContext.now(), screen));
    return 0;
  }
}
