package dev.mayfly.agent.machine;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A metadata server on loopback: values by path, waits for changes, and failure injection. */
public final class FakeMetadataServer implements AutoCloseable {
  private static final String BASE = "/computeMetadata/v1/";

  private final HttpServer server;
  private final Map<String, String> values = new ConcurrentHashMap<>();
  private final AtomicInteger failures = new AtomicInteger();
  private int version;

  public FakeMetadataServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(BASE, this::handle);
    server.start();
  }

  public String host() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  public synchronized void set(String path, String value) {
    values.put(path, value);
    version++;
    notifyAll();
  }

  void failNext(int calls) {
    failures.set(calls);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var query = String.valueOf(exchange.getRequestURI().getQuery());
      if (!"Google".equals(exchange.getRequestHeaders().getFirst("Metadata-Flavor"))) {
        exchange.sendResponseHeaders(403, -1);
      } else if (failures.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
        exchange.sendResponseHeaders(503, -1);
      } else {
        answer(exchange, exchange.getRequestURI().getPath().substring(BASE.length()), query);
      }
    }
  }

  private void answer(HttpExchange exchange, String path, String query) throws IOException {
    String etag = await(query);
    var value = values.get(path);
    if (value == null) {
      exchange.sendResponseHeaders(404, -1);
      return;
    }
    var body =
        (path.endsWith("identity") ? value + "?" + query : value).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Metadata-Flavor", "Google");
    exchange.getResponseHeaders().set("ETag", etag);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
  }

  private synchronized String await(String query) {
    var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (query.contains("wait_for_change=true")
        && query.contains("last_etag=" + version + "&")
        && System.nanoTime() < deadline) {
      try {
        wait(1_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    return Integer.toString(version);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
