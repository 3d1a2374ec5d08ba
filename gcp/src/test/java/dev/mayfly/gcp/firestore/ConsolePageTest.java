package dev.mayfly.gcp.firestore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Value;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.ClusterName;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The documents that {@code docs/reading-the-console.md} shows have the form in which they are
 * stored today. They were read from Firestore's emulator after {@code mayfly local --emulators}.
 */
class ConsolePageTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Map<String, Class<? extends LedgerDocument>> TYPES =
      Map.of(
          "clusters", Cluster.class,
          "jobs", Job.class,
          "shards", Shard.class,
          "workers", Worker.class,
          "events", EventRecord.class,
          "control", JobQueue.class,
          "stockouts", Stockout.class);

  private static Stream<Path> files() throws IOException {
    try (var files = Files.list(DOCS.resolve("console"))) {
      return files.sorted().toList().stream();
    }
  }

  private static JsonNode read(Path file) throws IOException {
    return JsonMapper.shared().readTree(Files.readString(file));
  }

  private static Class<? extends LedgerDocument> type(String path) {
    var parts = path.split("/");
    var collection = parts[parts.length - 2];
    if (collection.equals("names")) return parts.length == 2 ? ClusterName.class : JobName.class;
    return TYPES.get(collection);
  }

  @ParameterizedTest
  @MethodSource("files")
  void documentIsStoredLikeThisToday(Path file) throws IOException {
    var shown = read(file);
    var fields = shown.get("fields");
    var document =
        Wire.shared()
            .read(type(shown.get("path").stringValue()), fields.toString().getBytes(UTF_8));

    var stored = DocumentMapper.encode("x", document).getFieldsMap();

    var names = new TreeSet<>(names("", stored));
    names.add(DocumentMapper.CHANGED);
    assertThat(names("", fields)).containsExactlyElementsOf(names);
    for (var text : new String[] {"name", "summary", "doneTasks", "failedTasks"})
      if (stored.containsKey(text))
        assertThat(fields.get(text).stringValue()).isEqualTo(stored.get(text).getStringValue());
  }

  /** Lines of the page are ids, or ids and what their document says. */
  @Test
  void pageShowsTheseDocuments() throws IOException {
    var page = Files.readString(DOCS.resolve("reading-the-console.md"));
    var lines = new TreeSet<String>();
    var files = files().toList();
    for (var file : files) {
      var summary = read(file).get("fields").path("summary");
      var path = read(file).get("path").stringValue();
      lines.add(summary.isString() ? path + ": " + summary.stringValue() : path);
      assertThat(page).contains("console/" + file.getFileName());
    }

    assertThat(page.lines().filter(line -> line.matches("(clusters|names|stockouts)/.*")))
        .isNotEmpty()
        .allMatch(lines::contains);
  }

  private static TreeSet<String> names(String prefix, Map<String, Value> fields) {
    var names = new TreeSet<String>();
    fields.forEach((name, value) -> {
      names.add(prefix + name);
      if (value.hasMapValue())
        names.addAll(names(prefix + name + ".", value.getMapValue().getFieldsMap()));
    });
    return names;
  }

  private static TreeSet<String> names(String prefix, JsonNode fields) {
    var names = new TreeSet<String>();
    fields
        .properties()
        .forEach(field -> {
          names.add(prefix + field.getKey());
          if (field.getValue().isObject())
            names.addAll(names(prefix + field.getKey() + ".", field.getValue()));
        });
    return names;
  }
}
