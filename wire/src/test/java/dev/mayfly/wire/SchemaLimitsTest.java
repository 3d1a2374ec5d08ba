package dev.mayfly.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.BatchSize;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Limits that a schema tells users and that the code has for reasons of its own. */
class SchemaLimitsTest {
  @Test
  void aGangAndItsDocumentsFitOneBatch() throws IOException {
    var schema = Files.readString(Golden.SCHEMAS.resolve("job.schema.json"));
    var gang = JsonMapper.shared().readTree(schema).at("/properties/gang/maximum");

    // Its task's shard, and the pulse that tells of both.
    assertThat(gang.intValue()).isEqualTo(BatchSize.GANG).isLessThanOrEqualTo(BatchSize.MOST - 2);
  }
}
