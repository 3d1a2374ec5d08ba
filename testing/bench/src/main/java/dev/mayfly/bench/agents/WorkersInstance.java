package dev.mayfly.bench.agents;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mayfly.core.control.ControlPlane;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One instance of the function {@code workers}: serves syncs by HTTP, at most 1,000 at once. */
final class WorkersInstance implements AutoCloseable {
  private static final int CONCURRENCY = 1_000;

  private final ControlPlane controlPlane;
  private final HttpServer server;
  private final Semaphore room = new Semaphore(CONCURRENCY);
  private final AtomicInteger waiting = new AtomicInteger();

  private WorkersInstance(ControlPlane controlPlane, HttpServer server) {
    this.controlPlane = controlPlane;
    this.server = server;
  }

  static WorkersInstance start(ControlPlane controlPlane) throws IOException {
    var server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_024);
    var instance = new WorkersInstance(controlPlane, server);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/v1/sync", instance::sync);
    server.start();
    return instance;
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1/sync");
  }

  /** The number of pending syncs. */
  int waiting() {
    return waiting.get();
  }

  private void sync(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!room.tryAcquire()) {
        exchange.sendResponseHeaders(429, -1);
        return;
      }
      try {
        var orders = Wire.shared().orders(answer(exchange));
        exchange.sendResponseHeaders(200, orders.length);
        exchange.getResponseBody().write(orders);
      } catch (UnavailableException e) {
        exchange.sendResponseHeaders(503, -1);
      } finally {
        room.release();
      }
    }
  }

  private SyncOrders answer(HttpExchange exchange) throws IOException {
    var report = Wire.shared().report(exchange.getRequestBody().readAllBytes());
    var reply = new CompletableFuture<SyncOrders>();
    controlPlane.syncService().sync(report, reply::complete);
    waiting.incrementAndGet();
    try {
      return reply.orTimeout(report.waitSeconds() + 20L, TimeUnit.SECONDS).join();
    } finally {
      waiting.decrementAndGet();
    }
  }

  @Override
  public void close() {
    controlPlane.close();
    server.stop(0);
  }
}
