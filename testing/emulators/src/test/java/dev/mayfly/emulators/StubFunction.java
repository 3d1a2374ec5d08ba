package dev.mayfly.emulators;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A stub of a function's instance: records calls and gives scripted answers. */
final class StubFunction implements AutoCloseable {
  /** Instead of a status: the instance dies in the middle of the call. */
  static final int DIES = 0;

  /** A recorded call. */
  record Heard(String method, URI uri, Map<String, List<String>> headers, byte[] body) {
    String header(String name) {
      return headers.entrySet().stream()
          .filter(h -> h.getKey().equalsIgnoreCase(name))
          .map(h -> h.getValue().getFirst())
          .findFirst()
          .orElse("");
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
  private final Queue<Integer> answers = new ConcurrentLinkedQueue<>();

  StubFunction(Integer... answers) throws IOException {
    this.answers.addAll(new ArrayDeque<>(List.of(answers)));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = exchange.getRequestBody().readAllBytes();
      var status = answers.isEmpty() ? Integer.valueOf(200) : answers.poll();
      heard.add(
          new Heard(
              exchange.getRequestMethod(),
              exchange.getRequestURI(),
              Map.copyOf(exchange.getRequestHeaders()),
              body));
      if (status == DIES) return;
      exchange.getResponseHeaders().set("Content-Type", "text/plain");
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      if (body.length > 0) exchange.getResponseBody().write(body);
    }
  }

  Heard next() throws InterruptedException {
    var next = heard.poll(120, TimeUnit.SECONDS);
    if (next == null) throw new AssertionError("nothing came in two minutes");
    return next;
  }

  int calls() {
    return heard.size();
  }

  /** As many instances as stubs, of one function. */
  static FunctionInstances instances(StubFunction... stubs) {
    var processes =
        java.util.Arrays.stream(stubs)
            .map(s -> s.server.getAddress().getPort())
            .map(port -> new FunctionProcess("stub", "Stub", port, Map.of(), Path.of(".")))
            .toList();
    var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    return new FunctionInstances(client, processes);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
