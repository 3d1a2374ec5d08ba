package dev.mayfly.local.cloud.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Objects.Content;
import dev.mayfly.core.port.Url;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.gcs.StoreSettings;
import dev.mayfly.local.cloud.rest.Faults;
import dev.mayfly.local.cloud.rest.TestServer;
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

/** A laptop's buckets: whoever writes makes them, and they may be deleted by hand. */
class BucketsOnDemandTest {
  private static final Url AT = Url.of("gs://lab/in/a");

  @TempDir Path folder;
  private TestServer server;
  private Objects objects;

  @BeforeEach
  void serve() throws IOException {
    var surface = new StorageSurface(folder, InstantSource.system(), Faults.NONE, true);
    server = new TestServer(surface.routes());
    objects = ObjectStores.of(Map.of(StoreSettings.ENDPOINT, server.url()));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void readingMakesNoBucket() {
    assertThat(objects.find(AT)).isEmpty();
    assertThat(objects.read(AT, 10)).isEmpty();
    for (Runnable look :
        new Runnable[] {
          () -> objects.list(Url.of("gs://lab/in/"), "", 10),
          () -> objects.location(Url.of("gs://lab"))
        })
      assertThatThrownBy(look::run)
          .isInstanceOf(Invalid.class)
          .hasMessageContaining("there is no bucket gs://lab");

    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void writingMakesTheBucket() {
    objects.create(AT, Content.of(new byte[1]), Map.of());

    assertThat(folder.resolve("lab/in/a")).exists();
  }

  @Test
  void bucketIsMadeOnce() throws Exception {
    assertThat(make("lab")).isEqualTo(200);
    assertThat(make("lab")).isEqualTo(409);
    objects.create(Url.of("gs://other/a"), Content.of(new byte[1]), Map.of());
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
  void folderThatIsDeletedAndMadeByHandIsABucket() throws IOException {
    objects.create(AT, Content.of(new byte[5 << 20]), Map.of());
    try (var files = Files.walk(folder.resolve("lab"))) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    }
    Files.createDirectory(folder.resolve("lab"));

    assertThat(objects.find(AT)).isEmpty();
    for (var size : new int[] {1, 5 << 20}) {
      var at = AT.plus("-" + size);
      objects.create(at, Content.of(new byte[size]), Map.of());
      assertThat(objects.find(at).orElseThrow().size()).isEqualTo(size);
    }
  }
}
