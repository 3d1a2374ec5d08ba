package dev.mayfly.cli.output;

import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.cost.ClusterCost;
import dev.mayfly.core.query.cost.CostGroup;
import dev.mayfly.core.query.cost.MachineCost;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Formats what machines cost. */
public final class CostPage {
  private static final String NONE = "-";

  private CostPage() {}

  /** What the sums are about, and how much that is. */
  public static List<String> title(ClusterCost cost, Screen screen) {
    var about =
        cost.job().isEmpty()
            ? "cluster " + cost.cluster()
            : "job " + cost.job() + " of cluster " + cost.cluster();
    var lines = new ArrayList<String>();
    lines.addAll(
        screen.wrapped(
            "%s since %s (UTC): %s for %s"
                .formatted(
                    screen.paint(Style.TITLE, PrintableText.line(about)),
                    cost.since(),
                    amount(cost.total().total()),
                    hours(cost.total().total())),
            2));
    if (cost.job().isEmpty()) lines.addAll(screen.wrapped("now " + now(cost), 2));
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
                Column.number("IDLE").leaves(3),
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
        new TableCell(cell(group.lost()), group.lost().hours() > 0 ? Style.BAD : Style.PLAIN),
        TableCell.of(cell(group.idle())),
        TableCell.of(cell(group.boot())),
        TableCell.of(cell(group.end())));
  }

  private static String cell(MachineCost cost) {
    return cost.hours() == 0 || cost.isUnpriced() ? NONE : HumanFormat.usd(cost.usd());
  }

  /** What has to be known to read the sums, a sentence each. */
  public static List<String> notes(ClusterCost cost, boolean isLaptop) {
    var notes = new ArrayList<String>();
    notes.add(
        isLaptop
            ? "the laptop cloud charges nothing: these are list prices of the machines that it imitates"
            : "prices are those of the budget, or list prices, at the launch of each machine; a bill"
                + " also has disks, networks and storage, and discounts");
    if (cost.total().total().unpricedHours() > 0)
      notes.add(
          "%s have no price and are not in the sums; budget.prices in the cluster's file gives one"
              .formatted(machineHours(cost.total().total().unpricedHours())));
    cost.leftOut().forEach(it -> notes.add("left out: " + PrintableText.line(it)));
    return notes;
  }

  /** What a cluster costs, in a line. */
  static String line(ClusterCost cost, boolean isLaptop) {
    return "%s; %s today, %s this month (UTC)%s"
        .formatted(
            now(cost),
            amount(cost.today()),
            amount(cost.month()),
            isLaptop ? " by list prices: the laptop cloud charges nothing" : "");
  }

  private static String now(ClusterCost cost) {
    if (cost.machines() == 0) return "no machine";
    var machines = HumanFormat.count(cost.machines(), "machine");
    if (cost.unpricedMachines() == cost.machines()) return machines + " without a known price";
    var unpriced =
        cost.unpricedMachines() == 0
            ? ""
            : ", " + HumanFormat.count(cost.unpricedMachines()) + " of them without a known price";
    return "%s an hour for %s%s".formatted(HumanFormat.usd(cost.usdPerHour()), machines, unpriced);
  }

  /** What a job has cost, in a line. */
  static String jobLine(ClusterCost cost) {
    var lost = cost.total().lost();
    return "%s for %s of its tasks%s"
        .formatted(
            amount(cost.total().total()),
            hours(cost.total().total()),
            lost.hours() == 0 ? "" : ", " + amount(lost) + " of it lost with machines");
  }

  private static String amount(MachineCost cost) {
    return cost.isUnpriced() ? "no known price" : HumanFormat.usd(cost.usd());
  }

  private static String hours(MachineCost cost) {
    return machineHours(cost.hours());
  }

  private static String number(double hours) {
    return hours > 0 && hours < 0.005 ? "<0.01" : HumanFormat.decimal(hours);
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
