package dev.mayfly.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.wire.UserDocuments;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code schemas/scenario.schema.json} and the reader know the same fields. */
class ScenarioSchemaTest {
  @Test
  void fieldsAreThoseOfReader() throws IOException {
    var schema = read();
    var fields = object(schema.get("properties"));
    var job = properties(object(fields.get("jobs")).get("items"));
    var zone = properties(object(fields.get("zones")).get("items"));

    assertThat(fields.keySet()).isEqualTo(ScenarioReader.FIELDS);
    assertThat(job.keySet()).isEqualTo(ScenarioReader.JOB_FIELDS);
    assertThat(zone.keySet()).isEqualTo(WorldReader.ZONE_FIELDS);
    assertThat(properties(object(zone.get("machines")).get("items")).keySet())
        .isEqualTo(WorldReader.STOCK_FIELDS);
    assertThat(properties(object(zone.get("losses")).get("items")).keySet())
        .isEqualTo(WorldReader.LOSS_FIELDS);
    assertThat(properties(object(fields.get("commands")).get("items")).keySet())
        .isEqualTo(WorldReader.COMMAND_FIELDS);
    assertThat(properties(object(fields.get("quotas")).get("items")).keySet())
        .isEqualTo(WorldReader.QUOTA_FIELDS);
    assertThat(properties(object(fields.get("expect")).get("items")).keySet())
        .isEqualTo(ExpectationReader.FIELDS);
    assertThat(properties(object(schema.get("$defs")).get("bound")).keySet())
        .isEqualTo(ExpectationReader.BOUND_FIELDS);
    assertThat(properties(object(schema.get("$defs")).get("taskDurations")).keySet())
        .isEqualTo(ScenarioFields.TASK_MODELS);
    assertThat(properties(object(schema.get("$defs")).get("bootDurations")).keySet())
        .isEqualTo(ScenarioFields.BOOT_MODELS);
  }

  private static Map<String, ?> read() throws IOException {
    var file = "/dev/mayfly/schemas/scenario.schema.json";
    try (var in = UserDocuments.class.getResourceAsStream(file)) {
      assertThat(in).as(file).isNotNull();
      return UserDocuments.fields(in.readAllBytes());
    }
  }

  private static Map<String, ?> properties(Object schema) {
    return object(object(schema).get("properties"));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, ?> object(Object value) {
    return (Map<String, ?>) value;
  }
}
