package dev.mayfly.arch.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.arch.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The files that a report and a message pass, as they are recorded, are those of the page. */
class WalksTest {
  private static final String PROJECT = "dev.mayfly.";
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([a-z0-9.]+);");

  /** The comment above the type that a file declares: the last before the first line of a type. */
  private static final Pattern JAVADOC =
      Pattern.compile(
          "(?m)^/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\n(?:@.*\\n)*(?:public |final |abstract |sealed )*(?:class|record|interface|enum) ");

  private static final Pattern SENTENCE = Pattern.compile("[.](?= |$)");
  private static final Path PAGE = Sources.ROOT.resolve("docs/walks.md");

  /** The most files that a reader of a walk opens in a module. */
  private record Limit(String walk, String module, int files) {}

  private static final List<Limit> LIMITS =
      List.of(new Limit("sync", "core", 15), new Limit("message", "wire", 14));

  @Test
  void pageListsEveryFileOfTheWalks() throws Exception {
    var page = page(walks());
    if ("write".equals(System.getProperty("mayfly.docs"))) Files.writeString(PAGE, page);

    assertThat(Files.readString(PAGE))
        .as(
            "docs/walks.md is stale: ./build -pl testing/arch -am test -Dtest=WalksTest -Dmayfly.docs=write")
        .isEqualTo(page);
  }

  @Test
  void walksStayShort() throws Exception {
    var walks = walks();

    for (var limit : LIMITS)
      assertThat(files(rooms(walks.get(limit.walk()), limit.module())))
          .as("files of %s that the walk '%s' passes", limit.module(), limit.walk())
          .isPositive()
          .isLessThanOrEqualTo(limit.files());
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Set<String>> walks() throws ReflectiveOperationException {
    var scene = new WalkRecorder().loadClass(WalkScene.class.getName());
    return (Map<String, Set<String>>) scene.getMethod("walk").invoke(null);
  }

  private static String page(Map<String, Set<String>> walks) throws IOException {
    return """
    # Three walks

    The files that a reader passes when following one call through the code, in the order in which they are first entered, set-up code included, with the first sentence of each. `WalksTest` (`testing/arch`) records them and keeps these lists true. Values (`core.model`) and plans (`core.plan`) are left out.

    ## A report, from the function `workers` to its reply

    An agent says that one task of its lease is done; what it runs has changed, and the reply has its orders. The instance has answered this worker before and its machine has no room for another task: granting work, finding silent workers and gangs are other walks.

    %s
    ## A message, from its bytes to the commands in it

    A job of a hundred counted tasks.

    %s
    ## A job, from its message to the order of a machine

    The same job in a cluster without a worker: the function `jobs` stores it and sends a trigger, for which the function `autoscale` orders a machine.

    %s\
    """
        .formatted(
            list(walks.get("sync"), List.of("functions", "core", "wire")),
            list(walks.get("message"), List.of("wire", "core")),
            list(walks.get("machine"), List.of("functions", "core")));
  }

  private static String list(Set<String> walk, List<String> modules) throws IOException {
    var told = walk.stream().filter(type -> modules.contains(module(type)) && !isValue(type));
    var sentences = firstSentences();
    var text = new StringBuilder();
    for (var module : modules)
      text.append(
          "%s%d files of `%s`"
              .formatted(text.isEmpty() ? "" : ", ", files(rooms(walk, module)), module));
    text.append(":%n%n".formatted());
    told.forEach(type ->
        text.append("1. `%s`: %s%n".formatted(shortened(type), sentences.getOrDefault(type, "–"))));
    return text.toString();
  }

  private static String module(String type) {
    return type.substring(PROJECT.length(), type.indexOf('.', PROJECT.length()));
  }

  private static boolean isValue(String type) {
    return type.matches("dev\\.mayfly\\.core\\.(model|plan)\\..*");
  }

  private static String shortened(String type) {
    return type.substring(PROJECT.length());
  }

  /** By the full name of a type, what its Javadoc says first. */
  private static Map<String, String> firstSentences() throws IOException {
    var sentences = new HashMap<String, String>();
    for (var source : Sources.all()) {
      var text = source.text();
      var found = JAVADOC.matcher(text);
      if (!found.find()) continue;
      var all = found.group(1).replaceAll("\\s*\\n \\* ?", " ").strip();
      var end = SENTENCE.matcher(all);
      var first = end.find() ? all.substring(0, end.start() + 1) : all;
      var plain =
          first.replaceAll("\\{@(?:code|link) #?([^}]*)\\}", "`$1`").replaceAll("\\s+", " ");
      var name = PACKAGE.matcher(text);
      if (name.find()) sentences.put(name.group(1) + "." + source.type(), plain);
    }
    return sentences;
  }

  private static int files(Map<String, List<String>> rooms) {
    return rooms.values().stream().mapToInt(List::size).sum();
  }

  private static Map<String, List<String>> rooms(Set<String> walk, String module) {
    var rooms = new TreeMap<String, List<String>>();
    for (var type : walk)
      if (type.startsWith("dev.mayfly." + module + ".") && !isValue(type)) {
        var room = type.substring("dev.mayfly.".length(), type.lastIndexOf('.'));
        rooms
            .computeIfAbsent(room, _ -> new java.util.ArrayList<>())
            .add(type.substring(type.lastIndexOf('.') + 1));
      }
    return rooms;
  }
}
