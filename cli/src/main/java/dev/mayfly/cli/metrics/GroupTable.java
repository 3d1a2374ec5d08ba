package dev.mayfly.cli.metrics;

import dev.mayfly.cli.output.Column;
import dev.mayfly.cli.output.MetricColumns;
import dev.mayfly.cli.output.Table;
import dev.mayfly.cli.output.TableCell;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Groups of tasks as rows: their variables, how many tasks they have, and statistics of metrics.
 *
 * @param numbers the columns after the number of tasks
 */
public record GroupTable(List<String> by, List<Numbers> numbers, List<TaskGroup> groups) {
  private static final String TASKS = "tasks";

  /** A column: {@code acc.mean}. */
  record Numbers(String metric, MetricStatistic statistic) {
    String title() {
      return metric + "." + statistic.name();
    }

    Optional<Double> of(TaskGroup group) {
      return group.value(metric, statistic);
    }
  }

  /** Columns for each metric with each statistic; with its count too where that differs. */
  static GroupTable of(TaskGroups groups, List<String> metrics, List<MetricStatistic> statistics) {
    var numbers = new ArrayList<Numbers>();
    for (var metric : metrics) {
      statistics.forEach(statistic -> numbers.add(new Numbers(metric, statistic)));
      var count = new Numbers(metric, MetricStatistic.count);
      var differs =
          groups.groups().stream().anyMatch(g -> count.of(g).orElse(0.0) != (double) g.tasks());
      if (differs && !numbers.contains(count)) numbers.add(count);
    }
    return new GroupTable(groups.by(), numbers, groups.groups());
  }

  /** What it can be sorted by. */
  List<String> titles() {
    var titles = new ArrayList<>(by);
    titles.add(TASKS);
    numbers.forEach(column -> titles.add(column.title()));
    return titles;
  }

  /**
   * Sorted by a column, or by a metric's first one; groups without a value come last.
   *
   * @return empty if there is no such column
   */
  Optional<GroupTable> sorted(String title, boolean largestFirst) {
    return order(title, largestFirst).map(order -> with(groups.stream().sorted(order).toList()));
  }

  public GroupTable first(int most) {
    return with(groups.stream().limit(most).toList());
  }

  private GroupTable with(List<TaskGroup> some) {
    return new GroupTable(by, numbers, some);
  }

  private Optional<Comparator<TaskGroup>> order(String title, boolean largestFirst) {
    var named =
        numbers.stream()
            .filter(column -> column.title().equals(title))
            .findFirst()
            .or(() -> numbers.stream().filter(c -> c.metric().equals(title)).findFirst());
    if (named.isPresent()) {
      var values = Comparator.<Double>naturalOrder();
      var order = Comparator.nullsLast(largestFirst ? values.reversed() : values);
      return Optional.of(Comparator.comparing(g -> named.get().of(g).orElse(null), order));
    }
    if (by.contains(title)) {
      var order = TaskGroup.by(List.of(title));
      return Optional.of(largestFirst ? order.reversed() : order);
    }
    if (!title.equals(TASKS)) return Optional.empty();
    var order = Comparator.comparingLong(TaskGroup::tasks);
    return Optional.of(largestFirst ? order.reversed() : order);
  }

  public Table table() {
    var columns = new ArrayList<Column>();
    by.forEach(name -> columns.add(Column.name(name)));
    columns.add(Column.number("TASKS"));
    for (var i = 0; i < numbers.size(); i++)
      columns.add(Column.number(numbers.get(i).title()).leaves(i == 0 ? 0 : numbers.size() - i));
    var table = new Table(columns);
    for (var group : groups) {
      var cells = new ArrayList<TableCell>();
      by.forEach(name -> cells.add(TableCell.of(group.value(name).orElse("-"))));
      cells.add(TableCell.of(group.tasks()));
      numbers.forEach(column ->
          cells.add(TableCell.of(column.of(group).map(MetricColumns::number).orElse("-"))));
      table.row(cells);
    }
    return table;
  }

  /** Records of CSV, the titles first; what is missing is empty. */
  public List<List<String>> records() {
    var records = new ArrayList<List<String>>();
    records.add(titles());
    for (var group : groups) {
      var fields = new ArrayList<String>();
      by.forEach(name -> fields.add(group.value(name).orElse("")));
      fields.add(Long.toString(group.tasks()));
      numbers.forEach(column -> fields.add(column.of(group).map(CsvRecord::number).orElse("")));
      records.add(fields);
    }
    return records;
  }
}
