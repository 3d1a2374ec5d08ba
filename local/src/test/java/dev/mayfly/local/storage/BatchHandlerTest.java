package dev.mayfly.local.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchHandlerTest extends StorageTestCase {
  /** The fuzzer found that the first one was answered with 500. */
  @ParameterizedTest
  @ValueSource(strings = {"/storage/x", "/storage", "mailto:x", "?x", "http://h/b", "http://h"})
  void callOfNoResourceIsRefused(String resource) throws Exception {
    var batch =
        HttpRequest.newBuilder(URI.create(server.url() + "/batch/storage/v1"))
            .header("Content-Type", "multipart/mixed; boundary=b")
            .POST(
                BodyPublishers.ofString(
                    "--b\r\n\r\nDELETE " + resource + " HTTP/1.1\r\n\r\n\r\n--b--"));

    try (var http = HttpClient.newHttpClient()) {
      var reply = http.send(batch.build(), BodyHandlers.ofString());
      assertThat(reply.statusCode()).as(reply.body()).isEqualTo(400);
    }
  }
}
