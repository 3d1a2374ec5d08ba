package dev.mayfly.cli.metrics;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;

/** Writes a record as RFC 4180 has it, without the end of its line. */
public final class CsvRecord {
  private CsvRecord() {}

  public static String of(List<String> fields) {
    return fields.stream().map(CsvRecord::quoted).collect(Collectors.joining(","));
  }

  /** The shortest digits from which the same number is read. */
  static String number(double value) {
    var negativeZero = value == 0 && 1 / value < 0;
    if (value == Math.rint(value) && Math.abs(value) < 1e15 && !negativeZero)
      return new BigDecimal(value).toPlainString();
    return Double.toString(value);
  }

  private static String quoted(String field) {
    return field.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
        ? '"' + field.replace("\"", "\"\"") + '"'
        : field;
  }
}
