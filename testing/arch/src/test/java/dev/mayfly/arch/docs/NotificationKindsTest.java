package dev.mayfly.arch.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.arch.Sources;
import dev.mayfly.core.model.cluster.NotificationKind;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of notifications and what a cluster may ask for follow the kinds that there are. */
class NotificationKindsTest {
  private static final List<String> KINDS =
      Arrays.stream(NotificationKind.values()).map(NotificationKind::word).toList();
  private static final List<String> NUMBERS =
      List.of("no", "one", "two", "three", "four", "five", "six", "seven", "eight");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z-]+)` \\|");

  @Test
  void pageHasEachKindAndTheirNumber() throws IOException {
    var page = Files.readString(Sources.ROOT.resolve("docs/notifications.md"));
    var number = NUMBERS.get(KINDS.size());

    assertThat(ROW.matcher(page).results().map(row -> row.group(1)).toList())
        .containsExactlyInAnyOrderElementsOf(KINDS);
    assertThat(page).contains("of " + number + " things", "all " + number + " kinds");
  }

  @Test
  void clusterMayNameAllKinds() {
    var cluster =
        """
        apiVersion: mayfly.dev/v1
        kind: Cluster
        name: lab
        bucket: gs://lab
        pools: [{name: cpu, machine: {type: n2-standard-2}, zones: [z-1], workers: {max: 5}}]
        notifications:
          webhook: {url: "https://hooks.lab.org/mayfly", secret: mayfly-webhook/latest}
          on: %s
        """
            .formatted(KINDS);

    assertThat(Wire.codec().commands(cluster.getBytes(StandardCharsets.UTF_8))).hasSize(1);
  }
}
