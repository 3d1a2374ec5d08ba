package dev.mayfly.local.http;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.mayfly.local.access.AccessGuard;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/** Serves some routes on loopback for the time of a test. */
public final class TestServer implements AutoCloseable {
  static {
    // Else each answer waits 40 ms for the client's acknowledgement.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  public TestServer(Map<String, HttpHandler> routes) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    server.setExecutor(threads);
    routes.forEach(server::createContext);
    server.start();
  }

  public TestServer(List<Route> routes) throws IOException {
    this(routes, CallFaultInjector.NONE);
  }

  public TestServer(List<Route> routes, CallFaultInjector faults) throws IOException {
    this(routes.stream().collect(Collectors.toMap(Route::prefix, route -> handler(route, faults))));
  }

  /** Serves a route without faults. */
  public static HttpHandler handler(Route route) {
    return handler(route, CallFaultInjector.NONE);
  }

  private static HttpHandler handler(Route route, CallFaultInjector faults) {
    return LoopbackServer.handler(route, faults, AccessGuard.againstPages());
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
