package dev.mayfly.local.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.mayfly.local.access.AccessGuard;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An HTTP server on 127.0.0.1, each request on a virtual thread. */
public final class LoopbackServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LoopbackServer.class);
  private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");

  static {
    // Otherwise each answer waits 40 ms for an acknowledgement. Read when the server's classes are
    // loaded.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HttpServer server;
  private final ExecutorService threads;

  private LoopbackServer(HttpServer server, ExecutorService threads) {
    this.server = server;
    this.threads = threads;
  }

  /**
   * Serves {@code routes} at once.
   *
   * @param port the port, or 0 for any free port
   * @param accessGuard refuses calls before faults are injected
   * @throws IOException when the port is taken; the message names it
   */
  public static LoopbackServer start(
      int port, List<Route> routes, CallFaultInjector callFaultInjector, AccessGuard accessGuard)
      throws IOException {
    var server = HttpServer.create();
    try {
      server.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), 1024);
    } catch (BindException e) {
      throw new IOException(
          "Port " + port + " of 127.0.0.1 is in use; end the process that uses it", e);
    }
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    server.setExecutor(threads);
    routes.forEach(route ->
        server.createContext(route.prefix(), guarded(route, callFaultInjector, accessGuard)));
    server.start();
    return new LoopbackServer(server, threads);
  }

  /** The port. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** The URL of the root without a trailing slash, as Google's clients expect endpoints. */
  public String url() {
    return "http://127.0.0.1:" + port();
  }

  /** Stops at once and interrupts running calls. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private static HttpHandler guarded(
      Route route, CallFaultInjector callFaultInjector, AccessGuard accessGuard) {
    var gated = gated(route.handler(), callFaultInjector);
    return exchange -> {
      var denial = accessGuard.denial(exchange, route.access());
      if (denial.isEmpty()) gated.handle(exchange);
      else refuse(exchange, denial.get());
    };
  }

  private static void refuse(HttpExchange exchange, AccessGuard.Denial denial) throws IOException {
    if (denial.status() == 401) exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
    var reason = denial.status() == 401 ? "unauthorized" : "forbidden";
    ReplyWriter.error(exchange, new ApiError(denial.status(), reason, denial.reason()));
  }

  private static HttpHandler gated(HttpHandler handler, CallFaultInjector callFaultInjector) {
    return exchange -> {
      var mutating = !READS.contains(exchange.getRequestMethod().toUpperCase(Locale.ROOT));
      switch (callFaultInjector.verdict(exchange.getRequestURI().getRawPath(), mutating)) {
        case OPEN -> answer(handler, exchange);
        case REPLY_LOST -> loseReply(handler, exchange);
        case RATE_LIMITED ->
            ReplyWriter.error(
                exchange, new ApiError(403, "rateLimitExceeded", "Rate Limit Exceeded"));
      }
    };
  }

  private static void loseReply(HttpHandler handler, HttpExchange exchange) throws IOException {
    try {
      answer(handler, new LostReplyExchange(exchange));
    } finally {
      // Closing before any header is sent cuts the connection.
      exchange.close();
    }
  }

  private static void answer(HttpHandler handler, HttpExchange exchange) throws IOException {
    try {
      handler.handle(exchange);
    } catch (ApiError refusal) {
      ReplyWriter.error(exchange, refusal);
    } catch (RuntimeException bug) {
      LOG.error("Answering {} failed", exchange.getRequestURI(), bug);
      ReplyWriter.error(exchange, new ApiError(500, "backendError", "Internal error: " + bug));
    }
  }
}
