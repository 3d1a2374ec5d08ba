package dev.mayfly.gcp.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.porttests.RoundTripDocuments;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the console shows of a document, and that Mayfly reads the same from it. */
class ConsoleFieldsTest {
  private static final Path SCHEMAS = Path.of("..", "schemas");

  private static <D extends LedgerDocument> com.google.firestore.v1.Document stored(D document) {
    var form = DocumentMapper.encode("projects/p/databases/d/documents/x", document);
    @SuppressWarnings("unchecked")
    var type = (Class<D>) document.getClass();
    assertThat(DocumentMapper.decode(type, form).value()).isEqualTo(document);
    return form;
  }

  private static Job job() throws IOException {
    var sample = SCHEMAS.resolve("samples/valid/stored-job.json");
    return Wire.shared().read(Job.class, Files.readAllBytes(sample));
  }

  @Test
  void jobHasItsNameAndALine() throws IOException {
    var fields = stored(job()).getFieldsMap();

    assertThat(fields.get("name").getStringValue()).isEqualTo("ann/reddit");
    assertThat(fields.get("summary").getStringValue())
        .isEqualTo("failed at 2026-01-31T10:05:00Z: 1 done, 1 failed for good");
  }

  @Test
  void zeroThatMeansNoGangIsAbsent() throws IOException {
    assertThat(job().spec().gang()).isZero();

    var spec = stored(job()).getFieldsOrThrow("spec").getMapValue().getFieldsMap();
    assertThat(spec).containsKey("priority").doesNotContainKey("gang");
  }

  @Test
  void schemasDescribeWhatTheConsoleShows() throws IOException {
    var described = new HashMap<String, JsonNode>();
    try (var files = Files.newDirectoryStream(SCHEMAS, "stored-*.schema.json")) {
      for (var file : files) {
        var schema = JsonMapper.shared().readTree(Files.readString(file));
        described.put(schema.get("title").stringValue(), schema);
      }
    }

    for (var document : RoundTripDocuments.all()) {
      var type = document.getClass().getSimpleName();
      var schema = described.get(type);
      var known = schema.at(schema.get("$ref").stringValue().substring(1) + "/properties");
      var shown = DocumentMapper.encode("x", document).getFieldsMap().keySet();

      assertThat(shown).as(type).allMatch(field -> known.at("/" + field).has("description"));
      assertThat(known.has(DocumentMapper.CHANGED)).as(type).isTrue();
    }
  }

  @Test
  void shardSaysItsTasksAndNoEmptyTimes() {
    var key = new DocumentKey.OfShard("c", "j", 40);

    var fields = stored(Shard.of(key, 50, TaskSet.where(40, 50, i -> i != 43))).getFieldsMap();

    assertThat(fields.get("doneTasks").getStringValue()).isEqualTo("40-42, 44-49");
    assertThat(fields.get("failedTasks").getStringValue()).isEmpty();
    assertThat(fields.get("summary").getStringValue())
        .isEqualTo("tasks 40 to 49: 9 done; waits for a worker");
    assertThat(fields).doesNotContainKeys("leasedAt", "checkpointAt", "splitAt");
  }
}
