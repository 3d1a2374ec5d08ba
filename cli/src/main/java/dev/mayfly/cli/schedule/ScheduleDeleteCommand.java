package dev.mayfly.cli.schedule;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.model.message.UserCommand.ChangeSchedule.Action;
import dev.mayfly.core.query.schedule.ScheduleStatus;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code mayfly schedule delete}. */
@Command(
    name = "delete",
    description = "Ends a schedule; the jobs that it submitted go on.",
    footer = {"", "Example:", "  mayfly schedule delete nightly"})
public final class ScheduleDeleteCommand extends ScheduleChangeCommand {
  public ScheduleDeleteCommand(CliContext cliContext) {
    super(cliContext, Action.DELETE);
  }

  @Override
  String said(String address, Optional<ScheduleStatus> now) {
    return now.isPresent()
        ? "schedule %s was stored again since".formatted(address)
        : "schedule %s is deleted; its jobs go on".formatted(address);
  }
}
