package dev.mayfly.cli.simulate;

import dev.mayfly.cli.output.DisplayWidth;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.sim.experiment.ExperimentResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Machines and running tasks over time, a row of blocks each. */
final class SimulationChart {
  private static final String BLOCKS = " ▁▂▃▄▅▆▇█";
  private static final int MOST_LABEL = 28;
  private static final int LEAST_WIDTH = 20;

  /** The most jobs that have a row; those that ran the longest. */
  private static final int MOST_JOBS = 12;

  /** Room for {@code 1,234}. */
  private static final int NUMBER = 7;

  /**
   * @param most the highest value, also between two samples
   */
  private record Row(String label, long[] values, long most) {}

  private final ExperimentResult result;
  private final int width;
  private final int label;

  private SimulationChart(ExperimentResult result, int width) {
    this.result = result;
    var longest = rowNames(result).stream().mapToInt(DisplayWidth::of).max().orElse(0);
    label = Math.min(MOST_LABEL, longest);
    this.width = Math.max(LEAST_WIDTH, width - label - 2 - NUMBER);
  }

  /** The lines; none if nothing ran. */
  static List<String> lines(ExperimentResult result, int width) {
    if (result.samples().isEmpty()) return List.of();
    return new SimulationChart(result, width).lines();
  }

  private static List<String> rowNames(ExperimentResult result) {
    var names = new ArrayList<String>();
    result.machines().forEach(it -> names.add(it.pool() + " " + it.zone()));
    result.jobs().forEach(it -> names.add(it.name()));
    return names;
  }

  private List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add(axis());
    var most =
        result.machines().stream().mapToLong(ExperimentResult.Machines::most).max().orElse(0);
    for (var i = 0; i < result.machines().size(); i++) {
      var at = i;
      var place = result.machines().get(i);
      if (place.launched() > 0)
        lines.add(
            line(
                row(place.pool() + " " + place.zone(), place.most(), s -> s.machines().get(at)),
                most));
    }
    var jobs = result.jobs().size();
    for (var i = 0; i < Math.min(jobs, MOST_JOBS); i++) {
      var at = i;
      var row =
          row(result.jobs().get(i).name(), result.jobs().get(i).most(), s -> s.most().get(at));
      lines.add(line(row, row.most()));
    }
    if (jobs > MOST_JOBS)
      lines.add(
          "and %s; -o json has all of them".formatted(HumanFormat.count(jobs - MOST_JOBS, "job")));
    lines.add("machines that run or start, and tasks that run; at the right the most at once");
    return lines;
  }

  private String axis() {
    var from = "0s";
    var to = HumanFormat.result(result.samples().getLast().at());
    var gap = Math.max(1, width - from.length() - to.length());
    return " ".repeat(label + 2) + from + " ".repeat(gap) + to;
  }

  private Row row(String name, long most, ToLongFunction<ExperimentResult.Sample> value) {
    var values = new long[width];
    var samples = result.samples();
    for (var column = 0; column < width; column++) {
      var from = (int) ((long) column * samples.size() / width);
      var to = Math.max(from + 1, (int) ((column + 1L) * samples.size() / width));
      for (var i = from; i < to; i++)
        values[column] = Math.max(values[column], value.applyAsLong(samples.get(i)));
    }
    return new Row(name, values, most);
  }

  /**
   * @param full the number that fills a row: rows that are alike have the same
   */
  private String line(Row row, long full) {
    var blocks = new StringBuilder();
    for (var value : row.values()) blocks.append(BLOCKS.charAt(block(value, full)));
    var name = DisplayWidth.cut(row.label(), label);
    return name
        + " ".repeat(label - DisplayWidth.of(name) + 2)
        + blocks
        + "%7s".formatted(HumanFormat.count(row.most()));
  }

  /** What is there has a block, however little it is. */
  private static int block(long value, long most) {
    if (value == 0 || most == 0) return 0;
    return Math.clamp(
        Math.round((double) value * (BLOCKS.length() - 1) / most), 1, BLOCKS.length() - 1);
  }
}
