package dev.mayfly.local.control;

import com.google.cloud.functions.CloudEventsFunction;
import com.google.cloud.functions.HttpFunction;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.mayfly.core.port.LedgerMeter;
import dev.mayfly.functions.ControlPlaneFunctions;
import dev.mayfly.gcp.pubsub.PubSubTopics;
import dev.mayfly.local.access.AccessGuard;
import dev.mayfly.local.access.AccessLevel;
import dev.mayfly.wire.Wire;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a deployment's entry points on loopback, like Cloud Run and Eventarc: HTTP functions under
 * their own paths, and CloudEvents in binary mode at {@code /functions/TOPIC}.
 */
final class FunctionHost implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FunctionHost.class);

  private final HttpServer server;
  private final AccessGuard accessGuard;

  private FunctionHost(HttpServer server, AccessGuard accessGuard) {
    this.server = server;
    this.accessGuard = accessGuard;
  }

  /**
   * @param identityTokenFilter guards the function {@code workers}
   * @param meter counts the ledger's operations since the start of this process: {@code GET
   *     /ledger/operations}
   * @param accessGuard guards all calls; agents send an identity token, which the filter checks
   */
  static FunctionHost start(
      int port,
      ControlPlaneFunctions controlPlaneFunctions,
      IdentityTokenFilter identityTokenFilter,
      Supplier<Object> meter,
      AccessGuard accessGuard)
      throws IOException {
    System.setProperty("sun.net.httpserver.nodelay", "true");
    var server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_024);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    var host = new FunctionHost(server, accessGuard);
    host.http(
        "/workers/",
        AccessLevel.ANYBODY,
        identityTokenFilter.protect(controlPlaneFunctions.workers()));
    var api = controlPlaneFunctions.api();
    host.http(
        "/api/",
        AccessLevel.OWNER,
        (request, response) ->
            LedgerMeter.looking(() -> {
              api.service(request, response);
              return true;
            }));
    host.events(PubSubTopics.JOBS, List.of(controlPlaneFunctions.jobs()));
    host.events(PubSubTopics.CLUSTERS, List.of(controlPlaneFunctions.clusters()));
    host.events(
        PubSubTopics.TICKS,
        List.of(controlPlaneFunctions.autoscale(), controlPlaneFunctions.cleanup()));
    host.events(PubSubTopics.VM_EVENTS, List.of(controlPlaneFunctions.vmEvents()));
    host.serve("/ledger/operations", AccessLevel.OWNER, exchange -> meter(exchange, meter));
    server.start();
    return host;
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void serve(String path, AccessLevel accessLevel, HttpHandler handler) {
    server.createContext(
        path,
        exchange -> {
          var denial = accessGuard.denial(exchange, accessLevel);
          if (denial.isEmpty()) handler.handle(exchange);
          else deny(exchange, denial.get());
        });
  }

  private static void deny(HttpExchange exchange, AccessGuard.Denial denial) throws IOException {
    try (exchange) {
      var bytes = Wire.shared().json(new DenialBody(denial.status(), denial.reason()));
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      if (denial.status() == 401) exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
      exchange.sendResponseHeaders(denial.status(), bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private record DenialBody(int status, String error) {}

  private void http(String path, AccessLevel accessLevel, HttpFunction function) {
    serve(
        path,
        accessLevel,
        exchange -> {
          var response = new HostedResponse(exchange);
          answer(exchange, response, () -> function.service(new HostedRequest(exchange), response));
        });
  }

  private static void meter(HttpExchange exchange, Supplier<Object> meter) throws IOException {
    try (exchange) {
      var bytes = Wire.shared().json(meter.get());
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private void events(String topic, List<CloudEventsFunction> functions) {
    serve(
        "/functions/" + topic,
        AccessLevel.OWNER,
        exchange -> {
          var response = new HostedResponse(exchange);
          answer(
              exchange,
              response,
              () -> {
                var event = event(exchange);
                for (var function : functions) function.accept(event);
                response.setStatusCode(204);
              });
        });
  }

  /** Reads a CloudEvent in binary mode: its attributes are headers. */
  private static CloudEvent event(HttpExchange exchange) throws IOException {
    var headers = exchange.getRequestHeaders();
    return CloudEventBuilder.v1()
        .withId(String.valueOf(headers.getFirst("ce-id")))
        .withSource(URI.create(String.valueOf(headers.getFirst("ce-source"))))
        .withType(String.valueOf(headers.getFirst("ce-type")))
        .withData("application/json", exchange.getRequestBody().readAllBytes())
        .build();
  }

  /** The body of a function. */
  private interface Work {
    void run() throws Exception;
  }

  /** An exception is a 500, as in the Functions Framework, so the event is delivered again. */
  private static void answer(HttpExchange exchange, HostedResponse response, Work work) {
    try (exchange) {
      try {
        work.run();
      } catch (Exception failure) {
        LOG.debug("{} failed", exchange.getRequestURI(), failure);
        response.setStatusCode(500);
      }
      response.send();
    } catch (IOException gone) {
      LOG.debug("the caller of {} went away", exchange.getRequestURI());
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
