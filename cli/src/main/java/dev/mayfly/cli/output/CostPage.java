package dev.mayfly.cli.output;

import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.cost.ClusterCost;
import dev.mayfly.core.query.cost.CostGroup;
import dev.mayfly.core.query.cost.MachineCost;
import dev.mayfly.core.text.HumanAmounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Formats what machines cost. */
public final class CostPage {
  private static final String NONE = "-";

  /** What stands after what a title is about. */
  private static final String SINCE = " since ";

  private CostPage() {}

  /** What the sums are about, and how much that is. */
  public static List<String> title(ClusterCost cost, Screen screen) {
    var lines = new ArrayList<String>();
    for (var sentence : cost.title()) {
      var line = PrintableText.line(sentence);
      var about = Math.max(0, line.indexOf(SINCE));
      var painted = screen.paint(Style.TITLE, line.substring(0, about)) + line.substring(about);
      lines.addAll(screen.wrapped(painted, 2));
    }
    return lines;
  }

  /** A row for each group, and one for all of them. */
  public static Table table(ClusterCost cost) {
    var table =
        new Table(
            List.of(
                Column.name(cost.by().name()).least(20),
                Column.number("COST"),
                Column.number("HOURS").leaves(4),
                Column.number("TASKS"),
                Column.number("LOST"),
                Column.number("FAILED"),
                Column.number("UNUSED").leaves(3),
                Column.number("BOOT").leaves(2),
                Column.number("END").leaves(1)));
    cost.groups().forEach(group -> table.row(row(group)));
    if (cost.groups().size() > 1) table.row(row(cost.total()));
    return table;
  }

  private static List<TableCell> row(CostGroup group) {
    return List.of(
        TableCell.of(group.name()),
        TableCell.of(cell(group.total())),
        TableCell.of(number(group.total().hours())),
        TableCell.of(cell(group.tasks())),
        wasted(group.lost()),
        wasted(group.failedOrNone()),
        TableCell.of(cell(group.idle())),
        TableCell.of(cell(group.boot())),
        TableCell.of(cell(group.end())));
  }

  private static TableCell wasted(MachineCost cost) {
    return new TableCell(cell(cost), cost.hours() > 0 ? Style.BAD : Style.PLAIN);
  }

  private static String cell(MachineCost cost) {
    return cost.hours() == 0 || cost.isUnpriced() ? NONE : HumanFormat.usd(cost.usd());
  }

  /** What has to be known to read the sums, a sentence each. */
  public static List<String> notes(ClusterCost cost) {
    return cost.notes().stream().map(PrintableText::line).toList();
  }

  /** What a cluster costs, in a line. */
  static String line(ClusterCost cost, boolean isLaptop) {
    return "%s; %s today, %s%s this month (UTC)%s"
        .formatted(
            cost.now(),
            amount(cost.today()),
            amount(cost.month()),
            cost.usdPerMonth().map(most -> " of " + HumanFormat.usd(most)).orElse(""),
            isLaptop ? "; the laptop cloud charges nothing" : "");
  }

  /**
   * What a job has cost, in a line.
   *
   * @param maxUsd what it may cost
   */
  static String jobLine(ClusterCost cost, Optional<Double> maxUsd) {
    var lost = cost.total().lost();
    var failed = cost.total().failedOrNone();
    return "%s%s for %s of its tasks%s%s"
        .formatted(
            amount(cost.total().total()),
            maxUsd.map(most -> " of its maxUsd of " + HumanFormat.usd(most)).orElse(""),
            hours(cost.total().total()),
            lost.hours() == 0 ? "" : ", " + amount(lost) + " of it for lost attempts",
            failed.hours() == 0
                ? ""
                : ", " + amount(failed) + " of it for attempts that failed or were stopped");
  }

  private static String amount(MachineCost cost) {
    return cost.isUnpriced() ? "no known price" : HumanFormat.usd(cost.usd());
  }

  private static String hours(MachineCost cost) {
    return machineHours(cost.hours());
  }

  private static String number(double hours) {
    return HumanAmounts.hours(hours);
  }

  private static String machineHours(double hours) {
    var text = number(hours);
    return text + (text.equals("1") ? " machine hour" : " machine hours");
  }

  /** What each of these jobs has cost, by uid. */
  public static Map<String, String> ofJobs(List<JobStatus> jobs, Optional<ClusterCost> cost) {
    var cells = new HashMap<String, String>();
    for (var job : jobs)
      cost.stream()
          .flatMap(it -> it.groups().stream())
          .filter(group -> group.uid().equals(Optional.of(job.uid())))
          .forEach(group -> cells.put(job.uid(), cell(group.total())));
    return cells;
  }
}
