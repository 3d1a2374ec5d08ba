package dev.mayfly.arch;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The files that a report and a message pass, as they are recorded, are those of the page. */
class WalksTest {
  private static final Path PAGE = Sources.ROOT.resolve("docs/walks.md");

  /** The most files that a reader of a walk opens in a module. */
  private record Limit(String walk, String module, int files) {}

  private static final List<Limit> LIMITS =
      List.of(new Limit("sync", "core", 15), new Limit("message", "wire", 12));

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
    # Two walks

    What a reader passes who follows one call through the code, recorded by `WalksTest` (`testing/arch`), which keeps these lists true. Values (`core.model`) and plans (`core.plan`) are left out.

    ## A report, from the function `workers` to its reply

    An agent says that one task of its lease is done; what it runs has changed, and the reply has its orders. The instance has answered this worker before and its machine has no room for another task: granting work, finding silent workers and gangs are other walks.

    %s
    ## A message, from its bytes to the commands in it

    A job of a hundred counted tasks.

    %s\
    """
        .formatted(
            list(walks.get("sync"), List.of("functions", "core", "wire")),
            list(walks.get("message"), List.of("wire", "core")));
  }

  private static String list(Set<String> walk, List<String> modules) throws IOException {
    var text = new StringBuilder();
    for (var module : modules) {
      var rooms = rooms(walk, module);
      text.append("%d files of `%s`:%n%n".formatted(files(rooms), module));
      rooms.forEach((room, types) ->
          text.append("- `%s`: %s%n".formatted(room, types.stream().collect(joining(", ")))));
      text.append('\n');
    }
    return text.toString();
  }

  private static int files(Map<String, List<String>> rooms) {
    return rooms.values().stream().mapToInt(List::size).sum();
  }

  private static Map<String, List<String>> rooms(Set<String> walk, String module) {
    var rooms = new TreeMap<String, List<String>>();
    for (var type : walk)
      if (type.startsWith("dev.mayfly." + module + ".")
          && !type.matches("dev\\.mayfly\\.core\\.(model|plan)\\..*")) {
        var room = type.substring("dev.mayfly.".length(), type.lastIndexOf('.'));
        rooms
            .computeIfAbsent(room, _ -> new java.util.ArrayList<>())
            .add(type.substring(type.lastIndexOf('.') + 1));
      }
    return rooms;
  }
}
