package dev.mayfly.local.pubsub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.http.CallFaultInjector;
import dev.mayfly.local.http.TestServer;
import dev.mayfly.porttests.ForeignServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PubSubApiTest {
  private static final String TOPICS = "/v1/projects/demo/topics";

  @TempDir Path folder;
  private final HttpClient client = HttpClient.newHttpClient();
  private final PushReceiver pushReceiver = new PushReceiver();
  private TestServer controlPlane;
  private PubSubApi surface;
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    controlPlane = new TestServer(pushReceiver.routes());
    serve(PushFaults.NONE, CallFaultInjector.NONE, InstantSource.system());
  }

  private void serve(PushFaults pushFaults, CallFaultInjector callFaults, InstantSource clock)
      throws IOException {
    surface =
        new PubSubApi(
            folder,
            clock,
            new SplittableRandom(1),
            new PushEndpoint(URI.create(controlPlane.url()), Optional.empty()),
            pushFaults,
            Optional.empty());
    server = new TestServer(List.of(surface.route()), callFaults);
    surface.start();
  }

  @AfterEach
  void stop() throws IOException {
    endCloud();
    controlPlane.close();
    client.shutdownNow();
  }

  private void endCloud() throws IOException {
    server.close();
    surface.close();
  }

  private void restart(PushFaults pushFaults, CallFaultInjector callFaults, InstantSource clock)
      throws IOException {
    endCloud();
    serve(pushFaults, callFaults, clock);
  }

  private void restart(PushEndpoint endpoint, Optional<OwnerToken> owner) throws IOException {
    endCloud();
    surface =
        new PubSubApi(
            folder,
            InstantSource.system(),
            new SplittableRandom(1),
            endpoint,
            PushFaults.NONE,
            owner);
    surface.start();
    server = new TestServer(List.of(surface.route()), CallFaultInjector.NONE);
  }

  @Test
  void messageArrivesLikeFromEventarc() throws Exception {
    var reply =
        publish(
            "mayfly-jobs", "{\"data\":\"" + base64("hello") + "\",\"attributes\":{\"k\":\"v\"}}");
    var event = pushReceiver.next();
    assertThat(reply.statusCode()).isEqualTo(200);
    assertThat(reply.body())
        .contains("\"messageIds\":[\"" + event.headers().getFirst("ce-id") + "\"]");
    assertThat(event.path()).isEqualTo("/functions/mayfly-jobs");
    assertThat(event.headers().getFirst("ce-type"))
        .isEqualTo("google.cloud.pubsub.topic.v1.messagePublished");
    assertThat(event.headers().getFirst("ce-source"))
        .isEqualTo("//pubsub.googleapis.com/projects/demo/topics/mayfly-jobs");
    assertThat(event.headers().getFirst("ce-specversion")).isEqualTo("1.0");
    assertThat(Instant.parse(event.headers().getFirst("ce-time")))
        .isBefore(Instant.now().plusSeconds(1));
    assertThat(event.text()).isEqualTo("hello");
    assertThat(event.body().at("/message/attributes/k").asString()).isEqualTo("v");
    assertThat(event.body().path("subscription").asString())
        .startsWith("projects/demo/subscriptions/");
  }

  @Test
  void anotherProgramGetsNoMessageAndNoToken() throws Exception {
    try (var foreign = ForeignServer.start()) {
      restart(
          new PushEndpoint(URI.create(foreign.url()), Optional.of(ForeignServer.OWNER_TOKEN)),
          Optional.empty());

      publish("mayfly-jobs", "{\"data\":\"" + base64("SECRET") + "\"}");

      foreign.awaitCall();
      foreign.assertAskedForProofOnly();
    }
  }

  @Test
  void refusedMessageIsRedelivered() throws Exception {
    pushReceiver.failures.set(2);
    publish("mayfly-jobs", message("again"));

    var ids = List.of(id(pushReceiver.next()), id(pushReceiver.next()), id(pushReceiver.next()));
    assertThat(ids).containsOnly(ids.getFirst());
  }

  @Test
  void unacknowledgedMessageIsDeliveredAfterRestart() throws Exception {
    controlPlane.close();
    publish("mayfly-ticks", message("kept"));
    endCloud();
    controlPlane = new TestServer(pushReceiver.routes());
    serve(PushFaults.NONE, CallFaultInjector.NONE, InstantSource.system());
    assertThat(pushReceiver.next().text()).isEqualTo("kept");
  }

  @Test
  void laterControlPlaneGetsMessage() throws Exception {
    var address = URI.create(controlPlane.url());
    controlPlane.close();
    publish("mayfly-ticks", message("late"));
    var again =
        com.sun.net.httpserver.HttpServer.create(
            new java.net.InetSocketAddress("127.0.0.1", address.getPort()), 0);
    pushReceiver.routes().forEach(again::createContext);
    again.start();
    try {
      assertThat(pushReceiver.next().text()).isEqualTo("late");
    } finally {
      again.stop(0);
    }
  }

  @Test
  void acknowledgedMessageIsNotRedeliveredAfterRestart() throws Exception {
    publish("mayfly-jobs", message("first"));
    pushReceiver.next();
    restart(PushFaults.NONE, CallFaultInjector.NONE, InstantSource.system());
    publish("mayfly-jobs", message("second"));

    assertThat(pushReceiver.next().text()).isEqualTo("second");
    assertThat(pushReceiver.isQuiet()).isTrue();
  }

  @Test
  void logWithTornLastLineOpens() throws Exception {
    controlPlane.close();
    publish("mayfly-jobs", message("whole"));
    endCloud();
    Files.writeString(
        folder.resolve("journal.jsonl"),
        "{\"message\":{\"id\":\"7\",\"to",
        StandardOpenOption.APPEND);
    controlPlane = new TestServer(pushReceiver.routes());
    serve(PushFaults.NONE, CallFaultInjector.NONE, InstantSource.system());
    publish("mayfly-jobs", message("next"));

    assertThat(List.of(pushReceiver.next().text(), pushReceiver.next().text()))
        .containsExactlyInAnyOrder("whole", "next");
  }

  @Test
  void aMessageOlderThanADayIsDropped() throws Exception {
    controlPlane.close();
    publish("mayfly-jobs", message("old"));
    endCloud();
    controlPlane = new TestServer(pushReceiver.routes());
    serve(
        PushFaults.NONE,
        CallFaultInjector.NONE,
        InstantSource.offset(InstantSource.system(), Duration.ofHours(25)));
    publish("mayfly-jobs", message("new"));

    assertThat(pushReceiver.next().text()).isEqualTo("new");
    endCloud();
    assertThat(Files.readString(folder.resolve("journal.jsonl"))).contains("\"taken\"");
    serve(PushFaults.NONE, CallFaultInjector.NONE, InstantSource.system());
    assertThat(pushReceiver.isQuiet()).isTrue();
  }

  @Test
  void faultsDuplicateAndDelayMessages() throws Exception {
    restart(
        new PushFaults() {
          @Override
          public int copies(String topic) {
            return 2;
          }

          @Override
          public Duration delay(String topic) {
            return Duration.ofMillis(20);
          }
        },
        CallFaultInjector.NONE,
        InstantSource.system());
    publish("mayfly-jobs", message("twice"));

    assertThat(id(pushReceiver.next())).isEqualTo(id(pushReceiver.next()));
  }

  @Test
  void messageWithLostReplyIsDelivered() throws Exception {
    CallFaultInjector lose = (path, mutating) -> CallFaultInjector.Verdict.REPLY_LOST;
    restart(PushFaults.NONE, lose, InstantSource.system());

    org.assertj.core.api.Assertions.assertThatThrownBy(
            () -> publish("mayfly-jobs", message("sent")))
        .isInstanceOf(IOException.class);
    assertThat(pushReceiver.next().text()).isEqualTo("sent");
  }

  @Test
  void badRequestsAreRefusedInGooglesWording() throws Exception {
    for (var bad :
        List.of(
            "{}",
            "{\"messages\":[]}",
            "{\"messages\":[{}]}",
            "{\"messages\":[{\"data\":\"*\"}]}",
            "nonsense",
            "{\"messages\":[{\"data\":\"" + "A".repeat(11 << 20) + "\"}]}")) {
      var reply = send("POST", TOPICS + "/mayfly-jobs:publish", bad);
      assertThat(reply.statusCode())
          .as(bad.substring(0, Math.min(40, bad.length())))
          .isEqualTo(400);
      assertThat(reply.body()).contains("\"status\":\"INVALID_ARGUMENT\"");
    }
    var unknown = publish("nobodys", message("x"));
    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(unknown.body()).contains("NOT_FOUND").contains("nobodys");
    assertThat(pushReceiver.isQuiet()).isTrue();
  }

  @Test
  void topicsAreManagedAndSurviveRestart() throws Exception {
    assertThat(send("PUT", TOPICS + "/mine", "{}").statusCode()).isEqualTo(200);
    assertThat(send("PUT", TOPICS + "/mine", "{}").body()).contains("ALREADY_EXISTS");
    assertThat(send("PUT", TOPICS + "/ab", "{}").statusCode()).isEqualTo(400);
    restart(PushFaults.NONE, CallFaultInjector.NONE, InstantSource.system());

    assertThat(send("GET", TOPICS + "/mine", "").body()).contains("projects/demo/topics/mine");
    assertThat(send("GET", TOPICS, "").body()).contains("topics/mine", "topics/mayfly-vm-events");
    assertThat(publish("mine", message("for nobody")).statusCode()).isEqualTo(200);
    assertThat(send("GET", TOPICS + "/other", "").statusCode()).isEqualTo(404);
  }

  private HttpResponse<String> publish(String topic, String message) throws Exception {
    return send(
        "POST", TOPICS + "/" + topic + ":publish?alt=json", "{\"messages\":[" + message + "]}");
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    var publisher = body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
    return client.send(
        HttpRequest.newBuilder(URI.create(server.url() + path)).method(method, publisher).build(),
        BodyHandlers.ofString());
  }

  private static String message(String text) {
    return "{\"data\":\"" + base64(text) + "\"}";
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static String id(PushReceiver.Event event) {
    return event.headers().getFirst("ce-id");
  }
}
