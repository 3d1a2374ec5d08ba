package dev.mayfly.arch.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.arch.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A held row names more than tests of an adapter against our own imitation: these stay green when
 * what Mayfly decides is gone. Such a row also names a script that runs the whole, or a test of the
 * decision.
 */
class HeldEvidenceTest {
  private static final Pattern HELD =
      Pattern.compile("^\\| (\\S+) \\|.*\\*\\*held\\*\\*.*$", Pattern.MULTILINE);

  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*Test)\\b");
  private static final Pattern SCRIPT =
      Pattern.compile("`(\\.ci/|\\.?/?mayfly |examples/|testing/)");

  /** What these rows promise is the request that an adapter makes. */
  private static final Set<String> REQUESTS = Set.of("Z4");

  /** Where adapters meet the imitation of machines. */
  private static final String IMITATION = "/dev/mayfly/local/machines/";

  @Test
  void heldRowsNameMoreThanAdapters() throws IOException {
    var imitation = testsOfImitation();
    var weak = new ArrayList<String>();
    var seen = 0;
    for (var page : List.of("docs/features.md", "docs/rows.md")) {
      var rows = HELD.matcher(Files.readString(Sources.ROOT.resolve(page))).results().toList();
      for (var row : rows) {
        seen++;
        var tests = TEST.matcher(row.group()).results().map(found -> found.group(1)).toList();
        if (!REQUESTS.contains(row.group(1))
            && imitation.containsAll(tests)
            && !SCRIPT.matcher(row.group()).find())
          weak.add(page + ": " + row.group(1) + " names only " + tests);
      }
    }

    assertThat(seen).isGreaterThan(100);
    assertThat(weak).isEmpty();
  }

  private static Set<String> testsOfImitation() throws IOException {
    var names = new HashSet<String>();
    for (var source : Sources.all())
      if (source.path().toString().contains(IMITATION)) names.add(source.type());
    return names;
  }
}
