package dev.mayfly.cli.job;

import dev.mayfly.cli.client.JobUse;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.document.KeptCheckpoints;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.ExplainPage;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.cli.output.TaskSubjects;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.cost.CostBy;
import dev.mayfly.core.query.estimate.JobEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code mayfly explain}: explains the state of a job. */
@Command(
    name = "explain",
    description = "Explains the state of a job: what it waits for, what failed, what happened.",
    footer = {"", "Example:", "  mayfly explain reddit-toxicity"})
public final class ExplainCommand extends JobCommand {
  /** The newest jobs among which others of its name are looked for. */
  private static final int LOOKED_AT = 50;

  private static final int NAMED = 3;

  public ExplainCommand(CliContext cliContext) {
    super(cliContext);
  }

  /** What its submitter may not expect, and the jobs that had its name before. */
  private List<String> notes(JobStatus status) {
    var notes = new ArrayList<String>();
    KeptCheckpoints.of(status.spec())
        .or(() -> KeptCheckpoints.ofRepeat(status.spec()))
        .map(InputError::toString)
        .ifPresent(notes::add);
    var others =
        cliContext.api().jobs(status.cluster(), LOOKED_AT).stream()
            .filter(job -> job.address().equals(status.address()))
            .filter(job -> !job.uid().equals(status.uid()))
            .toList();
    if (others.isEmpty()) return notes;
    var some =
        others.stream()
            .limit(NAMED)
            .map(job ->
                "%s (%s, %s ago)"
                    .formatted(
                        job.uid(),
                        job.state(),
                        HumanFormat.age(job.submittedAt(), cliContext.now())))
            .toList();
    var more = others.size() - NAMED;
    notes.add(
        "others of its name: %s%s; each by its uid: mayfly explain %s"
            .formatted(
                String.join(", ", some),
                more > 0 ? " and %d more (mayfly jobs -o wide)".formatted(more) : "",
                others.getFirst().uid()));
    return notes;
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
              status.endedAt().isEmpty() ? api.estimate(name, job) : Optional.<JobEstimate>empty();
          var notes = notes(status);
          var used = JobUse.of(api, status).told();
          screen.lines(
              ExplainPage.lines(
                  status,
                  jobExplanation,
                  cost,
                  estimate,
                  used,
                  notes,
                  taskSubjects,
                  cliContext.now(),
                  screen));
        });
    return 0;
  }
}
