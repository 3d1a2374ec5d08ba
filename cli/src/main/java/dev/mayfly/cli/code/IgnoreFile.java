package dev.mayfly.cli.code;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.text.Glob;
import dev.mayfly.wire.UserDocuments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The patterns of a {@code .mayflyignore}, one per line, with {@code #} before comments. A pattern
 * with a slash matches the whole path; any other matches a file's or folder's name at any depth.
 * What is in a matching folder is matched too. {@code !} before a pattern brings along what an
 * earlier line, git or a default leaves out; of several lines that match, the last one counts.
 */
final class IgnoreFile {
  private final List<Line> lines = new ArrayList<>();

  private static final class Line {
    private final String text;
    private final Glob glob;
    private final String pattern;
    private final boolean brings;
    private final boolean isPath;
    private boolean matched;

    Line(String text) {
      this.text = text;
      brings = text.startsWith("!");
      var rest = brings ? text.substring(1) : text;
      if (rest.endsWith("/")) rest = rest.substring(0, rest.length() - 1);
      pattern = rest.startsWith("/") ? rest.substring(1) : rest;
      isPath = rest.indexOf('/') >= 0;
      glob = glob(text, pattern);
    }

    private static Glob glob(String text, String pattern) {
      try {
        return Glob.of(pattern);
      } catch (IllegalArgumentException wrong) {
        throw new InvalidInputException(
            "code", "'%s' in .mayflyignore: %s".formatted(text, wrong.getMessage()));
      }
    }

    boolean matches(String path) {
      return glob.matches(isPath ? path : path.substring(path.lastIndexOf('/') + 1));
    }

    /** Whether something below a folder may match. */
    boolean mayMatchBelow(String folder) {
      if (!isPath) return false;
      var parts = pattern.split("/");
      var names = folder.split("/");
      for (var i = 0; i < names.length; i++) {
        if (i < parts.length && parts[i].contains("**")) return true;
        if (i >= parts.length - 1 || !Glob.of(parts[i]).matches(names[i])) return false;
      }
      return true;
    }
  }

  static IgnoreFile of(Path file) {
    var ignored = new IgnoreFile();
    if (!Files.exists(file)) return ignored;
    for (var line : text(file).lines().toList()) {
      var text = line.strip();
      if (!text.isEmpty() && !text.startsWith("#")) ignored.lines.add(new Line(text));
    }
    return ignored;
  }

  private static String text(Path file) {
    try {
      return UserDocuments.text(Files.readAllBytes(file), file.toString());
    } catch (IOException e) {
      throw new InvalidInputException(file.toString(), "cannot be read: " + e);
    }
  }

  /** What the last line that matches this very path does. */
  enum Effect {
    IGNORED,
    BROUGHT
  }

  Optional<Effect> effect(String path) {
    for (var line : lines.reversed()) {
      if (!line.matches(path)) continue;
      line.matched = true;
      return Optional.of(line.brings ? Effect.BROUGHT : Effect.IGNORED);
    }
    return Optional.empty();
  }

  boolean mayBringBelow(String folder) {
    return lines.stream().anyMatch(line -> line.brings && line.mayMatchBelow(folder));
  }

  /** Lines that should bring something along and matched nothing that was looked at. */
  List<String> idle() {
    return lines.stream().filter(line -> line.brings && !line.matched).map(l -> l.text).toList();
  }
}
