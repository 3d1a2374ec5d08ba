package dev.mayfly.cli.job;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.document.KeptCheckpoints;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.ExplainPage;
import dev.mayfly.cli.output.TaskSubjects;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.query.cost.CostBy;
import dev.mayfly.core.query.estimate.JobEstimate;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code mayfly explain}: explains the state of a job. */
@Command(
    name = "explain",
    description = "Explains the state of a job: what it waits for, what failed, what happened.",
    footer = {"", "Example:", "  mayfly explain reddit-toxicity"})
public final class ExplainCommand extends JobCommand {
  public ExplainCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var tasks = TaskSelection.parse(job);
    if (tasks.isPresent())
      throw CommandException.input(
          "explain is about a whole job: mayfly explain %s; of a task write: mayfly tasks %s"
              .formatted(tasks.get().job(), job));
    var name = cluster.ofJob(job);
    var jobExplanation = cliContext.api().explain(name, job);
    var screen = textScreen();
    var taskSubjects = new TaskSubjects(index -> cliContext.api().findTask(name, job, index));
    show(
        jobExplanation,
        () -> {
          var api = cliContext.api();
          var status = api.job(name, job);
          var cost = api.cost(name, CostBy.DAY, Optional.empty(), Optional.of(job));
          var estimate =
              status.state().equals("running")
                  ? api.estimate(name, job)
                  : Optional.<JobEstimate>empty();
          var notes =
              KeptCheckpoints.of(status.spec())
                  .or(() -> KeptCheckpoints.ofRepeat(status.spec()))
                  .map(InputError::toString)
                  .stream()
                  .toList();
          screen.lines(
              ExplainPage.lines(
                  status,
                  jobExplanation,
                  cost,
                  estimate,
                  notes,
                  taskSubjects,
                  cliContext.now(),
                  screen));
        });
    return 0;
  }
}
