package dev.mayfly.wire.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What the fields of a record mean: from {@code stored-fields.properties}, or from the record's own
 * Javadoc.
 */
public final class FieldWords {
  private static final Path SOURCES = Path.of("../core/src/main/java");
  private static final Pattern RECORD =
      Pattern.compile(
          "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:public |private |static |final |@\\w+\\s+)*record (\\w+)",
          Pattern.DOTALL);
  private static final Pattern PARAM =
      Pattern.compile("^@param (\\w+)\\s+(.*?)(?=^@|\\Z)", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern TAG = Pattern.compile("\\{@(?:code|link|linkplain) ([^}]*)}");

  private final Properties table = new Properties();
  private final Set<String> used = new TreeSet<>();
  private final Map<String, String> javadoc = new HashMap<>();
  private final Set<Class<?>> read = new HashSet<>();

  public FieldWords() {
    try (var in =
        Files.newBufferedReader(
            Path.of("src/test/resources/dev/mayfly/wire/stored-fields.properties"), UTF_8)) {
      table.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Empty if nobody has said what the field means. */
  Optional<String> of(Class<?> type, String field) {
    return exact(name(type) + "." + field).or(() -> javadoc(type, field)).or(() -> exact(field));
  }

  /** Of a field that the ledger adds. */
  Optional<String> ofConsole(String field) {
    return exact("console." + field);
  }

  /** Lines of the table that say nothing of any field. */
  public Set<String> unused() {
    var unused = new TreeSet<>(table.stringPropertyNames());
    unused.removeAll(used);
    return unused;
  }

  static String name(Class<?> type) {
    return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
  }

  private Optional<String> exact(String key) {
    var words = Optional.ofNullable(table.getProperty(key));
    words.ifPresent(_ -> used.add(key));
    return words;
  }

  private Optional<String> javadoc(Class<?> type, String field) {
    var top = type;
    while (top.getEnclosingClass() != null) top = top.getEnclosingClass();
    if (read.add(top)) read(top);
    return Optional.ofNullable(
        javadoc.get(top.getSimpleName() + "/" + type.getSimpleName() + "/" + field));
  }

  private void read(Class<?> top) {
    var file = SOURCES.resolve(top.getName().replace('.', '/') + ".java");
    if (!Files.exists(file)) return;
    try {
      var records = RECORD.matcher(Files.readString(file));
      while (records.find()) {
        var text = records.group(1).replaceAll("(?m)^\\s*\\* ?", "");
        var params = PARAM.matcher(text);
        while (params.find())
          javadoc.put(
              top.getSimpleName() + "/" + records.group(2) + "/" + params.group(1),
              plain(params.group(2)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String plain(String words) {
    return TAG.matcher(words)
        .replaceAll(tag -> tag.group(1).replaceAll("^\\w*#", "").replace("$", "\\$"))
        .replaceAll("\\s+", " ")
        .strip();
  }
}
