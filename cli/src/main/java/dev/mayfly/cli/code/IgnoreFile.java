package dev.mayfly.cli.code;

import dev.mayfly.core.text.Glob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The patterns of a {@code .mayflyignore}, one per line, with {@code #} before comments. A pattern
 * with an inner slash matches the whole path; any other matches a file or folder name at any depth.
 * The content of a matching folder is ignored too. {@code !name} includes a folder that is left out
 * by default.
 */
final class IgnoreFile {
  private final List<Glob> paths = new ArrayList<>();
  private final List<Glob> names = new ArrayList<>();
  private final List<String> included = new ArrayList<>();

  static IgnoreFile of(Path file) throws IOException {
    var ignored = new IgnoreFile();
    if (Files.exists(file)) Files.readAllLines(file).forEach(ignored::add);
    return ignored;
  }

  private void add(String line) {
    var text = line.strip();
    if (text.isEmpty() || text.startsWith("#")) return;
    if (text.endsWith("/")) text = text.substring(0, text.length() - 1);
    if (text.startsWith("!")) {
      included.add(text.replaceFirst("^!/?", ""));
      return;
    }
    var whole = text.indexOf('/') >= 0;
    (whole ? paths : names).add(Glob.of(text.startsWith("/") ? text.substring(1) : text));
  }

  /** Whether a folder that is left out by default is included, by name or path. */
  boolean brings(String folder) {
    return included.contains(folder)
        || included.contains(folder.substring(folder.lastIndexOf('/') + 1));
  }

  boolean matches(String file) {
    for (var end = file.indexOf('/'); ; end = file.indexOf('/', end + 1)) {
      var path = end < 0 ? file : file.substring(0, end);
      var name = path.substring(path.lastIndexOf('/') + 1);
      if (paths.stream().anyMatch(g -> g.matches(path))) return true;
      if (names.stream().anyMatch(g -> g.matches(name))) return true;
      if (end < 0) return false;
    }
  }
}
