package dev.mayfly.cli.logs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Whole lines from pieces, which may end inside a line, or inside a character. */
final class LineAssembler {
  private final Map<LogSource, ByteArrayOutputStream> incomplete = new TreeMap<>(LogSource.ORDER);

  /** Emits the lines that end in these bytes, which follow those before of the same source. */
  void add(LogSource from, byte[] bytes, BiConsumer<LogSource, String> use) {
    var begun = incomplete.remove(from);
    var rest = begun == null ? new ByteArrayOutputStream() : begun;
    var start = 0;
    for (var end = 0; end < bytes.length; end++) {
      if (bytes[end] != '\n') continue;
      rest.write(bytes, start, end - start);
      use.accept(from, rest.toString(UTF_8));
      rest.reset();
      start = end + 1;
    }
    rest.write(bytes, start, bytes.length - start);
    if (rest.size() > 0) incomplete.put(from, rest);
  }

  /** Begins with the line that these bytes leave incomplete, and emits none. */
  void begin(LogSource from, byte[] bytes) {
    add(from, bytes, (_, _) -> {});
  }

  /** Emits the last line of a source if it has no line end. */
  void end(LogSource from, BiConsumer<LogSource, String> use) {
    var rest = incomplete.remove(from);
    if (rest != null) use.accept(from, rest.toString(UTF_8));
  }

  /** The same for all sources. */
  void endAll(BiConsumer<LogSource, String> use) {
    incomplete.forEach((from, rest) -> use.accept(from, rest.toString(UTF_8)));
    incomplete.clear();
  }
}
