package dev.mayfly.agent.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FilestoreLookupTest {
  private static final String INSTANCE =
      """
      {"name": "projects/lab/locations/%s/instances/%s", "state": "%s", "tier": "BASIC_HDD",
       "fileShares": [{"name": "vol", "capacityGb": "1024"}],
       "networks": [{"network": "mayfly", "ipAddresses": ["10.99.0.2"]}]}
      """;

  private final List<String> asked = new ArrayList<>();
  private final Deque<String> answers = new ArrayDeque<>();
  private HttpServer server;
  private int status = 200;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var authorization = exchange.getRequestHeaders().getFirst("Authorization");
      asked.add(exchange.getRequestURI() + " " + authorization);
      var bytes = answers.isEmpty() ? new byte[0] : answers.pop().getBytes(UTF_8);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private String address(String place) throws PreparationStep.Failed {
    var endpoint = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    return new FilestoreLookup(endpoint, () -> "lab", () -> "login").address(place);
  }

  private static String instance(String zone, String name) {
    return INSTANCE.formatted(zone, name, "READY");
  }

  @Test
  void instanceIsReadInItsZone() throws Exception {
    answers.add(instance("us-central1-a", "data"));

    assertThat(address("us-central1-a/data")).isEqualTo("10.99.0.2:/vol");
    assertThat(asked)
        .containsExactly("/v1/projects/lab/locations/us-central1-a/instances/data Bearer login");
  }

  @Test
  void instanceWithoutZoneIsFoundOnAnyPage() throws Exception {
    answers.add(
        "{\"instances\": [%s], \"nextPageToken\": \"a b\"}".formatted(instance("a-b1", "other")));
    answers.add("{\"instances\": [%s]}".formatted(instance("a-b2", "data")));

    assertThat(address("-/data")).isEqualTo("10.99.0.2:/vol");
    assertThat(asked)
        .containsExactly(
            "/v1/projects/lab/locations/-/instances?pageSize=500 Bearer login",
            "/v1/projects/lab/locations/-/instances?pageSize=500&pageToken=a+b Bearer login");
  }

  @Test
  void twoOfOneNameAskForZone() {
    answers.add(
        "{\"instances\": [%s, %s]}".formatted(instance("a-b1", "data"), instance("a-b2", "data")));

    assertThatThrownBy(() -> address("-/data"))
        .hasMessageContaining("has 2 instances data")
        .hasMessageContaining("name the zone");
  }

  @Test
  void missingInstanceNamesWhatMakesIt() {
    status = 404;

    assertThatThrownBy(() -> address("a-b1/data"))
        .hasMessage(
            "there is no Filestore instance data in a-b1; terraform apply makes those with capacityGb");
  }

  @Test
  void emptyProjectHasNoInstance() {
    answers.add("{}");

    assertThatThrownBy(() -> address("-/data")).hasMessageContaining("in this project");
  }

  @Test
  void instanceInTheMakingIsWaitedFor() {
    answers.add("{\"name\": \"projects/lab/locations/z/instances/data\", \"state\": \"CREATING\"}");

    assertThatThrownBy(() -> address("z/data")).hasMessageContaining("data is CREATING");
  }

  @Test
  void refusalNamesTheRight() {
    status = 403;

    assertThatThrownBy(() -> address("z/data")).hasMessageContaining("mayflyVolumes");
  }

  @Test
  void foreignAnswerIsNoCrash() {
    answers.add("<html>");

    assertThatThrownBy(() -> address("z/data"))
        .isInstanceOf(PreparationStep.Failed.class)
        .hasMessageContaining("cannot be asked");
  }
}
