package dev.mayfly.local.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.mayfly.local.access.AccessGuard;
import dev.mayfly.local.access.AccessLevel;
import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.wire.Wire;
import dev.mayfly.wire.proof.ProvenServers;
import dev.mayfly.wire.proof.ServerProof;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP server on 127.0.0.1, each request on a virtual thread. */
public final class LoopbackServer implements AutoCloseable {
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
        server.createContext(route.prefix(), handler(route, callFaultInjector, accessGuard)));
    accessGuard
        .owner()
        .map(owner -> proof(owner, "127.0.0.1:" + server.getAddress().getPort()))
        .ifPresent(route ->
            server.createContext(
                route.prefix(), handler(route, CallFaultInjector.NONE, accessGuard)));
    server.start();
    return new LoopbackServer(server, threads);
  }

  /** Where clients have this server prove itself before they send a token. */
  public static Route proof(OwnerToken owner, String address) {
    return new Route(
        ServerProof.PATH,
        restCall -> {
          var nonce = restCall.query("nonce").orElse("");
          var holder = restCall.query("holder").orElse("");
          if (!ServerProof.isQuestion(nonce, holder))
            throw ApiError.invalid("a nonce of 20 to 64 letters and digits is required");
          var proofs = owner.proofs(holder, address, nonce);
          restCall.answer(200, Wire.shared().json(new ProvenServers.Answer(proofs)));
        },
        AccessLevel.PUBLIC);
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

  /** Closing an exchange before any header is sent cuts the connection. */
  static HttpHandler handler(Route route, CallFaultInjector faults, AccessGuard accessGuard) {
    return exchange -> {
      try (exchange) {
        var restCall = new RestCall(exchange, RestReply.of(exchange));
        var denial = accessGuard.denial(exchange, route.access(restCall.method()));
        if (denial.isEmpty()) answer(exchange, restCall, route, faults);
        else route.refuse(restCall, error(denial.get()));
      }
    };
  }

  private static ApiError error(AccessGuard.Denial denial) {
    var reason = denial.status() == 401 ? "unauthorized" : "forbidden";
    return new ApiError(denial.status(), reason, denial.reason());
  }

  private static void answer(
      HttpExchange exchange, RestCall restCall, Route route, CallFaultInjector faults)
      throws IOException {
    var verdict = faults.verdict(restCall.uri().getRawPath(), !READS.contains(restCall.method()));
    if (verdict.refusal().isPresent()) route.refuse(restCall, verdict.refusal().get());
    else if (verdict.replyLost()) route.answer(new RestCall(exchange, RestReply.lost()));
    else route.answer(restCall);
  }
}
