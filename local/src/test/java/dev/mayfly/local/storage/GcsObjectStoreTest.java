package dev.mayfly.local.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectStore.Creation;
import dev.mayfly.core.port.ObjectStore.Replacement;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.gcs.StoreSettings;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.CallFaultInjector;
import dev.mayfly.local.http.TestServer;
import dev.mayfly.local.storage.bucket.ObjectRights;
import dev.mayfly.porttests.ObjectStoreContract;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The official client against the laptop's Cloud Storage. */
class GcsObjectStoreTest extends ObjectStoreContract {
  @TempDir Path folder;
  private final CallFaults callFaults = new CallFaults();
  private TestServer server;
  private ObjectStore objectStore;

  /** Loses so many replies, and refuses so many calls, of those that change something. */
  private static final class CallFaults implements CallFaultInjector {
    final AtomicInteger lost = new AtomicInteger();
    final AtomicInteger refused = new AtomicInteger();
    volatile int status = 503;

    @Override
    public Verdict verdict(String path, boolean mutating) {
      if (refused.getAndUpdate(n -> Math.max(0, n - 1)) > 0)
        return Verdict.refused(new ApiError(status, "backendError", "Backend error, on purpose"));
      return mutating && lost.getAndUpdate(n -> Math.max(0, n - 1)) > 0
          ? Verdict.REPLY_LOST
          : Verdict.OPEN;
    }
  }

  @BeforeEach
  void serve() throws IOException {
    var surface = new StorageApi(folder, InstantSource.system(), false, call -> ObjectRights.OWNER);
    server = new TestServer(surface.routes(), callFaults);
    objectStore = ObjectStores.of(Map.of(StoreSettings.ENDPOINT, server.url()));
    Files.createDirectories(folder.resolve("lab"));
  }

  private void bucket(String name, String json) throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      var body = BodyPublishers.ofString("{\"name\": \"%s\", %s}".formatted(name, json));
      var made =
          http.send(
              HttpRequest.newBuilder(URI.create(server.url() + "/storage/v1/b?project=p"))
                  .POST(body)
                  .build(),
              BodyHandlers.ofString());
      assertThat(made.statusCode()).isEqualTo(200);
    }
  }

  @Test
  void bucketLocationIsReported() throws Exception {
    bucket("one", "\"location\": \"us-east1\"");
    bucket("two", "\"location\": \"NAM4\"");
    bucket("wide", "\"location\": \"eu\"");
    bucket(
        "chosen",
        "\"location\": \"US\", \"customPlacementConfig\": {\"dataLocations\": [\"US-WEST1\", \"US-EAST1\"]}");

    assertThat(location("one")).contains("us-east1");
    assertThat(location("two")).contains("us-central1+us-east1");
    assertThat(location("wide")).contains("eu");
    assertThat(location("chosen")).contains("us-east1+us-west1");
    assertThat(location("lab")).isEmpty();
    assertThatThrownBy(() -> location("none"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("there is no bucket gs://none");
  }

  @Test
  void unlistableBucketHidesItsLocation() {
    callFaults.status = 403;
    callFaults.refused.set(1);

    assertThatThrownBy(() -> location("lab")).isInstanceOf(MissingPermissionException.class);
  }

  private Optional<String> location(String bucket) {
    return objectStore.location(ObjectUrl.of("gs://" + bucket)).map(StorageLocation::text);
  }

  /** Its size and its checksum are those of the packed bytes. */
  @Test
  void packedObjectIsReadAsItIsStored() throws Exception {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write("some text".getBytes(UTF_8));
    }
    objectStore.create(at("z"), ObjectStore.Content.of(bytes.toByteArray()), Map.of());
    var name = URLEncoder.encode(at("z").name(), UTF_8);
    var asked = URI.create(server.url() + "/storage/v1/b/lab/o/" + name);
    try (var http = HttpClient.newHttpClient()) {
      var body = BodyPublishers.ofString("{\"contentEncoding\": \"gzip\"}");
      var patch = HttpRequest.newBuilder(asked).method("PATCH", body).build();
      assertThat(http.send(patch, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }

    assertThat(objectStore.read(at("z"), 1_000)).contains(bytes.toByteArray());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Override
  protected ObjectStore objects() {
    return objectStore;
  }

  @Override
  protected ObjectUrl folder() {
    return ObjectUrl.of("gs://lab/in/");
  }

  @Override
  protected List<String> putUnusable(List<String> names) {
    for (var name : names) put("in/" + name);
    return names;
  }

  private void put(String name) {
    var encoded = URLEncoder.encode(name, UTF_8).replace("+", "%20");
    var at = "/upload/storage/v1/b/lab/o?uploadType=media&name=" + encoded;
    try (var http = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(URI.create(server.url() + at));
      var made =
          http.send(request.POST(BodyPublishers.ofString("x")).build(), BodyHandlers.discarding());
      assertThat(made.statusCode()).isEqualTo(200);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void replacementWhoseReplyIsLostIsReplaced() {
    var seen = created("a", "foreign", Map.of());
    callFaults.lost.set(1);

    assertThat(objectStore.replace(at("a"), content("ours"), Map.of("by", "us"), seen.generation()))
        .isEqualTo(new Replacement.Replaced(find("a")));
    assertThat(callFaults.lost).hasValue(0);
    assertThat(text("a")).isEqualTo("ours");
  }

  @Test
  void aCreationWhoseReplyIsLostIsCreated() {
    callFaults.lost.set(1);

    created("a", "once", Map.of("attempt", "1"));

    assertThat(callFaults.lost).hasValue(0);
    assertThat(find("a").metadata()).isEqualTo(Map.of("attempt", "1"));
  }

  @Test
  void aBigCreationWhoseRepliesAreLostIsCreated() {
    var bytes = new byte[9 << 20];
    bytes[5_000_000] = 7;
    callFaults.lost.set(3);

    assertThat(objectStore.create(at("big"), ObjectStore.Content.of(bytes), Map.of()))
        .isInstanceOf(Creation.Created.class);
    assertThat(callFaults.lost).hasValue(0);
    assertThat(find("big").size()).isEqualTo(bytes.length);
  }

  @Test
  void lostReplyDoesNotClaimOthersObject() {
    created("a", "theirs", Map.of("attempt", "1"));
    callFaults.lost.set(1);

    assertThat(objectStore.create(at("a"), content("ours"), Map.of("attempt", "2")))
        .isInstanceOf(Creation.Exists.class);
    assertThat(text("a")).isEqualTo("theirs");
  }

  @Test
  void transientRefusalIsRetried() {
    callFaults.refused.set(2);
    created("a", "x", Map.of());
    callFaults.refused.set(2);
    assertThat(text("a")).isEqualTo("x");
    callFaults.refused.set(1);
    callFaults.status = 429;
    objectStore.replace(at("a"), content("y"), Map.of(), find("a").generation());

    assertThat(text("a")).isEqualTo("y");
  }

  @Test
  void deniedCallerGetsRemedy() {
    // A small object is tried twice, in two ways.
    callFaults.refused.set(2);
    callFaults.status = 403;

    assertThatThrownBy(() -> objectStore.create(at("a"), content("x"), Map.of()))
        .isInstanceOf(MissingPermissionException.class)
        .hasMessageContaining("gs://lab/in/a")
        .hasMessageContaining("grant");
  }

  @Test
  void aBucketThatIsNotThereIsNamed() {
    var missing = ObjectUrl.of("gs://nobodys/x");

    assertThat(objectStore.find(missing)).isEmpty();
    assertThatThrownBy(() -> objectStore.create(missing, content("x"), Map.of()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("no bucket gs://nobodys");
    assertThatThrownBy(() -> objectStore.list(missing, "", 10))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void anObjectMayStandWhereOthersAreBelow() {
    var below = created("a/b/c", "below", Map.of());
    var file = created("a", "itself", Map.of("n", "1"));
    var between = created("a/b", "between", Map.of());

    assertThat(text("a")).isEqualTo("itself");
    assertThat(listed(folder())).containsExactly(file, between, below);
    assertThat(objectStore.delete(at("a/b/c"), below.generation())).isTrue();
    assertThat(listed(folder())).containsExactly(file, between);
    assertThat(objectStore.delete(at("a"), file.generation())).isTrue();
    assertThat(objectStore.find(at("a"))).isEmpty();
    assertThat(text("a/b")).isEqualTo("between");
  }

  @Test
  void anObjectMakesWayForThoseBelowIt() {
    var file = created("a", "itself", Map.of("n", "1"));
    var below = created("a/b/c", "below", Map.of());

    assertThat(listed(folder())).containsExactly(file, below);
    objectStore.replace(at("a"), content("again"), Map.of(), file.generation());
    assertThat(listed(folder())).containsExactly(find("a"), below);
  }
}
