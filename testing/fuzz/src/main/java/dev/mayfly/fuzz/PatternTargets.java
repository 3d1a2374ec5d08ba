package dev.mayfly.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.text.Glob;
import dev.mayfly.core.text.TaskTemplate;
import dev.mayfly.fuzz.FuzzTargets.NamedTarget;
import dev.mayfly.porttests.WorstCaseInputs;
import java.util.List;
import java.util.Map;

/** Small languages in users' texts: globs, templates, places. */
final class PatternTargets {
  /** The schemas' limit for such texts. */
  private static final int LONGEST = 2_048;

  private PatternTargets() {}

  static List<FuzzTarget> all() {
    return List.of(
        new NamedTarget(
            "globs",
            SeedCorpus.texts(
                "data/**/[a-c]*.json\ndata/x/y/b1.json",
                WorstCaseInputs.GLOB + "\n" + WorstCaseInputs.NAME),
            PatternTargets::glob),
        new NamedTarget(
            "templates",
            SeedCorpus.texts(
                "{owner}/{{x}}/{index}-{a}.json\na\nv{b}", "{a}{a}{a}\na\n$1\\", "{index}"),
            PatternTargets::template),
        new NamedTarget(
            "places",
            SeedCorpus.texts("gs://lab/a/../b", "file:///tmp/x y"),
            PatternTargets::place));
  }

  private static String[] parts(byte[] input) {
    var lines = new String(input, UTF_8).split("\n", 3);
    var parts = new String[] {"", "", ""};
    for (var i = 0; i < lines.length; i++)
      parts[i] = lines[i].substring(0, Math.min(LONGEST, lines[i].length()));
    return parts;
  }

  private static boolean glob(byte[] input) {
    var parts = parts(input);
    try {
      var glob = Glob.of(parts[0]);
      if (glob.matches(parts[1]) && !parts[1].startsWith(glob.prefix()))
        throw new IllegalStateException("matches a name that does not begin with its prefix");
      return true;
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }

  private static boolean template(byte[] input) {
    var parts = parts(input);
    var words = TaskTemplate.placeholders(parts[0]);
    var filled = TaskTemplate.fill(parts[0], Map.of(parts[1], parts[2]));
    if (words.isEmpty() && !parts[0].contains("{{") && !filled.equals(parts[0]))
      throw new IllegalStateException("changed a text that has no word");
    return TaskTemplate.unknownPlaceholders(parts[0], TaskTemplate.NAMES).isEmpty();
  }

  private static boolean place(byte[] input) {
    try {
      var objectUrl = ObjectUrl.of(parts(input)[0]);
      if (!ObjectUrl.of(objectUrl.toString()).equals(objectUrl))
        throw new IllegalStateException("is read as another place than it is written");
      return true;
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }
}
