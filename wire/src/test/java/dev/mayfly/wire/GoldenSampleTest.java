package dev.mayfly.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.wire.schema.FieldWords;
import dev.mayfly.wire.schema.RecordSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Records, their schemas and their golden samples say the same. */
class GoldenSampleTest {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final List<String> OF_USERS =
      List.of(
          "common",
          "cluster",
          "job",
          "add-tasks",
          "close-job",
          "change-schedule",
          "stop-job",
          "retry-job",
          "stop-tasks",
          "retry-tasks",
          "follow-logs",
          "down-cluster",
          "drain-worker",
          "cordon",
          "uncordon",
          "join-worker",
          "slice",
          "delete-slice",
          "reshape-slice",
          "recipe",
          "scenario");

  @ParameterizedTest
  @EnumSource
  void schemaMatchesItsRecord(GoldenSample goldenSample) throws IOException {
    var schema = RecordSchema.of(goldenSample.subject());
    if (GoldenSample.writes()) Files.writeString(goldenSample.schema(), schema);

    assertThat(Files.readString(goldenSample.schema())).isEqualTo(schema);
  }

  @ParameterizedTest
  @EnumSource
  void aSampleIsReadAndWrittenBackTheSame(GoldenSample goldenSample) throws IOException {
    var value = Wire.shared().read(goldenSample.type(), GoldenSample.bytes(goldenSample.sample()));
    var written = JSON.readTree(Wire.shared().json(value)).toPrettyString() + "\n";
    if (GoldenSample.writes()) Files.writeString(goldenSample.sample(), written);

    assertThat(Files.readString(goldenSample.sample())).isEqualTo(written);
  }

  @ParameterizedTest
  @EnumSource
  void aSampleFitsItsSchema(GoldenSample goldenSample) throws IOException {
    var sample = JSON.readTree(GoldenSample.bytes(goldenSample.sample()));

    assertThat(errors(goldenSample.file(), sample)).isEmpty();
    assertThat(errors(goldenSample.file(), JSON.createObjectNode())).isNotEmpty();
  }

  /** People read stored documents in the console, with the schemas beside them. */
  @Test
  void everyFieldOfStoredDocumentsIsDescribed() {
    var words = new FieldWords();
    var stored = Arrays.stream(GoldenSample.values()).filter(GoldenSample::isStored);

    assertThat(stored.flatMap(sample -> RecordSchema.undescribed(sample.subject(), words).stream()))
        .as("say what they mean: @param of the record, or stored-fields.properties")
        .isEmpty();
    assertThat(words.unused()).as("lines of stored-fields.properties about no field").isEmpty();
  }

  @Test
  void everyDocumentHasASchemaAndASample() {
    var types = Arrays.stream(GoldenSample.values()).map(GoldenSample::type).toList();

    assertThat(types).contains(LedgerDocument.class.getPermittedSubclasses());
  }

  @Test
  void whatUsersWriteFitsItsSchemaOncePublished() throws IOException {
    for (var file : SamplesTest.valid())
      for (var parsedDocument : UserDocuments.parse(Files.readAllBytes(file), "", Map.of()))
        assertThat(errors(schemaOf(parsedDocument.kind()), JSON.readTree(parsedDocument.json())))
            .as(parsedDocument.json())
            .isEmpty();
  }

  @Test
  void everyFileOfTheContractIsKnown() throws IOException {
    var known =
        Arrays.stream(GoldenSample.values()).map(g -> g.schema().getFileName().toString()).toList();
    try (var files = Files.newDirectoryStream(GoldenSample.SCHEMAS, "*.schema.json")) {
      for (var file : files) {
        var name = file.getFileName().toString();
        if (!known.contains(name)) assertThat(OF_USERS).contains(name.replace(".schema.json", ""));
      }
    }
  }

  private static String schemaOf(String kind) {
    return kind.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }

  private static List<?> errors(String schema, JsonNode value) throws IOException {
    var texts = new HashMap<String, String>();
    for (var name : new String[] {"common", schema})
      texts.put(
          id(name), Files.readString(GoldenSample.SCHEMAS.resolve(name + ".schema.json"), UTF_8));
    return SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12, b -> b.schemas(texts))
        .getSchema(SchemaLocation.of(id(schema)))
        .validate(value, c -> c.executionConfig(e -> e.formatAssertionsEnabled(true)));
  }

  private static String id(String schema) {
    return "https://mayfly.dev/schemas/v1/" + schema + ".schema.json";
  }
}
