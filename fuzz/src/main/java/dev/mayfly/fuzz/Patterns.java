package dev.mayfly.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.job.Glob;
import dev.mayfly.core.job.Template;
import dev.mayfly.core.port.Url;
import dev.mayfly.fuzz.EntryPoints.Named;
import dev.mayfly.porttests.WorstCases;
import java.util.List;
import java.util.Map;

/** Small languages in users' texts: globs, templates, places. */
final class Patterns {
  /** As long as the schemas allow such texts to be. */
  private static final int LONGEST = 2_048;

  private Patterns() {}

  static List<EntryPoint> all() {
    return List.of(
        new Named(
            "globs",
            Seeds.texts(
                "data/**/[a-c]*.json\ndata/x/y/b1.json", WorstCases.GLOB + "\n" + WorstCases.NAME),
            Patterns::glob),
        new Named(
            "templates",
            Seeds.texts("{owner}/{{x}}/{index}-{a}.json\na\nv{b}", "{a}{a}{a}\na\n$1\\", "{index}"),
            Patterns::template),
        new Named("places", Seeds.texts("gs://lab/a/../b", "file:///tmp/x y"), Patterns::place));
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
    var words = Template.words(parts[0]);
    var filled = Template.fill(parts[0], Map.of(parts[1], parts[2]));
    if (words.isEmpty() && !parts[0].contains("{{") && !filled.equals(parts[0]))
      throw new IllegalStateException("changed a text that has no word");
    return Template.unknown(parts[0], Template.NAMES).isEmpty();
  }

  private static boolean place(byte[] input) {
    try {
      var url = Url.of(parts(input)[0]);
      if (!Url.of(url.toString()).equals(url))
        throw new IllegalStateException("is read as another place than it is written");
      return true;
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }
}
