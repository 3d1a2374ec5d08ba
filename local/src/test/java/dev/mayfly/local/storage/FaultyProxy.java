package dev.mayfly.local.storage;

import com.sun.net.httpserver.HttpExchange;
import dev.mayfly.local.http.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Stands before a storage server, breaks some of the requests as networks do, and leaves out of the
 * replies what the server adds to an object's metadata on its own.
 */
final class FaultyProxy implements AutoCloseable {
  /** The fault of a request. */
  enum Break {
    /** The server does not get the request. */
    REFUSED,
    /** The server has handled it, but its reply is lost. */
    REPLY_LOST,
    /** The server has handled it, but half of its reply is lost. */
    REPLY_CUT,
    /** The server has handled it, and the reply arrives two seconds late. */
    REPLY_SLOW
  }

  /** For a server that is spoken to as it is. */
  static final int UNBROKEN = -1;

  /** What storage-testbench notes for the tests of Google's clients. */
  private static final Pattern NOTES = Pattern.compile("x_(emulator|testbench)_.*");

  private static final JsonMapper JSON = JsonMapper.shared();

  /** One request in so many is broken, so that a repeat of it passes. */
  private static final int EVERY = 3;

  /** A test with thousands of requests would take an hour otherwise. */
  private static final int MOST_BREAKS = 16;

  private static final Set<String> OF_ONE_CONNECTION = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

  static {
    OF_ONE_CONNECTION.addAll(
        Set.of("Host", "Connection", "Content-Length", "Transfer-Encoding", "Expect", "Upgrade"));
    OF_ONE_CONNECTION.addAll(Set.of("Keep-Alive", "Date"));
  }

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicInteger seen = new AtomicInteger();
  private final AtomicInteger broken = new AtomicInteger();
  private final String upstream;
  private final int first;
  private final TestServer server;

  /**
   * @param upstream the server's URL, without a slash at its end
   * @param first which of the breaks comes first, from 0; or {@link #UNBROKEN}
   */
  FaultyProxy(String upstream, int first) throws IOException {
    this.upstream = upstream;
    this.first = first;
    this.server = new TestServer(Map.of("/", this::relay));
  }

  String url() {
    return server.url();
  }

  /** How many requests were broken so far. */
  int broken() {
    return broken.get();
  }

  private void relay(HttpExchange exchange) throws IOException {
    var body = exchange.getRequestBody().readAllBytes();
    var number = seen.getAndIncrement();
    if (first == UNBROKEN || number % EVERY != EVERY - 1 || broken.get() >= MOST_BREAKS) {
      answer(exchange, asked(exchange, body));
      return;
    }
    var kind = Break.values()[(first + broken.getAndIncrement()) % Break.values().length];
    // A deletion whose reply is lost finds nothing at its repeat, as the port says.
    if (kind == Break.REPLY_LOST || kind == Break.REPLY_CUT)
      if (exchange.getRequestMethod().equals("DELETE")) kind = Break.REFUSED;
    broken(kind, exchange, body);
  }

  private void broken(Break kind, HttpExchange exchange, byte[] body) throws IOException {
    switch (kind) {
      case REFUSED -> FaultyStorage.error(exchange, 503, "backendError", "broken on purpose");
      case REPLY_LOST -> {
        asked(exchange, body);
        throw new IOException("broken on purpose");
      }
      case REPLY_CUT -> cut(exchange, asked(exchange, body));
      case REPLY_SLOW -> {
        var reply = asked(exchange, body);
        var later = CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS);
        CompletableFuture.runAsync(() -> {}, later).join();
        answer(exchange, reply);
      }
    }
  }

  private HttpResponse<byte[]> asked(HttpExchange exchange, byte[] body) throws IOException {
    var request = HttpRequest.newBuilder(URI.create(upstream + exchange.getRequestURI()));
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> {
          if (!OF_ONE_CONNECTION.contains(name))
            values.forEach(value -> request.header(name, value));
        });
    request.method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
    try {
      return http.send(request.build(), FaultyProxy::cleaned);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static HttpResponse.BodySubscriber<byte[]> cleaned(HttpResponse.ResponseInfo reply) {
    var json = reply.headers().firstValue("Content-Type").orElse("").startsWith("application/json");
    var plain = reply.headers().firstValue("Content-Encoding").isEmpty();
    return BodySubscribers.mapping(
        BodySubscribers.ofByteArray(), body -> json && plain ? withoutNotes(body) : body);
  }

  private static byte[] withoutNotes(byte[] body) {
    if (body.length == 0) return body;
    var tree = JSON.readTree(body);
    for (var parent : tree.findParents("metadata"))
      if (parent.get("metadata") instanceof ObjectNode metadata)
        metadata.remove(
            metadata.propertyNames().stream().filter(n -> NOTES.matcher(n).matches()).toList());
    return JSON.writeValueAsBytes(tree);
  }

  /** A session of an upload is at an address of its own, which is to be behind this relay too. */
  private void headers(HttpExchange exchange, HttpResponse<byte[]> reply) {
    reply
        .headers()
        .map()
        .forEach((name, values) -> {
          if (OF_ONE_CONNECTION.contains(name)) return;
          for (var value : values)
            exchange
                .getResponseHeaders()
                .add(name, name.equalsIgnoreCase("Location") ? here(value) : value);
        });
  }

  private String here(String address) {
    var there = URI.create(address);
    var query = there.getRawQuery() == null ? "" : "?" + there.getRawQuery();
    return url() + there.getRawPath() + query;
  }

  private void answer(HttpExchange exchange, HttpResponse<byte[]> reply) throws IOException {
    headers(exchange, reply);
    var body = reply.body();
    try (exchange) {
      exchange.sendResponseHeaders(reply.statusCode(), body.length == 0 ? -1 : body.length);
      if (body.length > 0) exchange.getResponseBody().write(body);
    }
  }

  private void cut(HttpExchange exchange, HttpResponse<byte[]> reply) throws IOException {
    headers(exchange, reply);
    var body = reply.body();
    if (body.length > 1) {
      exchange.sendResponseHeaders(reply.statusCode(), body.length);
      exchange.getResponseBody().write(body, 0, body.length / 2);
      exchange.getResponseBody().flush();
    }
    throw new IOException("broken on purpose");
  }

  @Override
  public void close() {
    server.close();
    http.shutdownNow();
  }
}
