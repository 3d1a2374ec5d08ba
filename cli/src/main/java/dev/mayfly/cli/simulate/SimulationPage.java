package dev.mayfly.cli.simulate;

import dev.mayfly.cli.output.Column;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.cli.output.Style;
import dev.mayfly.cli.output.Table;
import dev.mayfly.cli.output.TableCell;
import dev.mayfly.cli.output.WrappedText;
import dev.mayfly.core.query.cost.CostGroup;
import dev.mayfly.core.query.cost.MachineCost;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.sim.experiment.ExperimentResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Formats what simulations say. */
final class SimulationPage {
  private static final String NONE = "-";
  private static final int MOST_WIDTH = 120;
  private static final int HANGING = 2;

  private final Screen screen;
  private final int width;

  SimulationPage(Screen screen) {
    this.screen = screen;
    width = Math.min(screen.width(), MOST_WIDTH);
  }

  /** One scenario. */
  void print(Simulation simulation) {
    var result = simulation.typical();
    title(simulation);
    problems(result);
    if (simulation.runs().size() > 1) spread(List.of(simulation));
    jobs(result);
    reasons(result);
    machines(result);
    purposes(result.total());
    SimulationText.left(result).forEach(this::say);
    screen.line("");
    screen.lines(SimulationChart.lines(result, width));
    expected(simulation);
  }

  /** What went wrong, before all numbers. */
  private void problems(ExperimentResult result) {
    SimulationText.problems(result).forEach(this::say);
  }

  /** What was expected, and whether it was so. */
  private void expected(Simulation simulation) {
    if (!simulation.expected().isEmpty()) screen.line("");
    for (var it : simulation.expected()) say(verdict(it));
  }

  private String verdict(Simulation.Expected it) {
    var kept =
        it.isBroken() ? screen.paint(Style.BAD, "BROKEN: ") : screen.paint(Style.GOOD, "held: ");
    if (it.runs() > 1)
      return kept
          + "%s; in %d of %d runs; the worst, of seed %d: %s"
              .formatted(it.expected(), it.held(), it.runs(), it.seed(), it.seen());
    return kept
        + (it.isBroken() ? "%s; it was: %s" : "%s (%s)").formatted(it.expected(), it.seen());
  }

  /** Two of them side by side. */
  void compare(List<Simulation> simulations) {
    spread(simulations);
    for (var simulation : simulations) {
      var problems = !SimulationText.problems(simulation.typical()).isEmpty();
      if (!problems && simulation.expected().isEmpty()) continue;
      title(simulation);
      problems(simulation.typical());
      expected(simulation);
      screen.line("");
    }
  }

  private void title(Simulation simulation) {
    var result = simulation.typical();
    var runs =
        simulation.runs().size() == 1
            ? "seed " + result.seed()
            : "seed %d, the middle one of %d runs"
                .formatted(result.seed(), simulation.runs().size());
    say(
        screen.paint(Style.TITLE, simulation.file())
            + ": %s (%s)".formatted(SimulationText.end(result), runs));
  }

  private void say(String line) {
    screen.lines(WrappedText.hanging(line, width, HANGING));
  }

  /** Fewer runs have no tenths: the lowest and the highest are told. */
  private static final int LEAST_FOR_TENTHS = 20;

  /** How the runs differ: nine of ten are between the two numbers, or all of a few. */
  private void spread(List<Simulation> simulations) {
    var runs = simulations.stream().mapToInt(it -> it.runs().size()).max().orElse(1);
    var all = runs < LEAST_FOR_TENTHS ? "ALL " + runs + " RUNS" : "NINE OF TEN RUNS";
    var columns = new ArrayList<Column>();
    columns.add(Column.text(runs > 1 ? all : "RUN"));
    for (var simulation : simulations)
      columns.add(Column.number(simulations.size() == 1 ? "" : simulation.file()));
    var table = new Table(columns);
    row(table, "end after", simulations, it -> between(it.took(), SimulationPage::time));
    row(table, "cost", simulations, it -> between(it.cost(), HumanFormat::usd));
    row(table, "machine hours", simulations, it -> between(it.machineHours(), HumanAmounts::hours));
    row(
        table,
        "attempts lost",
        simulations,
        it -> between(it.lost(), n -> HumanFormat.count((long) n)));
    row(table, "do not end", simulations, it -> part(it, it.incomplete()));
    row(table, "have a job that fails", simulations, it -> part(it, it.unsuccessful()));
    if (simulations.stream().anyMatch(SimulationPage::hasDeadlines))
      row(table, "miss a deadline", simulations, it -> part(it, it.late()));
    screen.lines(table.lines(screen.withWidth(width)));
    screen.line("");
  }

  private static String part(Simulation simulation, long some) {
    return "%d of %d".formatted(some, simulation.runs().size());
  }

  private static boolean hasDeadlines(Simulation simulation) {
    return simulation.typical().jobs().stream().anyMatch(job -> job.deadline().isPresent());
  }

  private static void row(
      Table table, String name, List<Simulation> all, Function<Simulation, String> cell) {
    var cells = new ArrayList<TableCell>();
    cells.add(TableCell.of(name));
    all.forEach(it -> cells.add(TableCell.of(cell.apply(it))));
    table.row(cells);
  }

  private interface Format {
    String of(double number);
  }

  private static String between(Simulation.Spread spread, Format format) {
    var low = format.of(spread.low());
    var high = format.of(spread.high());
    return low.equals(high) ? low : "%s to %s".formatted(low, high);
  }

  private static String time(double seconds) {
    return HumanFormat.result(Simulation.seconds(seconds));
  }

  private void jobs(ExperimentResult result) {
    var table =
        new Table(
            List.of(
                Column.name("JOB"),
                Column.word("STATE"),
                Column.number("DONE"),
                Column.number("FAILED").leaves(2),
                Column.number("LOST").leaves(3),
                Column.number("SUBMITTED").leaves(1),
                Column.number("BEGAN"),
                Column.number("ENDED"),
                Column.number("COST")));
    for (var job : result.jobs())
      table.row(
          TableCell.of(job.name()),
          new TableCell(job.state(), Style.of(job.state())),
          TableCell.of("%d/%d".formatted(job.done(), job.tasks())),
          TableCell.of(HumanFormat.count(job.failed())),
          TableCell.of(HumanFormat.count(job.lost())),
          TableCell.of(HumanFormat.result(job.submitted())),
          TableCell.of(time(job.started())),
          TableCell.of(time(job.ended())),
          TableCell.of(cell(job.cost())));
    show(table);
  }

  private void show(Table table) {
    var narrow = screen.withWidth(width);
    screen.lines(table.lines(narrow));
    table.missing(narrow).ifPresent(screen::note);
    screen.line("");
  }

  private static String time(Optional<Duration> at) {
    return at.map(HumanFormat::result).orElse(NONE);
  }

  private static String cell(MachineCost cost) {
    return cost.hours() == 0 || cost.isUnpriced() ? NONE : HumanFormat.usd(cost.usd());
  }

  /** Why jobs waited, and how their attempts ended that have no result. */
  private void reasons(ExperimentResult result) {
    var said = !result.refused().isEmpty();
    for (var job : result.jobs())
      SimulationText.waits(job).forEach(it -> say(job.name() + ": " + it));
    for (var job : result.jobs())
      SimulationText.attempts(job).ifPresent(it -> say(job.name() + ": " + it));
    result.refused().forEach(why -> say(screen.paint(Style.BAD, "refused: ") + why));
    for (var job : result.jobs()) said |= !job.waits().isEmpty() || !job.attempts().isEmpty();
    if (said) screen.line("");
  }

  private void machines(ExperimentResult result) {
    var table =
        new Table(
            List.of(
                Column.name("POOL"),
                Column.name("ZONE"),
                Column.number("MOST"),
                Column.number("ORDERED"),
                Column.number("PREEMPTED"),
                Column.number("REFUSED").leaves(1),
                Column.number("HOURS")));
    for (var place : result.machines())
      table.row(
          TableCell.of(place.pool()),
          TableCell.of(place.zone()),
          TableCell.of(HumanFormat.count(place.most())),
          TableCell.of(HumanFormat.count(place.launched())),
          TableCell.of(HumanFormat.count(place.preempted())),
          TableCell.of(HumanFormat.count(place.refused())),
          TableCell.of(HumanAmounts.hours(place.hours())));
    show(table);
  }

  private void purposes(CostGroup total) {
    say(
        "machines cost %s for %s hours: tasks %s, lost attempts %s, failed attempts %s, unused %s, boots %s, ends %s"
            .formatted(
                cell(total.total()),
                HumanAmounts.hours(total.total().hours()),
                cell(total.tasks()),
                cell(total.lost()),
                cell(total.failedOrNone()),
                cell(total.idle()),
                cell(total.boot()),
                cell(total.end())));
  }
}
