package dev.mayfly.cli.schedule;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.model.message.UserCommand.ChangeSchedule.Action;
import dev.mayfly.core.query.schedule.ScheduleStatus;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code mayfly schedule run}. */
@Command(
    name = "run",
    description = "Submits a job of a schedule now, besides its times.",
    footer = {"", "Example:", "  mayfly schedule run nightly"})
public final class ScheduleRunCommand extends ScheduleChangeCommand {
  public ScheduleRunCommand(CliContext cliContext) {
    super(cliContext, Action.RUN);
  }

  @Override
  String said(String address, Optional<ScheduleStatus> now) {
    return now.flatMap(ScheduleStatus::last)
        .map(last -> "job %s of schedule %s is %s".formatted(last.job(), address, last.outcome()))
        .orElse("schedule %s is gone".formatted(address));
  }
}
