package dev.mayfly.arch.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.arch.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests named in pages exist. */
class DocumentedTestsTest {
  private static final Path ROOT = Sources.ROOT;

  /** {@code SomeTest} or {@code SomeTest.method}, or a further {@code method} of it, as code. */
  private static final Pattern NAMED =
      Pattern.compile(
          "`(?:([A-Z][A-Za-z]+(?:Test|Tests))(?:\\.([a-z][A-Za-z0-9]+))?|([a-z]+(?:[A-Z][A-Za-z0-9]*){3,}))`");

  private static final Pattern CONTRACT = Pattern.compile(" extends (\\w+Contract)");

  @Test
  void namedTestsExist() throws IOException {
    var sources = sources();
    var wrong = new ArrayList<String>();
    var seen = 0;
    for (var page : pages())
      for (var line : Files.readAllLines(page)) {
        var test = "";
        var found = NAMED.matcher(line);
        while (found.find()) {
          seen++;
          test = found.group(1) == null ? test : found.group(1);
          var method = found.group(1) == null ? found.group(3) : found.group(2);
          var source = inherited(test, sources);
          if (!test.isEmpty() && source.isEmpty()) wrong.add(page + ": there is no " + test);
          else if (!test.isEmpty() && method != null && !source.contains(" " + method + "("))
            wrong.add(page + ": " + test + " has no " + method);
        }
      }

    assertThat(seen).isGreaterThan(100);
    assertThat(wrong).isEmpty();
  }

  /** A test class's text, with that of the contracts that it extends. */
  private static String inherited(String test, Map<String, String> sources) {
    var own = sources.getOrDefault(test, "");
    var contract = CONTRACT.matcher(own);
    return contract.find() ? own + inherited(contract.group(1), sources) : own;
  }

  private static List<Path> pages() throws IOException {
    try (var root = Files.list(ROOT);
        var docs = Files.list(ROOT.resolve("docs"))) {
      return Stream.concat(root, docs).filter(d -> d.toString().endsWith(".md")).sorted().toList();
    }
  }

  /** The text of each test class by its simple name. */
  private static Map<String, String> sources() throws IOException {
    var texts = new HashMap<String, String>();
    for (var source : Sources.all()) texts.merge(source.type(), source.text(), String::concat);
    return texts;
  }
}
