package dev.mayfly.arch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the buckets that Terraform makes delete by themselves. */
class TerraformBucketTest {
  /** A job whose task list is deleted while it lives can neither run on nor tell how it ended. */
  @Test
  void bucketsDeleteLogsAndHistoriesAndNothingElse() throws IOException {
    var rule = TerraformConfig.text("modules/storage/main.tf");
    var prefix = only(rule, "matches_prefix");
    var suffixes = values(rule, "matches_suffix");
    var layout = BucketLayout.of("gs://lab");

    var deleted =
        Stream.of(
                layout.log("j1", 7, "s0e1", 3),
                layout.log("j1", 7, BucketLayout.SETUP_LOG + "s0e1", 0),
                layout.metrics("j1", 7, "s0e1", 2),
                layout.tasks("j1", 7),
                layout.outcome("j1", 0),
                layout.code("c"),
                layout.setup("s"))
            .map(ObjectUrl::name)
            .filter(name -> name.startsWith(prefix) && suffixes.stream().anyMatch(name::endsWith));

    assertThat(deleted).hasSize(3).allMatch(name -> name.contains("/logs/"));
  }

  /** The only value of the only list of that name. */
  private static String only(String text, String name) {
    var values = values(text, name);
    assertThat(values).as(name).hasSize(1);
    return values.getFirst();
  }

  /** The values of the only list of that name. */
  private static List<String> values(String text, String name) {
    var lists = Pattern.compile(name + " += \\[([^\\]]+)]").matcher(text).results().toList();
    assertThat(lists).as(name).hasSize(1);
    return Pattern.compile("\"([^\"]+)\"")
        .matcher(lists.getFirst().group(1))
        .results()
        .map(it -> it.group(1))
        .toList();
  }
}
