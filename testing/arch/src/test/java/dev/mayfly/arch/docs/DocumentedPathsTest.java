package dev.mayfly.arch.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.arch.Sources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links of pages lead to existing files, and to existing headings of pages. */
class DocumentedPathsTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)(?:#([^)\\s]*))?\\)");
  private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.*)$", Pattern.MULTILINE);
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```$");

  /** What version control leaves in a file that two people changed; never a line of one's own. */
  private static final Pattern CONFLICT = Pattern.compile("^(<{7}|>{7}) ", Pattern.MULTILINE);

  private static final Set<String> MADE = Set.of(".git", "target", ".terraform", "__pycache__");

  private static final List<String> TEXTS =
      List.of(
          ".md",
          ".java",
          ".json",
          ".yaml",
          ".yml",
          ".py",
          ".sh",
          ".tf",
          ".xml",
          ".csv",
          ".txt",
          ".svg",
          ".hcl",
          ".properties",
          ".toml");

  @Test
  void linksOfPagesLeadToFiles() throws IOException {
    var pages = pages();

    assertThat(pages).hasSizeGreaterThan(50);
    assertThat(pages.stream().flatMap(DocumentedPathsTest::broken)).isEmpty();
  }

  @Test
  void anchorsOfPagesAreHeadings() throws IOException {
    var pages = pages();

    assertThat(pages.stream().flatMap(page -> links(page, 2)).filter(it -> !it.isEmpty()))
        .hasSizeGreaterThan(20);
    assertThat(pages.stream().flatMap(DocumentedPathsTest::lost)).isEmpty();
  }

  @Test
  void noFileHasMergeConflicts() throws IOException {
    var texts = files().filter(DocumentedPathsTest::isText).toList();

    assertThat(texts).hasSizeGreaterThan(1000);
    assertThat(texts.stream().filter(file -> CONFLICT.matcher(text(file)).find())).isEmpty();
  }

  private static boolean isText(Path file) {
    var name = file.getFileName().toString();
    return !name.contains(".") || name.startsWith(".") || TEXTS.stream().anyMatch(name::endsWith);
  }

  private static Stream<String> lost(Path page) {
    return LINK
        .matcher(prose(page))
        .results()
        .filter(it -> it.group(2) != null && !it.group(1).contains(":"))
        .filter(it -> {
          var target = it.group(1).isEmpty() ? page : page.resolveSibling(it.group(1));
          return target.toString().endsWith(".md") && !anchors(target).contains(it.group(2));
        })
        .map(it -> Sources.ROOT.relativize(page) + " leads to " + it.group(1) + "#" + it.group(2))
        .toList()
        .stream();
  }

  /** As GitHub makes them of headings; a second one of the same text gets a number. */
  private static Set<String> anchors(Path page) {
    var all = new HashSet<String>();
    for (var heading : HEADING.matcher(prose(page)).results().map(it -> it.group(1)).toList()) {
      var plain = heading.replaceAll("\\[([^]]*)\\]\\([^)]*\\)", "$1");
      var anchor =
          plain
              .strip()
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-');
      var number = 0;
      while (!all.add(number == 0 ? anchor : anchor + "-" + number)) number++;
    }
    return all;
  }

  private static String prose(Path page) {
    return BLOCK.matcher(text(page)).replaceAll("");
  }

  private static String text(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<String> broken(Path page) {
    return links(page, 1)
        .filter(it -> !it.isEmpty() && !it.contains(":"))
        .filter(it -> !Files.exists(page.resolveSibling(it)))
        .map(it -> Sources.ROOT.relativize(page) + " leads to " + it)
        .toList()
        .stream();
  }

  private static Stream<String> links(Path page, int group) {
    return LINK
        .matcher(text(page))
        .results()
        .map(it -> Optional.ofNullable(it.group(group)).orElse(""))
        .toList()
        .stream();
  }

  private static List<Path> pages() throws IOException {
    return files().filter(it -> it.toString().endsWith(".md")).toList();
  }

  /** All but what is made: version control's own files and those of builds. */
  private static Stream<Path> files() throws IOException {
    var all = new ArrayList<Path>();
    Files.walkFileTree(
        Sources.ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes its) {
            return MADE.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes its) {
            if (its.isRegularFile()) all.add(file);
            return FileVisitResult.CONTINUE;
          }
        });
    return all.stream().sorted();
  }
}
