package dev.mayfly.local.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.port.TickScheduler;
import dev.mayfly.core.state.Context;
import dev.mayfly.functions.ControlPlaneFunctions;
import dev.mayfly.functions.os.ProcessPorts;
import dev.mayfly.gcp.compute.ComputeEngine;
import dev.mayfly.gcp.compute.ComputeSettings;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.local.access.AccessGuard;
import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.http.LoopbackServer;
import dev.mayfly.local.ledger.SqliteLedger;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;

/** The laptop's functions on a loopback port, over their own ledger and without a cloud. */
record TestControlPlane(
    SqliteLedger ledger, ControlPlaneFunctions deployment, LoopbackServer host, HttpClient client)
    implements AutoCloseable {
  static final OwnerToken TOKEN = OwnerToken.random();

  static TestControlPlane start(Path home) throws IOException {
    var ledger = SqliteLedger.open(home);
    var clock = InstantSource.fixed(Instant.parse("2026-01-02T03:05:00Z"));
    var context =
        new Context(
            ledger,
            trigger -> {},
            _ -> {},
            ComputeEngine.fleet(ComputeSettings.of("lab").withEndpoint("http://127.0.0.1:1")),
            ObjectStores.of(Map.of()),
            Wire.codec(),
            (at, action) -> {},
            TickScheduler.always(),
            ProcessPorts.ids(),
            clock,
            Timings.DEFAULT);
    var controlPlaneFunctions = ControlPlaneFunctions.of(context, "test", "http://workers");
    var identityTokenFilter = new IdentityTokenFilter("http://127.0.0.1:1", TOKEN.text());
    var host =
        FunctionHost.start(
            0, controlPlaneFunctions, identityTokenFilter, () -> Map.of(), AccessGuard.of(TOKEN));
    return new TestControlPlane(ledger, controlPlaneFunctions, host, HttpClient.newHttpClient());
  }

  URI url(String path) {
    return URI.create("http://127.0.0.1:" + host.port() + path);
  }

  /** As Eventarc delivers a message of the topic. */
  HttpResponse<String> deliver(String topic, String id, String text) throws Exception {
    return deliver(topic, id, text, "2026-01-02T03:04:06Z");
  }

  HttpResponse<String> deliver(String topic, String id, String text, String published)
      throws Exception {
    return deliver(topic, topic, id, text, published, "{}");
  }

  /**
   * As above, to the function that takes messages of another topic too.
   *
   * @param attributes of the message, as JSON
   */
  HttpResponse<String> deliver(
      String function, String topic, String id, String text, String published, String attributes)
      throws Exception {
    var data = Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    var body =
        "{\"subscription\":\"s\",\"message\":{\"data\":\"%s\",\"messageId\":\"%s\",\"publishTime\":\"%s\",\"attributes\":%s}}"
            .formatted(data, id, published, attributes);
    var request =
        HttpRequest.newBuilder(url("/functions/" + function))
            .header("Authorization", "Bearer " + TOKEN.text())
            .header("ce-id", id)
            .header("ce-source", "//pubsub.googleapis.com/projects/lab/topics/" + topic)
            .header("ce-type", "google.cloud.pubsub.topic.v1.messagePublished")
            .header("ce-specversion", "1.0")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    return client.send(request.build(), BodyHandlers.ofString());
  }

  @Override
  public void close() {
    client.close();
    host.close();
    deployment.close();
    ledger.close();
  }
}
