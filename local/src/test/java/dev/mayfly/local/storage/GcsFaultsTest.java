package dev.mayfly.local.storage;

import static dev.mayfly.local.storage.FaultyStorage.error;
import static dev.mayfly.local.storage.FaultyStorage.truncated;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectStore.Content;
import dev.mayfly.core.port.ObjectStore.Creation;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.gcs.StoreSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the adapter makes of answers that break off, come too late, or deny. */
@Timeout(120)
class GcsFaultsTest {
  private static final ObjectUrl AT = ObjectUrl.of("gs://lab/a");

  @TempDir Path folder;
  private FaultyStorage storage;
  private ObjectStore objectStore;

  @BeforeEach
  void serve() throws IOException {
    storage = new FaultyStorage(folder);
    objectStore = store("payer");
    Files.createDirectories(folder.resolve("lab"));
  }

  /** As patient as a machine may be slow that runs these tests. */
  private ObjectStore store(String project) {
    return store(project, Duration.ofSeconds(60));
  }

  private ObjectStore store(String project, Duration retryLimit) {
    var endpoint = Optional.of(URI.create(storage.url()));
    return ObjectStores.of(new StoreSettings(endpoint, Optional.empty(), project, retryLimit));
  }

  @AfterEach
  void stop() {
    storage.close();
  }

  private static boolean download(HttpExchange request) {
    return request.getRequestURI().getPath().startsWith("/download/");
  }

  private static boolean piece(HttpExchange request) {
    return request.getRequestMethod().equals("PUT");
  }

  private static byte[] random(int size) {
    var bytes = new byte[size];
    new Random(7).nextBytes(bytes);
    return bytes;
  }

  @Test
  void readWithoutProgressEnds() {
    objectStore.create(AT, Content.of(random(100)), Map.of());
    storage.set(request -> {
      if (download(request)) truncated(request, 200, new byte[0], 100);
      return false;
    });

    var impatient = store("payer", Duration.ofSeconds(3));
    assertThatThrownBy(() -> impatient.read(AT, 1_000))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("gs://lab/a")
        .hasMessageContaining("no progress");
    assertThat(storage.requests()).hasSizeBetween(2, 60);
  }

  @Test
  void readContinuesWhereItBrokeAtTheSameGeneration() {
    var bytes = random(300_000);
    var made = objectStore.create(AT, Content.of(bytes), Map.of()).info();
    storage.set(request -> {
      if (!download(request) || storage.requests().size() > 1) return false;
      request.getResponseHeaders().set("X-Goog-Generation", "" + made.generation());
      request.getResponseHeaders().set("X-Goog-Stored-Content-Length", "300000");
      truncated(request, 200, Arrays.copyOf(bytes, 100_000), bytes.length);
      return true;
    });

    assertThat(objectStore.read(AT, 1 << 20).orElseThrow()).isEqualTo(bytes);
    assertThat(storage.requests()).hasSize(2);
    assertThat(storage.requests().getLast()).contains("generation=" + made.generation());
  }

  @Test
  void replacedObjectIsNotMixedWhileRead() throws IOException {
    var bytes = random(300_000);
    var made = objectStore.create(AT, Content.of(bytes), Map.of()).info();
    storage.set(request -> {
      if (!download(request) || storage.requests().size() > 1) return false;
      request.getResponseHeaders().set("X-Goog-Generation", "" + made.generation());
      request.getResponseHeaders().set("X-Goog-Stored-Content-Length", "300000");
      truncated(request, 200, Arrays.copyOf(bytes, 100_000), bytes.length);
      return true;
    });

    try (var in = objectStore.open(AT).orElseThrow()) {
      objectStore.replace(AT, Content.of(random(5)), Map.of(), made.generation());
      assertThatThrownBy(in::readAllBytes)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("was replaced or deleted while it was read");
    }
  }

  @Test
  void corruptedBytesAreNotReturned() {
    objectStore.create(AT, Content.of("right".getBytes(UTF_8)), Map.of());
    storage.set(request -> {
      if (!download(request)) return false;
      request.getResponseHeaders().set("X-Goog-Hash", "md5=x,crc32c=AAAAAA==");
      request.getResponseHeaders().set("X-Goog-Generation", "1");
      request.sendResponseHeaders(200, 5);
      request.getResponseBody().write("wrong".getBytes(UTF_8));
      request.close();
      return true;
    });

    assertThatThrownBy(() -> objectStore.read(AT, 100))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("changed in transit");
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 410})
  void lostUploadBeginsAgain(int status) {
    var left = new AtomicInteger(1);
    var bytes = random(5 << 20);
    storage.set(request -> {
      if (!piece(request) || left.getAndDecrement() <= 0) return false;
      error(request, status, "notFound", "No such upload");
      return true;
    });

    assertThat(objectStore.create(AT, Content.of(bytes), Map.of()))
        .isInstanceOf(Creation.Created.class);
    assertThat(objectStore.read(AT, 8 << 20).orElseThrow()).isEqualTo(bytes);
  }

  /** As fake-gcs-server does it. */
  @Test
  void uploadThatEndedTooEarlyIsNoCreation() {
    var part =
        "{\"kind\": \"storage#object\", \"bucket\": \"lab\", \"name\": \"a\", \"generation\": \"7\", \"size\": \"4194304\", \"crc32c\": \"AAAAAA==\"}";
    storage.set(request -> {
      if (!piece(request)) return false;
      var range = request.getRequestHeaders().getFirst("Content-Range");
      if (range.startsWith("bytes 0-")) return false;
      if (!range.startsWith("bytes */")) throw new IOException("broken on purpose");
      request.getRequestBody().readAllBytes();
      request.getResponseHeaders().set("Content-Type", "application/json");
      request.sendResponseHeaders(200, part.length());
      request.getResponseBody().write(part.getBytes(UTF_8));
      request.close();
      return true;
    });

    assertThatThrownBy(() -> objectStore.create(AT, Content.of(random(5 << 20)), Map.of()))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("gs://lab/a")
        .hasMessageContaining("stored 4194304 of 5242880 bytes");
  }

  @Test
  void uploadThatIsLostAgainIsNoMissingBucket() {
    storage.set(request -> {
      if (piece(request)) error(request, 404, "notFound", "No such upload");
      return piece(request);
    });

    assertThatThrownBy(() -> objectStore.create(AT, Content.of(random(5 << 20)), Map.of()))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("lost the upload");
    assertThatThrownBy(() ->
            objectStore.create(ObjectUrl.of("gs://none/a"), Content.of(random(5 << 20)), Map.of()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("there is no bucket gs://none");
  }

  /** The client drops what the service says at this point, and so the missing right is unknown. */
  @Test
  void refusedUploadEndIsJudgedByStoredObject() {
    storage.set(request -> {
      if (!piece(request)) return false;
      store("payer").create(AT, Content.of("theirs".getBytes(UTF_8)), Map.of("by", "another"));
      error(request, 403, "forbidden", "x lacks storage.objects.delete access");
      return true;
    });
    assertThat(objectStore.create(AT, Content.of(random(5 << 20)), Map.of()))
        .isEqualTo(new Creation.Exists(objectStore.find(AT).orElseThrow()));

    storage.set(request -> {
      if (piece(request)) error(request, 403, "forbidden", "x lacks storage.objects.create access");
      return piece(request);
    });
    assertThatThrownBy(() ->
            objectStore.create(ObjectUrl.of("gs://lab/b"), Content.of(random(5 << 20)), Map.of()))
        .isInstanceOf(MissingPermissionException.class);
  }

  @Test
  void placeOfABucketIsAskedForAgain() {
    var left = new AtomicInteger(2);
    storage.set(request -> {
      if (left.getAndDecrement() <= 0) return false;
      error(request, 503, "backendError", "Backend error");
      return true;
    });

    assertThat(objectStore.location(ObjectUrl.of("gs://lab"))).isEmpty();
    assertThat(storage.requests()).hasSize(3);
  }

  @Test
  void objectWithoutASizeIsEmpty() {
    objectStore.create(AT, Content.of(new byte[0]), Map.of());
    storage.set(request -> {
      var body = "{\"name\": \"a\", \"bucket\": \"lab\", \"generation\": \"7\"}".getBytes(UTF_8);
      request.getResponseHeaders().set("Content-Type", "application/json");
      request.sendResponseHeaders(200, body.length);
      request.getResponseBody().write(body);
      request.close();
      return true;
    });

    assertThat(objectStore.find(AT).orElseThrow().size()).isZero();
  }

  @Test
  void requesterPaysBucketGetsPayingProject() {
    storage.set(request -> {
      var query = String.valueOf(request.getRequestURI().getQuery());
      if (query.contains("userProject=payer") || query.contains("upload_id=")) return false;
      error(
          request,
          400,
          "required",
          "Bucket is a requester pays bucket but no user project provided.");
      return true;
    });
    var made = store("payer").create(AT, Content.of("x".getBytes(UTF_8)), Map.of()).info();
    assertThat(store("payer").find(AT)).contains(made);
    assertThat(store("payer").read(AT, 10)).isPresent();
    assertThat(store("payer").list(ObjectUrl.of("gs://lab/"), "", 10).objects())
        .containsExactly(made);
    assertThat(store("payer").location(ObjectUrl.of("gs://lab"))).isEmpty();
    store("payer").create(ObjectUrl.of("gs://lab/big"), Content.of(random(5 << 20)), Map.of());
    assertThat(store("payer").delete(AT, made.generation())).isTrue();

    assertThatThrownBy(() -> store("").find(AT))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("GOOGLE_CLOUD_PROJECT");
  }

  @Test
  void fullPageIsOneRequest() throws IOException {
    Files.createDirectories(folder.resolve("lab/in"));
    for (var i = 0; i < 1_001; i++) Files.createFile(folder.resolve("lab/in/%04d".formatted(i)));
    storage.set(request -> false);

    var first = objectStore.list(ObjectUrl.of("gs://lab/in/"), "", 1_000);
    assertThat(storage.requests()).hasSize(1);
    var second = objectStore.list(ObjectUrl.of("gs://lab/in/"), first.next().orElseThrow(), 1_000);

    assertThat(storage.requests()).hasSize(2);
    assertThat(first.objects()).hasSize(1_000);
    assertThat(second.objects()).hasSize(1);
    assertThat(second.next()).isEmpty();
  }
}
