package dev.mayfly.cli.cluster;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.CostPage;
import dev.mayfly.core.query.cost.ClusterCost;
import dev.mayfly.core.query.cost.CostBy;
import dev.mayfly.wire.text.DurationFormat;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly cost}: what machines cost, and what for. */
@Command(
    name = "cost",
    description = {
      "Shows what the machines of a cluster cost: for tasks, for attempts that ended with their"
          + " machine and left no checkpoint, unused, booting and ending.",
      "A machine that several tasks share is divided between them by the largest part of it that"
          + " each asks for."
    },
    footer = {
      "",
      "Examples:",
      "  mayfly cost",
      "  mayfly cost reddit-toxicity",
      "  mayfly cost --by owner --since 30d",
      "  mayfly cost --by job --since 2026-01-01 -o json"
    })
public final class CostCommand extends ClusterCommand {
  private static final int LONGEST_DAYS = 3_660;

  /** What the rows are. */
  enum By {
    day,
    job,
    owner,
    pool,
    zone
  }

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "JOB",
      description = "Only what this job's tasks cost: NAME, OWNER/NAME or its uid.")
  @Nullable String job;

  @Option(
      names = "--by",
      paramLabel = "WHAT",
      defaultValue = "day",
      description = "What the rows are: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  By by = By.day;

  @Option(
      names = "--since",
      paramLabel = "DAY",
      description =
          "The first day in UTC, such as 2026-01-31, or how long ago it was, such as 7d; without it"
              + " the first day of the month, or the day on which the job was submitted.")
  @Nullable String since;

  public CostCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var first = Optional.ofNullable(since).map(this::day);
    var name = job == null ? cluster.name() : cluster.ofJob(job);
    var cost =
        cliContext
            .api()
            .cost(
                name,
                CostBy.valueOf(by.name().toUpperCase(Locale.ROOT)),
                first,
                Optional.ofNullable(job))
            .orElseThrow(() -> unknown(name));
    show(cost, () -> print(cost));
    return 0;
  }

  /** What of it is not there: the control plane says it of the job and of the cluster. */
  private CommandException unknown(String name) {
    if (job != null) cliContext.api().job(name, job);
    else cliContext.api().cluster(name);
    return CommandException.notFound(
        "the control plane is older than this command and cannot report costs;"
            + " update it: docs/deploy.md");
  }

  private void print(ClusterCost cost) {
    var screen = textScreen();
    screen.lines(CostPage.title(cost, screen));
    var table = CostPage.table(cost);
    if (!table.isEmpty()) {
      screen.line("");
      screen.lines(table.lines(screen));
      table.missing(screen).ifPresent(screen::note);
    }
    CostPage.notes(cost).forEach(screen::note);
  }

  private LocalDate day(String text) {
    var today = LocalDate.ofInstant(cliContext.now(), ZoneOffset.UTC);
    try {
      return LocalDate.parse(text);
    } catch (DateTimeParseException noDate) {
      return ago(text, today);
    }
  }

  private static LocalDate ago(String text, LocalDate today) {
    try {
      var days = DurationFormat.read(text).toDays();
      if (days >= 0 && days <= LONGEST_DAYS) return today.minusDays(days);
    } catch (IllegalArgumentException noTime) {
      // The same remedy for both.
    }
    throw CommandException.input(
        "--since is '%s'; write a day such as %s, or how long ago it was, such as 7d"
            .formatted(text, today));
  }
}
