package dev.mayfly.cli.schedule;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.core.model.message.UserCommand.ChangeSchedule.Action;
import dev.mayfly.core.query.schedule.ScheduleStatus;
import dev.mayfly.wire.UserDocuments;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Parameters;

/** A command that changes one schedule. */
abstract class ScheduleChangeCommand extends ClusterCommand {
  @Parameters(paramLabel = "NAME", description = "A name that mayfly schedule lists.")
  String name = "";

  private final Action action;

  ScheduleChangeCommand(CliContext cliContext, Action action) {
    super(cliContext);
    this.action = action;
  }

  /**
   * What became of it.
   *
   * @param now the schedule; empty if there is none any more
   */
  abstract String said(String address, Optional<ScheduleStatus> now);

  @Override
  public final Integer call() {
    var of = cluster.ofSchedule(name);
    var address = address(of);
    var fields = Map.of("cluster", of, "schedule", address, "action", action.word());
    var now =
        cliContext.publishRecorded(
            UserDocuments.of("ChangeSchedule", fields),
            "%s of schedule %s".formatted(action.word(), address),
            of,
            "schedule/" + address,
            () -> ScheduleSubmission.find(cliContext.api(), of, address));
    show(now.isPresent() ? now.get() : fields, () -> cliContext.screen().line(said(address, now)));
    return 0;
  }

  /** A name alone means one's own first. */
  private String address(String of) {
    var known =
        cliContext.api().cluster(of).schedules().stream().map(ScheduleStatus::address).toList();
    if (known.contains(name)) return name;
    var own = cliContext.user().map(user -> user + "/" + name).filter(known::contains);
    return own.or(() -> only(known)).orElse(name);
  }

  private Optional<String> only(List<String> known) {
    var found = known.stream().filter(address -> address.endsWith("/" + name)).toList();
    return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
  }
}
