package dev.mayfly.core.catalog;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * One table of the catalog: lines of fields with commas between, below a line that names the
 * columns. A line that begins with {@code #} is a comment; {@code # source ID: PAGE, MONTH}
 * explains an id of the column {@code source}.
 *
 * <p>The tables are part of the program, so that a line which cannot be read is a bug: it fails
 * with the file, the number and the text of the line.
 */
final class CatalogTable {
  private static final Pattern SOURCE =
      Pattern.compile("# source ([a-z]+-(\\d{4}-(?:0[1-9]|1[0-2]))): (\\S+), ([A-Z][a-z]+ \\d{4})");

  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}(\\.\\d{1,12})?");

  private final String file;
  private final List<String> columns;

  /** Whether the last column is a text, which may have commas itself. */
  private final boolean text;

  private final Map<String, PriceSource> sources = new HashMap<>();
  private final List<Row> rows = new ArrayList<>();

  private CatalogTable(String file, List<String> columns, boolean text) {
    this.file = file;
    this.columns = columns;
    this.text = text;
  }

  /** Reads a file of this archive. */
  static CatalogTable read(String file, String... columns) {
    return new CatalogTable(file, List.of(columns), false).add(lines(file));
  }

  /** The same, where the last column is a text. */
  static CatalogTable readWithText(String file, String... columns) {
    return new CatalogTable(file, List.of(columns), true).add(lines(file));
  }

  /** The same of lines that are at hand. */
  static CatalogTable parse(String file, List<String> lines, String... columns) {
    return new CatalogTable(file, List.of(columns), false).add(lines);
  }

  private static List<String> lines(String file) {
    try (var in = CatalogTable.class.getResourceAsStream(file)) {
      if (in == null) throw new IllegalStateException(file + " is not in this archive");
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read", e);
    }
  }

  private CatalogTable add(List<String> lines) {
    var named = false;
    for (var i = 0; i < lines.size(); i++) {
      var line = lines.get(i);
      if (line.startsWith("# source ")) explain(i + 1, line);
      else if (!line.startsWith("#")) {
        var row = new Row(i + 1, line, split(line));
        if (row.fields.size() != columns.size())
          throw row.wrong("has %d fields of %d".formatted(row.fields.size(), columns.size()));
        if (named) rows.add(row);
        else if (!row.fields.equals(columns)) throw row.wrong("columns are not " + columns);
        named = true;
      }
    }
    if (rows.isEmpty()) throw new IllegalStateException(file + " has no rows");
    return this;
  }

  private List<String> split(String line) {
    return List.of(line.split(",", text ? columns.size() : -1));
  }

  private void explain(int number, String line) {
    var found = SOURCE.matcher(line);
    if (!found.matches())
      throw new Row(number, line, List.of()).wrong("is not # source ID-YYYY-MM: PAGE, MONTH");
    var id = found.group(1);
    sources.put(id, new PriceSource(id, found.group(3), YearMonth.parse(found.group(2))));
    if (!requireNonNull(sources.get(id)).monthInWords().equals(found.group(4)))
      throw new Row(number, line, List.of()).wrong("has two months");
  }

  List<Row> rows() {
    return List.copyOf(rows);
  }

  /** Those that comments explain, by their ids. */
  Map<String, PriceSource> sources() {
    return Map.copyOf(sources);
  }

  /** All rows by what names each, in the order of the file; two of one name are refused. */
  <T> Map<String, T> index(Function<Row, String> name, Function<Row, T> value) {
    var index = new LinkedHashMap<String, T>();
    for (var row : rows)
      if (index.put(name.apply(row), value.apply(row)) != null)
        throw row.wrong("'" + name.apply(row) + "' is there twice");
    return Collections.unmodifiableMap(index);
  }

  /** One line below the titles. */
  final class Row {
    private final int number;
    private final String line;
    private final List<String> fields;

    private Row(int number, String line, List<String> fields) {
      this.number = number;
      this.line = line;
      this.fields = fields;
    }

    /** A field, which may be empty. */
    String text(String column) {
      return fields.get(columns.indexOf(column));
    }

    /** A field with something in it. */
    String word(String column) {
      return Optional.of(text(column))
          .filter(it -> !it.isBlank())
          .orElseThrow(() -> wrong(column + " is empty"));
    }

    double number(String column) {
      if (!NUMBER.matcher(text(column)).matches()) throw wrong(column + " is not a number");
      return Double.parseDouble(text(column));
    }

    int whole(String column) {
      var number = number(column);
      if (number != Math.rint(number)) throw wrong(column + " is not a whole number");
      return (int) number;
    }

    /** Empty where the field is. */
    Optional<Double> numberIfAny(String column) {
      return text(column).isEmpty() ? Optional.empty() : Optional.of(number(column));
    }

    /** What the id in the column {@code source} means. */
    PriceSource source() {
      return Optional.ofNullable(sources.get(text("source")))
          .orElseThrow(() -> wrong("no comment explains its source"));
    }

    IllegalStateException wrong(String what) {
      return new IllegalStateException("%s:%d: %s: %s".formatted(file, number, what, line));
    }
  }
}
