package dev.mayfly.local.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.cloud.NoCredentials;
import com.google.cloud.storage.BlobId;
import com.google.cloud.storage.BlobInfo;
import com.google.cloud.storage.BucketInfo;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.StorageOptions;
import dev.mayfly.local.http.TestServer;
import dev.mayfly.local.storage.bucket.ObjectRights;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A laptop's Cloud Storage over an empty folder, and the official client to it. */
abstract class StorageTestCase {
  @TempDir Path folder;
  final HttpClient http = HttpClient.newHttpClient();
  TestServer server;
  Storage storage;

  @BeforeEach
  void start() throws IOException {
    server =
        new TestServer(
            new StorageApi(folder, InstantSource.system(), false, call -> ObjectRights.OWNER)
                .routes());
    storage =
        StorageOptions.http()
            .setHost(server.url())
            .setProjectId("demo")
            .setCredentials(NoCredentials.getInstance())
            .build()
            .getService();
  }

  @AfterEach
  void stop() {
    http.shutdownNow();
    server.close();
  }

  final void restart() throws IOException {
    server.close();
    start();
  }

  final long put(String name, String text) {
    return storage
        .create(BlobInfo.newBuilder("lab", name).build(), text.getBytes(UTF_8))
        .getGeneration();
  }

  final String text(String name) {
    return new String(storage.readAllBytes(BlobId.of("lab", name)), UTF_8);
  }

  final void bucket() {
    storage.create(BucketInfo.of("lab"));
  }
}
