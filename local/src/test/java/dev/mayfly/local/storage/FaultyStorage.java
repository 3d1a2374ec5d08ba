package dev.mayfly.local.storage;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.mayfly.local.http.TestServer;
import dev.mayfly.local.storage.bucket.ObjectRights;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The laptop's Cloud Storage, with faults in the place of some answers. */
final class FaultyStorage implements AutoCloseable {
  /** Answers in the place of the storage, or leaves the request to it. */
  interface Fault {
    boolean answers(HttpExchange request) throws IOException;
  }

  private final TestServer server;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile Fault fault = request -> false;

  FaultyStorage(Path folder) throws IOException {
    var surface = new StorageApi(folder, InstantSource.system(), false, call -> ObjectRights.OWNER);
    var routes = new HashMap<String, HttpHandler>();
    surface
        .routes()
        .forEach(route -> routes.put(route.prefix(), guarded(TestServer.handler(route))));
    server = new TestServer(routes);
  }

  private HttpHandler guarded(HttpHandler handler) {
    return exchange -> {
      requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
      if (!fault.answers(exchange)) handler.handle(exchange);
    };
  }

  void set(Fault next) {
    requests.clear();
    fault = next;
  }

  /** Each as its method and its path with parameters, since the fault was set. */
  List<String> requests() {
    return requests;
  }

  String url() {
    return server.url();
  }

  static void error(HttpExchange request, int status, String reason, String message)
      throws IOException {
    request.getRequestBody().readAllBytes();
    var body =
        "{\"error\": {\"code\": %d, \"message\": \"%s\", \"errors\": [{\"reason\": \"%s\", \"message\": \"%s\"}]}}"
            .formatted(status, message, reason, message)
            .getBytes(StandardCharsets.UTF_8);
    request.getResponseHeaders().set("Content-Type", "application/json");
    request.sendResponseHeaders(status, body.length);
    try (request) {
      request.getResponseBody().write(body);
    }
  }

  /** Announces {@code size} bytes, and ends the connection after those given. */
  static void truncated(HttpExchange request, int status, byte[] some, long size)
      throws IOException {
    request.sendResponseHeaders(status, size);
    request.getResponseBody().write(some);
    request.getResponseBody().flush();
    throw new IOException("broken on purpose");
  }

  @Override
  public void close() {
    server.close();
  }
}
