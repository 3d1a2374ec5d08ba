package dev.mayfly.cli.schedule;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.model.message.UserCommand.ChangeSchedule.Action;
import dev.mayfly.core.query.schedule.ScheduleStatus;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code mayfly schedule resume}. */
@Command(
    name = "resume",
    description = "Ends mayfly schedule pause.",
    footer = {"", "Example:", "  mayfly schedule resume nightly"})
public final class ScheduleResumeCommand extends ScheduleChangeCommand {
  public ScheduleResumeCommand(CliContext cliContext) {
    super(cliContext, Action.RESUME);
  }

  @Override
  String said(String address, Optional<ScheduleStatus> now) {
    return "schedule %s is %s%s"
        .formatted(
            address,
            now.map(ScheduleStatus::state).orElse("gone"),
            now.flatMap(ScheduleStatus::next).map(at -> ", next at " + at).orElse(""));
  }
}
