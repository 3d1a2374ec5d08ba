package dev.mayfly.local.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectStore.Content;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.gcs.StoreSettings;
import dev.mayfly.local.http.TestServer;
import dev.mayfly.local.storage.bucket.ObjectRights;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Buckets on a laptop: writes create them, and people may delete them. */
class BucketsOnDemandTest {
  private static final ObjectUrl AT = ObjectUrl.of("gs://lab/in/a");

  @TempDir Path folder;
  private TestServer server;
  private ObjectStore objectStore;

  @BeforeEach
  void serve() throws IOException {
    var surface = new StorageApi(folder, InstantSource.system(), true, call -> ObjectRights.OWNER);
    server = new TestServer(surface.routes());
    objectStore = ObjectStores.of(Map.of(StoreSettings.ENDPOINT, server.url()));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void readingMakesNoBucket() {
    assertThat(objectStore.find(AT)).isEmpty();
    assertThat(objectStore.read(AT, 10)).isEmpty();
    for (Runnable look :
        new Runnable[] {
          () -> objectStore.list(ObjectUrl.of("gs://lab/in/"), "", 10),
          () -> objectStore.location(ObjectUrl.of("gs://lab"))
        })
      assertThatThrownBy(look::run)
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("there is no bucket gs://lab");

    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void writingMakesTheBucket() {
    objectStore.create(AT, Content.of(new byte[1]), Map.of());

    assertThat(folder.resolve("lab/in/a")).exists();
  }

  @Test
  void bucketIsMadeOnce() throws Exception {
    assertThat(make("lab")).isEqualTo(200);
    assertThat(make("lab")).isEqualTo(409);
    objectStore.create(ObjectUrl.of("gs://other/a"), Content.of(new byte[1]), Map.of());
    assertThat(make("other")).isEqualTo(409);
  }

  private int make(String name) throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(URI.create(server.url() + "/storage/v1/b?project=p"));
      var body = BodyPublishers.ofString("{\"name\": \"" + name + "\"}");
      return http.send(request.POST(body).build(), BodyHandlers.discarding()).statusCode();
    }
  }

  @Test
  void recreatedFolderIsABucket() throws IOException {
    objectStore.create(AT, Content.of(new byte[5 << 20]), Map.of());
    try (var files = Files.walk(folder.resolve("lab"))) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    }
    Files.createDirectory(folder.resolve("lab"));

    assertThat(objectStore.find(AT)).isEmpty();
    for (var size : new int[] {1, 5 << 20}) {
      var at = AT.append("-" + size);
      objectStore.create(at, Content.of(new byte[size]), Map.of());
      assertThat(objectStore.find(at).orElseThrow().size()).isEqualTo(size);
    }
  }
}
