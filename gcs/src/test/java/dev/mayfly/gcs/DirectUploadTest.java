package dev.mayfly.gcs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.storage.StorageException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore.Content;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One request, and what its answers mean; the contract of stores has the rest. */
class DirectUploadTest {
  private static final ObjectUrl AT = ObjectUrl.of("gs://lab/out/a b");

  private final List<String> requests = new ArrayList<>();
  private HttpServer server;
  private int status = 200;
  private String answer = "";

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answered);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answered(HttpExchange call) throws IOException {
    try (call) {
      var body = new String(call.getRequestBody().readAllBytes(), UTF_8);
      requests.add(call.getRequestMethod() + " " + call.getRequestURI() + "\n" + body);
      var bytes = answer.getBytes(UTF_8);
      call.sendResponseHeaders(status, bytes.length);
      call.getResponseBody().write(bytes);
    }
  }

  private Optional<ObjectInfo> send() {
    var url = "http://127.0.0.1:" + server.getAddress().getPort();
    var upload = GcsUpload.of(AT, Content.of("hello".getBytes(UTF_8)), Map.of("run", "7"));
    return new DirectUpload(url, Optional.empty()).send(upload, 5, Optional.of("lab-batch"));
  }

  @Test
  void whatIsStoredIsKnownByOneRequest() {
    answer =
        """
        {"generation": "17", "size": "5", "crc32c": "mnG7TA==", "metadata": {"run": "7"},
         "updated": "2026-01-02T03:04:05.678Z", "other": {"a": [1]}}\
        """;

    var stored = send().orElseThrow();

    assertThat(stored.generation()).isEqualTo(17);
    assertThat(stored.metadata()).isEqualTo(Map.of("run", "7"));
    assertThat(requests)
        .singleElement()
        .asString()
        .startsWith("POST /upload/storage/v1/b/lab/o?uploadType=multipart&ifGenerationMatch=5&")
        .contains("userProject=lab-batch", "\"name\":\"out/a b\"", "\"crc32c\":\"mnG7TA==\"")
        .contains("\"metadata\":{\"run\":\"7\"}", "\r\n\r\nhello\r\n--");
  }

  @Test
  void anotherGenerationIsARefusal() {
    status = 412;
    answer = "{\"error\": {\"code\": 412, \"message\": \"At least one did not hold\"}}";

    assertThatThrownBy(this::send)
        .isInstanceOf(StorageException.class)
        .extracting(e -> ((StorageException) e).getCode())
        .isEqualTo(412);
  }

  /**
   * The official client asks again, with another login or after a pause, and says what is wrong.
   */
  @ParameterizedTest
  @ValueSource(ints = {302, 400, 401, 403, 404, 429, 500, 503})
  void everyOtherRefusalIsNotFinal(int code) {
    status = code;
    answer = "{\"error\": {\"code\": %d, \"message\": \"no\"}}".formatted(code);

    assertThat(send()).isEmpty();
    assertThat(requests).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{\"size\": \"5\"}", "{\"generation\": \"x\"}", "<html>"})
  void brokenAnswerIsNoAnswer(String broken) {
    answer = broken;

    assertThat(send()).isEmpty();
  }

  @Test
  void errorOfNoServiceIsNoAnswer() {
    status = 412;
    answer = "<html>a proxy</html>";

    assertThat(send()).isEmpty();
  }
}
