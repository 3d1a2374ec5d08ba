package dev.mayfly.wire.items;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.wire.UserDocuments;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.dataformat.csv.CsvMapper;
import tools.jackson.dataformat.csv.CsvReadFeature;

/**
 * Reads a file of items: a table ({@code .csv}, RFC 4180 with a header), or a list with an item on
 * each line ({@code .txt}). Lines without text are skipped.
 */
public final class ItemsFileReader {
  /** The most items of a file, and the most bytes of it. */
  public static final int MOST = 100_000;

  public static final int MOST_BYTES = 16 << 20;

  private static final int LONGEST = 65_536;
  private static final int MOST_COLUMNS = 50;
  private static final String NAME = "[A-Za-z_][A-Za-z0-9_]{0,62}";

  private static final CsvMapper MAPPER =
      CsvMapper.builder()
          .enable(CsvReadFeature.WRAP_AS_ARRAY, CsvReadFeature.SKIP_EMPTY_LINES)
          .build();

  private final String file;

  /** Where the current item begins. */
  private int line;

  private ItemsFileReader(String file) {
    this.file = file;
  }

  /**
   * The items of a file's content. Throws {@link InvalidInputException} with the line, and in a
   * table the column, of what is wrong.
   *
   * @param file its name, which says what it is
   */
  public static FileItems read(String file, byte[] content) {
    return new ItemsFileReader(file).read(content);
  }

  private FileItems read(byte[] content) {
    if (content.length > MOST_BYTES)
      throw wrong("is larger than %d MB; make it several jobs".formatted(MOST_BYTES >> 20));
    var text = UserDocuments.text(content, file);
    var items = isTable() ? table(text) : list(text);
    if (items.rows().isEmpty())
      throw wrong("has no item; write one on each line" + (isTable() ? " below the header" : ""));
    return items;
  }

  private boolean isTable() {
    if (file.endsWith(".csv")) return true;
    if (file.endsWith(".txt")) return false;
    throw wrong("is neither a table (.csv) nor a list (.txt); name it so");
  }

  private FileItems list(String text) {
    var rows = new ArrayList<Map<String, String>>();
    for (var item : text.lines().toList()) {
      line++;
      if (!item.isBlank()) add(rows, Map.of("item", checked(item, "")));
    }
    return new FileItems(List.of("item"), rows);
  }

  private FileItems table(String text) {
    var rows = new ArrayList<Map<String, String>>();
    var names = new ArrayList<String>();
    try (var parser = MAPPER.createParser(text)) {
      var values = new ArrayList<String>();
      for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.VALUE_STRING) {
          if (values.isEmpty()) line = parser.currentTokenLocation().getLineNr();
          values.add(parser.getString());
        } else if (token == JsonToken.END_ARRAY && !values.isEmpty()) {
          if (names.isEmpty()) names.addAll(header(values));
          else add(rows, row(values, names));
          values.clear();
        }
      }
    } catch (JacksonException notCsv) {
      throw wrong("", "is not a line of a table: " + notCsv.getOriginalMessage());
    }
    return new FileItems(names, rows);
  }

  private List<String> header(List<String> columns) {
    if (columns.size() > MOST_COLUMNS)
      throw wrong(
          "", "has %d columns; at most %d are used".formatted(columns.size(), MOST_COLUMNS));
    var names = columns.stream().map(String::strip).toList();
    for (var column = 0; column < names.size(); column++) {
      var name = names.get(column);
      if (!name.matches(NAME))
        throw wrong(
            column(column, name),
            "is not a name of a value; write letters, digits and _ in the header, such as lr");
      if (names.indexOf(name) < column)
        throw wrong(column(column, name), "is there twice; rename one");
    }
    return names;
  }

  private Map<String, String> row(List<String> values, List<String> names) {
    if (values.size() != names.size())
      throw wrong(
          "",
          "has %s, and the header has %s (%s); quote a value that has a comma in it"
              .formatted(
                  HumanAmounts.count(values.size(), "value"),
                  HumanAmounts.count(names.size(), "column"),
                  String.join(", ", names)));
    var row = new LinkedHashMap<String, String>();
    for (var column = 0; column < values.size(); column++)
      row.put(names.get(column), checked(values.get(column), column(column, names.get(column))));
    return row;
  }

  private void add(List<Map<String, String>> rows, Map<String, String> row) {
    if (rows.size() == MOST)
      throw wrong("", "is one item more than %,d; make it several jobs".formatted(MOST));
    rows.add(row);
  }

  private String checked(String value, String column) {
    if (value.length() > LONGEST)
      throw wrong(
          column, "has %,d characters; at most %,d are used".formatted(value.length(), LONGEST));
    if (value.indexOf('\0') >= 0)
      throw wrong(column, "has a NUL character in it, which no process can be given");
    return value;
  }

  private static String column(int column, String name) {
    return "column %d (%s) ".formatted(column + 1, name);
  }

  private InvalidInputException wrong(String message) {
    return new InvalidInputException(List.of(new InputError(file, message)));
  }

  private InvalidInputException wrong(String column, String message) {
    return new InvalidInputException(List.of(new InputError(file + ":" + line, column + message)));
  }
}
