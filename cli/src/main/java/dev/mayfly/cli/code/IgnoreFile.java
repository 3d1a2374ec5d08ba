package dev.mayfly.cli.code;

import dev.mayfly.core.text.Glob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The patterns of a {@code .mayflyignore}, one a line, with {@code #} before remarks. A pattern
 * with a slash within is about the whole path; any other is about a file's or folder's name
 * anywhere; what lies in a folder that matches is ignored too. {@code !name} brings a folder that
 * is left out by default.
 */
final class IgnoreFile {
  private final List<Glob> paths = new ArrayList<>();
  private final List<Glob> names = new ArrayList<>();
  private final List<String> brought = new ArrayList<>();

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
      brought.add(text.replaceFirst("^!/?", ""));
      return;
    }
    var whole = text.indexOf('/') >= 0;
    (whole ? paths : names).add(Glob.of(text.startsWith("/") ? text.substring(1) : text));
  }

  /** Whether a folder that is left out by default is wanted, by its name or its path. */
  boolean brings(String folder) {
    return brought.contains(folder)
        || brought.contains(folder.substring(folder.lastIndexOf('/') + 1));
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
