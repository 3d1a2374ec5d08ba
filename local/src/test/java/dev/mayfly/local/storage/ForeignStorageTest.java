package dev.mayfly.local.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectStore.Content;
import dev.mayfly.core.port.ObjectStore.Creation;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.gcs.StoreSettings;
import dev.mayfly.porttests.ObjectStoreContract;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/**
 * The official client against storage servers that others wrote, as they are and with a network
 * between that breaks one request in three. Run by {@code .ci/foreign}, which starts the servers.
 */
class ForeignStorageTest {
  private static final String BUCKET = "foreign";

  /** The contract on one server. */
  @Timeout(300)
  abstract static class Contract extends ObjectStoreContract {
    private final String variable;
    private final boolean broken;
    private final ObjectUrl folder = ObjectUrl.of("gs://" + BUCKET + "/" + UUID.randomUUID() + "/");
    private String server;
    private FaultyProxy relay;
    private ObjectStore objectStore;

    /**
     * @param variable has the server's URL
     * @param broken whether the network between breaks requests
     */
    Contract(String variable, boolean broken) {
      this.variable = variable;
      this.broken = broken;
    }

    @BeforeEach
    void connect(TestInfo test) throws Exception {
      server = System.getenv(variable);
      assumeTrue(server != null, variable + " names no server; .ci/foreign starts one");
      // 409: another test has made it.
      assertThat(post("/storage/v1/b?project=lab", "{\"name\": \"" + BUCKET + "\"}"))
          .isIn(200, 409);
      var first =
          broken ? Math.floorMod(test.getDisplayName().hashCode(), 4) : FaultyProxy.UNBROKEN;
      relay = new FaultyProxy(server, first);
      var endpoint = URI.create(relay.url());
      objectStore =
          ObjectStores.of(
              new StoreSettings(
                  Optional.of(endpoint), Optional.empty(), "lab", Duration.ofSeconds(60)));
    }

    @AfterEach
    void disconnect() {
      if (relay != null) relay.close();
    }

    final int brokenRequests() {
      return relay.broken();
    }

    private int post(String path, String body) throws IOException {
      try (var http = HttpClient.newHttpClient()) {
        var request =
            HttpRequest.newBuilder(URI.create(server + path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body, UTF_8));
        return http.send(request.build(), BodyHandlers.discarding()).statusCode();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    @Override
    protected ObjectStore objects() {
      return objectStore;
    }

    @Override
    protected ObjectUrl folder() {
      return folder;
    }

    @Override
    protected List<String> putUnusable(List<String> names) {
      return names.stream().filter(this::put).toList();
    }

    /** Whether the server takes an object of that name. */
    private boolean put(String name) {
      var encoded = URLEncoder.encode(folder.name() + name, UTF_8).replace("+", "%20");
      var at = "/upload/storage/v1/b/" + BUCKET + "/o?uploadType=media&name=" + encoded;
      try {
        return post(at, "x") == 200;
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** The contract behind a network that breaks requests. */
  abstract static class OverBrokenNetwork extends Contract {
    OverBrokenNetwork(String variable) {
      super(variable, true);
    }

    @Test
    void brokenRequestsAreRepeated() {
      for (var i = 0; i < 20; i++) {
        created("a" + i, "text " + i, Map.of());
        assertThat(text("a" + i)).isEqualTo("text " + i);
      }
      assertThat(listed(folder())).hasSize(20);
      assertThat(brokenRequests()).isGreaterThan(8);
    }
  }

  /** fake-gcs-server, which keeps objects in memory. */
  @Nested
  class FakeGcsServer extends Contract {
    FakeGcsServer() {
      super("MAYFLY_FAKE_GCS_SERVER", false);
    }
  }

  @Nested
  class FakeGcsServerWithFaults extends OverBrokenNetwork {
    FakeGcsServerWithFaults() {
      super("MAYFLY_FAKE_GCS_SERVER");
    }

    /**
     * It takes the question how far an upload has come for its end; Cloud Storage answers 308. What
     * it keeps then is never taken for what was sent.
     */
    @Override
    @Test
    protected void bigObjectsStream() {
      var bytes = new byte[(8 << 20) + 4321];
      for (var i = 0; i < 4; i++) {
        try {
          var creation = objects().create(at("big" + i), Content.of(bytes), Map.of());
          if (creation instanceof Creation.Created(var info))
            assertThat(info.size()).isEqualTo(bytes.length);
        } catch (UnavailableException e) {
          assertThat(e).hasMessageContaining("stored");
        }
      }
    }
  }

  /** Google's own server for the tests of its clients. */
  @Nested
  class StorageTestbench extends Contract {
    StorageTestbench() {
      super("MAYFLY_STORAGE_TESTBENCH", false);
    }
  }

  @Nested
  class StorageTestbenchWithFaults extends OverBrokenNetwork {
    StorageTestbenchWithFaults() {
      super("MAYFLY_STORAGE_TESTBENCH");
    }
  }
}
