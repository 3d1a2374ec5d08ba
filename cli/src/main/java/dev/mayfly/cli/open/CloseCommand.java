package dev.mayfly.cli.open;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.wire.UserDocuments;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code mayfly close}: an open job takes no more tasks. */
@Command(
    name = "close",
    description = {
      "Closes an open job: it takes no more tasks, and ends when those it has have ended.",
      "mayfly stop ends it without them, mayfly wait waits for its end."
    },
    footer = {"", "Example:", "  mayfly close tune && mayfly wait tune"})
public final class CloseCommand extends ClusterCommand {
  @Parameters(index = "0", paramLabel = "JOB", description = "Its name, OWNER/NAME or uid.")
  String job = "";

  public CloseCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var before = cluster.jobToChange(job);
    if (before.endedAt().isEmpty() && before.openUntil().isEmpty() && !before.isOpenJob())
      throw CommandException.input(
          "job %s is not open; it ends by itself when its tasks have".formatted(before.name()));
    var after = before.openUntil().isEmpty() ? before : close(before);
    var totals = after.totals();
    var ended = totals.done() + totals.failed() + totals.stopped().orElse(0L);
    var left = after.endedAt().isPresent() ? 0 : after.tasks() - ended;
    humanScreen()
        .line("job %s is closed; %s left".formatted(after.name(), HumanFormat.count(left, "task")));
    RefusedAdditions.of(cliContext.api(), after).ifPresent(cliContext.screen()::note);
    showJson(after);
    return 0;
  }

  private JobStatus close(JobStatus open) {
    var fields = Map.of("cluster", open.cluster(), "job", open.address());
    return cliContext.publish(
        UserDocuments.of("CloseJob", fields),
        "the close of " + open.name(),
        () ->
            Optional.of(cliContext.api().job(open.cluster(), open.uid()))
                .filter(now -> now.openUntil().isEmpty()));
  }
}
