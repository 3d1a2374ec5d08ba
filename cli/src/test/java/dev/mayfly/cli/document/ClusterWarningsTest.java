package dev.mayfly.cli.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.wire.UserDocuments;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterWarningsTest {
  private static List<String> warnings(String machine, String budget) {
    var text =
        """
        apiVersion: mayfly.dev/v1
        kind: Cluster
        name: lab
        bucket: gs://lab-bucket
        pools:
          - {name: cpu, machine: {type: %s}, zones: [us-central1-a], workers: {max: 5}, visible: {cpu: 4, memory: 8Gi}}
        budget: {%s}
        """
            .formatted(machine, budget);
    var document = UserDocuments.parse(text.getBytes(UTF_8), "c.yaml", Map.of()).getFirst();
    return ClusterWarnings.of(((UserCommand.ApplyCluster) document.command()).spec()).stream()
        .map(InputError::message)
        .toList();
  }

  @Test
  void machineThatNoMonthPaysForIsAWarning() {
    assertThat(warnings("n2-standard-4", "usdPerMonth: 4, prices: {n2-standard-4: 2}"))
        .containsExactly(
            "costs $2.00 an hour each, for 2h5m at least, and the budget is $4.00 a month, so none ever starts; raise budget.usdPerMonth");
    assertThat(warnings("n2-standard-4", "usdPerMonth: 4.2, prices: {n2-standard-4: 2}")).isEmpty();
    assertThat(warnings("n2-standard-4", "usdPerMonth: 500")).as("list prices").isEmpty();
  }

  @Test
  void machineThatNoMonthCountsIsAWarning() {
    assertThat(warnings("new9-standard-4", "usdPerMonth: 500"))
        .containsExactly(
            "new9-standard-4 (spot) has no known price, and budget.usdPerMonth does not count machines without one; give it a price in budget.prices");
  }
}
