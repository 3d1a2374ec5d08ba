package dev.mayfly.arch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The source text of every module's Java files. */
public final class Sources {
  /** The checkout; the working folder of a test is its module's. */
  public static final Path ROOT = root(Path.of("").toAbsolutePath());

  /**
   * One Java file.
   *
   * @param module the name of its module's folder
   * @param path from the root of the checkout
   */
  public record Source(String module, Path path) {
    List<String> lines() {
      try {
        return Files.readAllLines(ROOT.resolve(path), UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    public String text() {
      return String.join("\n", lines());
    }

    /** The simple name of the type that the file declares. */
    public String type() {
      return path.getFileName().toString().replace(".java", "");
    }

    boolean isPackageInfo() {
      return type().equals("package-info");
    }

    Path folder() {
      return path.getParent();
    }
  }

  private Sources() {}

  public static List<Source> all() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT, 3)) {
      return files
          .filter(it -> it.getFileName().toString().equals("src") && Files.isDirectory(it))
          .sorted()
          .flatMap(Sources::of)
          .toList();
    }
  }

  private static Stream<Source> of(Path src) {
    var module = src.getParent().getFileName().toString();
    try (Stream<Path> files = Files.walk(src)) {
      return files
          .filter(it -> it.toString().endsWith(".java"))
          .sorted()
          .map(it -> new Source(module, ROOT.relativize(it)))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path root(Path folder) {
    return Files.exists(folder.resolve("CONTRIBUTING.md")) ? folder : root(folder.getParent());
  }
}
