package dev.mayfly.gcp.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.LedgerQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks that {@code terraform/modules/control-plane/firestore.json} has exactly the indexes that
 * the queries need. The emulator answers without indexes, so only this test finds a missing one
 * before a deployment.
 */
class FirestoreIndexesTest {
  private static final Path DECLARED =
      Path.of("..", "terraform", "modules", "control-plane", "firestore.json");

  private static JsonNode declared;

  @BeforeAll
  static void read() throws IOException {
    declared = JsonMapper.shared().readTree(Files.readString(DECLARED));
  }

  @Test
  void coversAllKindsOfQuery() {
    var kinds = RequiredIndexes.queries().stream().map(Object::getClass).distinct();

    assertThat(kinds).containsExactlyInAnyOrder(LedgerQuery.class.getPermittedSubclasses());
  }

  @Test
  void compositeIndexesMatchTheQueries() {
    var needed = RequiredIndexes.indexes().stream().filter(i -> i.fields().size() > 1).distinct();

    assertThat(entries("indexes").map(FirestoreIndexesTest::index))
        .containsExactlyInAnyOrderElementsOf(needed.toList());
  }

  @Test
  void unqueriedFieldsAreExemptFromIndexes() {
    assertThat(entries("exemptions").map(FirestoreIndexesTest::field).toList())
        .containsExactlyInAnyOrderElementsOf(
            RequiredIndexes.exempt().stream().filter(field -> !expires().contains(field)).toList());
  }

  @Test
  void firestoreDeletesExpiredDocuments() {
    assertThat(expires())
        .containsExactlyInAnyOrder(
            "additions expireAt", "events expireAt", "names expireAt", "rejections expireAt");
    assertThat(RequiredIndexes.exempt()).containsAll(expires());
  }

  private static List<String> expires() {
    return entries("ttl").map(FirestoreIndexesTest::field).toList();
  }

  private static Stream<JsonNode> entries(String list) {
    return declared.get(list).valueStream();
  }

  private static String field(JsonNode entry) {
    return entry.get("collection").stringValue() + " " + entry.get("field").stringValue();
  }

  private static RequiredIndexes.Index index(JsonNode entry) {
    var fields =
        entry
            .get("fields")
            .valueStream()
            .map(f -> f.get("path").stringValue() + " " + f.get("order").stringValue())
            .toList();
    var group = entry.path("scope").asString("").equals("COLLECTION_GROUP");
    return new RequiredIndexes.Index(entry.get("collection").stringValue(), group, fields);
  }
}
