package dev.mayfly.cli.page;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes {@code ~} for the home folder of this computer's user, in JSON that others will read. */
final class HomePaths {
  /** Not within a longer name; in JSON the letter of {@code \n} comes before a path of a line. */
  private static final String BEFORE =
      "(?:(?<![A-Za-z0-9._~-])(?<!:/)|(?<=\\\\[bfnrt])|(?<=\\\\u[0-9A-Fa-f]{4}))";

  private static final String AFTER = "(?![A-Za-z0-9_-])";

  private final Map<String, String> words = new LinkedHashMap<>();

  /**
   * @param env of the command
   */
  HomePaths(Map<String, String> env) {
    Optional.ofNullable(env.get("MAYFLY_HOME")).ifPresent(home -> add(home, "$MAYFLY_HOME"));
    Optional.ofNullable(env.get("HOME")).ifPresent(home -> add(home, "~"));
    add(System.getProperty("user.home", ""), "~");
  }

  private void add(String folder, String word) {
    if (folder.isBlank()) return;
    var path = Path.of(folder).toAbsolutePath().normalize();
    if (path.getNameCount() > 0) words.putIfAbsent(path.toString(), word);
  }

  String replacedIn(String json) {
    var text = json;
    for (var each : words.entrySet())
      text =
          Pattern.compile(BEFORE + Pattern.quote(each.getKey()) + AFTER)
              .matcher(text)
              .replaceAll(Matcher.quoteReplacement(each.getValue()));
    return text;
  }
}
