package dev.mayfly.local.pubsub;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpHandler;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A stub of the control plane: records posts and fails on demand. */
final class PushReceiver {
  record Event(String path, Headers headers, JsonNode body) {
    String text() {
      return new String(Base64.getDecoder().decode(body.at("/message/data").asString()), UTF_8);
    }
  }

  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  final AtomicInteger failures = new AtomicInteger();

  Map<String, HttpHandler> routes() {
    return Map.of(
        "/functions/",
        exchange -> {
          try (exchange) {
            var body = JsonMapper.shared().readTree(exchange.getRequestBody().readAllBytes());
            events.add(
                new Event(exchange.getRequestURI().getPath(), exchange.getRequestHeaders(), body));
            var fails = failures.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
            exchange.sendResponseHeaders(fails ? 500 : 204, -1);
          }
        });
  }

  Event next() throws InterruptedException {
    var event = events.poll(120, TimeUnit.SECONDS);
    if (event == null) throw new AssertionError("nothing was delivered in two minutes");
    return event;
  }

  boolean isQuiet() {
    return events.isEmpty();
  }
}
