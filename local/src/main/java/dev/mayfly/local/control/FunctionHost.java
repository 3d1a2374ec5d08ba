package dev.mayfly.local.control;

import com.google.cloud.functions.CloudEventsFunction;
import com.google.cloud.functions.HttpFunction;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mayfly.core.port.Meter;
import dev.mayfly.functions.Deployment;
import dev.mayfly.gcp.pubsub.Topics;
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
 * Serves a deployment's entry points on loopback, as Cloud Run and Eventarc would: HTTP functions
 * under a path of their own, and CloudEvents in binary form at {@code /functions/TOPIC}.
 */
final class FunctionHost implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FunctionHost.class);

  private final HttpServer server;

  private FunctionHost(HttpServer server) {
    this.server = server;
  }

  /**
   * @param door before the function {@code workers}
   * @param meter what the ledger did since this process began: {@code GET /ledger/operations}
   */
  static FunctionHost start(int port, Deployment deployment, Door door, Supplier<Object> meter)
      throws IOException {
    System.setProperty("sun.net.httpserver.nodelay", "true");
    var server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_024);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http(server, "/workers/", door.before(deployment.workers()));
    var api = deployment.api();
    http(
        server,
        "/api/",
        (request, response) ->
            Meter.looking(() -> {
              api.service(request, response);
              return true;
            }));
    events(server, Topics.JOBS, List.of(deployment.jobs()));
    events(server, Topics.CLUSTERS, List.of(deployment.clusters()));
    events(server, Topics.TICKS, List.of(deployment.autoscale(), deployment.cleanup()));
    events(server, Topics.VM_EVENTS, List.of(deployment.vmEvents()));
    server.createContext("/ledger/operations", exchange -> meter(exchange, meter));
    server.start();
    return new FunctionHost(server);
  }

  int port() {
    return server.getAddress().getPort();
  }

  private static void http(HttpServer server, String path, HttpFunction function) {
    server.createContext(
        path,
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

  private static void events(HttpServer server, String topic, List<CloudEventsFunction> functions) {
    server.createContext(
        "/functions/" + topic,
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

  /** A CloudEvent in binary form: its attributes are headers. */
  private static CloudEvent event(HttpExchange exchange) throws IOException {
    var headers = exchange.getRequestHeaders();
    return CloudEventBuilder.v1()
        .withId(String.valueOf(headers.getFirst("ce-id")))
        .withSource(URI.create(String.valueOf(headers.getFirst("ce-source"))))
        .withType(String.valueOf(headers.getFirst("ce-type")))
        .withData("application/json", exchange.getRequestBody().readAllBytes())
        .build();
  }

  /** A function's work. */
  private interface Work {
    void run() throws Exception;
  }

  /** What a function throws is a 500, as in the Functions Framework: the event comes again. */
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
