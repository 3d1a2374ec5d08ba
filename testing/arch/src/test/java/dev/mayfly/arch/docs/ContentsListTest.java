package dev.mayfly.arch.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.arch.Sources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A long page has links to its sections after its first paragraph. {@code -Dmayfly.docs=write}
 * renews the lists; that of the page of fields is {@code ReferenceTest}'s, and pages made from code
 * have none, or their own.
 */
class ContentsListTest {
  private static final int LONG = 12_000;
  private static final int FEW = 3;
  private static final Set<String> MADE =
      Set.of("reference.md", "screens.md", "tour.md", "walks.md");
  private static final Pattern SECTION = Pattern.compile("^## +(.*)$", Pattern.MULTILINE);
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```$");
  private static final Pattern LISTED = Pattern.compile("(?m)^\\*\\*On this page:\\*\\* .*\n\n");

  @Test
  void longPagesListTheirSections() throws IOException {
    var pages = pages();

    assertThat(pages).hasSizeGreaterThan(5);
    for (var page : pages) {
      var text = Files.readString(page);
      var renewed = renewed(text);
      if ("write".equals(System.getProperty("mayfly.docs"))) Files.writeString(page, renewed);
      assertThat(Files.readString(page))
          .as(page.getFileName() + " has a stale list; ContentsListTest, -Dmayfly.docs=write")
          .isEqualTo(renewed);
    }
  }

  @Test
  void aListLeadsToItsSections() {
    var page = "# Title\n\nWords.\n\n## Of `a` & b\n\n```\n## no\n```\n\n## C: d\n";

    assertThat(renewed(page + "## E\n\n## F\n"))
        .contains("Words.\n\n**On this page:** [Of `a` & b](#of-a--b) · [C: d](#c-d) · [E](#e)")
        .doesNotContain("(#no)");
    assertThat(renewed(renewed(page + "## E\n\n## F\n")))
        .isEqualTo(renewed(page + "## E\n\n## F\n"));
    assertThat(renewed(page)).as("a page of few sections").isEqualTo(page);
  }

  private static String renewed(String text) {
    var plain = LISTED.matcher(text).replaceFirst("");
    var sections = sections(plain);
    if (sections.size() < FEW) return plain;
    var list =
        sections.stream()
            .map(name -> "[%s](#%s)".formatted(name, anchor(name)))
            .collect(Collectors.joining(" · ", "**On this page:** ", "\n\n"));
    var place = plain.indexOf("\n\n", plain.indexOf("\n\n") + 2) + 2;
    return plain.substring(0, place) + list + plain.substring(place);
  }

  private static List<String> sections(String text) {
    return SECTION
        .matcher(BLOCK.matcher(text).replaceAll(""))
        .results()
        .map(it -> it.group(1).strip())
        .toList();
  }

  /** As GitHub makes it of a heading. */
  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }

  private static List<Path> pages() throws IOException {
    try (var docs = Files.list(Sources.ROOT.resolve("docs"))) {
      return docs.filter(it -> it.toString().endsWith(".md"))
          .filter(it -> !MADE.contains(it.getFileName().toString()))
          .filter(ContentsListTest::isLong)
          .sorted()
          .toList();
    }
  }

  private static boolean isLong(Path page) {
    try {
      var text = LISTED.matcher(Files.readString(page)).replaceFirst("");
      return text.getBytes(StandardCharsets.UTF_8).length > LONG;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
