package dev.mayfly.arch.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.arch.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Types named in pages and decisions exist; what Google writes was not renamed with them. */
class DocumentedTypesTest {
  /** Words in backticks: a command, or what somebody else's program says. */
  private static final Pattern QUOTED = Pattern.compile("`([^`\\n]+)`");

  private static final Pattern COMPOUND = Pattern.compile("\\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\\b");

  /** Commands name tests, and messages have a kind. */
  private static final Pattern OURS =
      Pattern.compile("(?:\\./build|testing/\\w+/run) .*|.*\"kind\": .*|\\w+ \\{.*");

  /** A compound name as code, perhaps with a member. */
  private static final Pattern NAMED =
      Pattern.compile("`([A-Z][a-z]+(?:[A-Z][a-z]+)+)(?:\\.\\w+)?`");

  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|record|interface|enum) ([A-Z]\\w+)");

  /** Names of the JDK, of systemd, of Slurm and Kubernetes, and of what a decision replaced. */
  private static final Set<String> FOREIGN =
      Set.of(
          "InstantSource",
          "DenyUsers",
          "ExecStop",
          "SuccessExitStatus",
          "SyncContext",
          "PriorityClass",
          "PriorityDecayHalfLife",
          "ResumeProgram",
          "SuspendTime");

  @Test
  void namedTypesExist() throws IOException {
    var declared = declared();
    var pages = pages();

    assertThat(pages).hasSizeGreaterThan(50);
    assertThat(pages.stream().flatMap(page -> names(page).map(name -> page + ": " + name)))
        .filteredOn(it -> !FOREIGN.contains(nameIn(it)) && !declared.contains(nameIn(it)))
        .isEmpty();
  }

  /** Somebody searches for the message, and finds it by its exact words alone. */
  @Test
  void quotedTextsHoldNoTypesOfOurs() throws IOException {
    var declared = declared();

    var renamed = new ArrayList<String>();
    for (var page : pages())
      QUOTED
          .matcher(Files.readString(page))
          .results()
          .map(quoted -> quoted.group(1))
          .filter(text -> text.contains(" ") && !OURS.matcher(text).matches())
          .filter(text ->
              COMPOUND.matcher(text).results().anyMatch(name -> declared.contains(name.group())))
          .forEach(text -> renamed.add(page + ": " + text));
    assertThat(renamed).isEmpty();
  }

  private static Set<String> declared() throws IOException {
    return Sources.all().stream()
        .flatMap(source -> DECLARED.matcher(source.text()).results())
        .map(found -> found.group(1))
        .collect(Collectors.toSet());
  }

  private static String nameIn(String told) {
    return told.substring(told.lastIndexOf(' ') + 1);
  }

  private static Stream<String> names(Path page) {
    try {
      return NAMED
          .matcher(Files.readString(page))
          .results()
          .map(found -> found.group(1))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static List<Path> pages() throws IOException {
    try (var root = Files.list(Sources.ROOT);
        var docs = Files.walk(Sources.ROOT.resolve("docs"))) {
      return Stream.concat(root, docs).filter(d -> d.toString().endsWith(".md")).sorted().toList();
    }
  }
}
