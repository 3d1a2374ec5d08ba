package dev.mayfly.cli.schedule;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.model.message.UserCommand.ChangeSchedule.Action;
import dev.mayfly.core.query.schedule.ScheduleStatus;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code mayfly schedule pause}. */
@Command(
    name = "pause",
    description =
        "Submits no more jobs of a schedule until it is resumed; times that pass are not made up.",
    footer = {"", "Example:", "  mayfly schedule pause nightly"})
public final class SchedulePauseCommand extends ScheduleChangeCommand {
  public SchedulePauseCommand(CliContext cliContext) {
    super(cliContext, Action.PAUSE);
  }

  @Override
  String said(String address, Optional<ScheduleStatus> now) {
    return "schedule %s is paused; mayfly schedule resume %s ends that".formatted(address, address);
  }
}
