package dev.mayfly.cli.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The files of the page, from the resources: none of the computer's. */
final class PageFiles {
  /** One folder at most, and one dot: no way leads out of the site. */
  private static final Pattern NAME = Pattern.compile("/([a-z]+/)?[a-z][-a-z0-9]*\\.[a-z]+");

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml");

  private PageFiles() {}

  /** One file. */
  record Found(String type, byte[] content) {}

  /** The file at this path; empty if there is none. */
  static Optional<Found> at(String path) {
    var name = path.equals("/") ? "/index.html" : path;
    if (!NAME.matcher(name).matches()) return Optional.empty();
    var type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null) return Optional.empty();
    return read(name).map(content -> new Found(type, content));
  }

  /** What one of the page's own files has. */
  static byte[] content(String path) {
    return read("/" + path)
        .orElseThrow(() -> new IllegalStateException("the page has no file " + path));
  }

  private static Optional<byte[]> read(String name) {
    try (var in = PageFiles.class.getResourceAsStream("site" + name)) {
      return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
