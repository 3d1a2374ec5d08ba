package dev.mayfly.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.BatchSize;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Limits that a schema tells users and that the code has for reasons of its own. */
class SchemaLimitsTest {
  @Test
  void aGangAndItsDocumentsFitOneBatch() throws IOException {
    var schema = Files.readString(GoldenSample.SCHEMAS.resolve("job.schema.json"));
    var gang = JsonMapper.shared().readTree(schema).at("/properties/gang/maximum");

    // Its task's shard, and the change signal for both.
    assertThat(gang.intValue())
        .isEqualTo(BatchSize.GANG)
        .isLessThanOrEqualTo(BatchSize.MAX_WRITES - 2);
  }

  /** A text that does not fit is told what would, and that is the description. */
  @Test
  void patternsHaveDescriptions() throws IOException {
    var silent = new ArrayList<String>();
    for (var name : List.of("job", "cluster", "common", "slice", "join-worker")) {
      var schema = Files.readString(GoldenSample.SCHEMAS.resolve(name + ".schema.json"));
      look(name, JsonMapper.shared().readTree(schema), silent);
    }

    assertThat(silent).isEmpty();
  }

  private static void look(String place, JsonNode node, List<String> silent) {
    if (node.path("pattern").isString() && !node.path("description").isString()) silent.add(place);
    node.properties().forEach(p -> look(place + "/" + p.getKey(), p.getValue(), silent));
    if (node.isArray()) node.forEach(each -> look(place, each, silent));
  }
}
