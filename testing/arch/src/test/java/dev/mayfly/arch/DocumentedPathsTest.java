package dev.mayfly.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links of pages lead to existing files. */
class DocumentedPathsTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");

  @Test
  void linksOfPagesLeadToFiles() throws IOException {
    var pages = pages();

    assertThat(pages).hasSizeGreaterThan(50);
    assertThat(pages.stream().flatMap(DocumentedPathsTest::broken)).isEmpty();
  }

  private static Stream<String> broken(Path page) {
    try {
      return LINK
          .matcher(Files.readString(page))
          .results()
          .map(it -> it.group(1))
          .filter(it -> !it.contains(":"))
          .filter(it -> !Files.exists(page.resolveSibling(it)))
          .map(it -> Sources.ROOT.relativize(page) + " leads to " + it)
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(Sources.ROOT, 4)) {
      return files
          .filter(it -> it.toString().endsWith(".md"))
          .filter(it -> !it.toString().contains("/target/"))
          .sorted()
          .toList();
    }
  }
}
