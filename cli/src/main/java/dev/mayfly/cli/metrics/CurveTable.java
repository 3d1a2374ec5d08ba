package dev.mayfly.cli.metrics;

import dev.mayfly.cli.output.MetricColumns;
import dev.mayfly.cli.output.Table;
import dev.mayfly.cli.output.TableCell;
import dev.mayfly.core.model.MetricsRow;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What the metrics of attempts were over time, a row for each time, times in UTC: for a terminal,
 * and as records of CSV, the titles first.
 */
public record CurveTable(List<MetricCurve> curves) {
  private static final List<String> TITLES = List.of("at", "attempt");

  public CurveTable {
    curves = List.copyOf(curves);
  }

  public Table table() {
    var names = names();
    var titles =
        Stream.concat(TITLES.stream().map(it -> it.toUpperCase(Locale.ROOT)), names.stream());
    var table = new Table(titles.toArray(String[]::new));
    table.right(IntStream.range(TITLES.size(), TITLES.size() + names.size()).toArray());
    for (var fields :
        rows(
            names,
            row -> row.at().truncatedTo(ChronoUnit.SECONDS).toString(),
            "-",
            MetricColumns::number)) table.row(fields.stream().map(TableCell::of).toList());
    return table;
  }

  public List<List<String>> records() {
    var names = names();
    var records = new ArrayList<List<String>>();
    var titles = new ArrayList<>(TITLES);
    names.forEach(name -> titles.add(TITLES.contains(name) ? "metric." + name : name));
    records.add(titles);
    records.addAll(rows(names, row -> row.at().toString(), "", CsvRecord::number));
    return records;
  }

  private List<List<String>> rows(
      List<String> names,
      Function<MetricsRow, String> time,
      String none,
      DoubleFunction<String> number) {
    var rows = new ArrayList<List<String>>();
    for (var curve : curves)
      for (var row : curve.rows()) {
        var fields = new ArrayList<>(Arrays.asList(time.apply(row), curve.attempt()));
        for (var name : names) {
          var value = row.values().get(name);
          fields.add(value == null ? none : number.apply(value));
        }
        rows.add(fields);
      }
    return rows;
  }

  private List<String> names() {
    var names = new TreeSet<String>();
    curves.forEach(curve -> curve.rows().forEach(row -> names.addAll(row.values().keySet())));
    return List.copyOf(names);
  }
}
