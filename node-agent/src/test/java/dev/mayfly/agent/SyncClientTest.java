package dev.mayfly.agent;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mayfly.agent.credentials.IdentityTokenCache;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SyncClientTest {
  private static final Instant T = Instant.parse("2026-11-01T00:00:00Z");
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final LinkedBlockingQueue<AgentEvent> events = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<SyncReport> reports = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<String> bearers = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<Integer> ports = new LinkedBlockingQueue<>();
  private final CountDownLatch release = new CountDownLatch(1);
  private HttpServer server;
  private SyncClient calls;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/v1/sync", this::handle);
    server.start();
    var url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    var identityTokenCache = new IdentityTokenCache(() -> "proof", () -> T);
    calls = new SyncClient(url, "", Optional.of(identityTokenCache), threads, events::add);
  }

  @AfterEach
  void stop() {
    release.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  @Test
  void answerIsAnEvent() throws Exception {
    calls.send(new AgentEffect.Sync(report(1), LIMIT));

    assertThat(events.poll(30, SECONDS)).isEqualTo(new AgentEvent.OrdersReceived(orders(1)));
    assertThat(reports.poll(30, SECONDS)).isEqualTo(report(1));
    assertThat(bearers.poll(30, SECONDS)).isEqualTo("Bearer proof");
  }

  @Test
  void errorStatusFailsWithBody() throws Exception {
    calls.send(new AgentEffect.Sync(report(503), LIMIT));

    assertThat(events.poll(30, SECONDS))
        .isInstanceOfSatisfying(
            AgentEvent.SyncFailed.class,
            failed -> {
              assertThat(failed.seq()).isEqualTo(503);
              assertThat(failed.reason()).contains("503").contains("busy");
            });
  }

  @Test
  void timeoutIsAFailure() throws Exception {
    calls.send(new AgentEffect.Sync(report(100), Duration.ofMillis(100)));

    assertThat(events.poll(30, SECONDS)).isInstanceOf(AgentEvent.SyncFailed.class);
  }

  @Test
  void newerCallAbortsPendingOne() throws Exception {
    calls.send(new AgentEffect.Sync(report(100), LIMIT));
    assertThat(reports.poll(30, SECONDS)).isEqualTo(report(100));

    calls.send(new AgentEffect.Sync(report(101), LIMIT));

    assertThat(events.poll(30, SECONDS)).isEqualTo(new AgentEvent.OrdersReceived(orders(101)));
    release.countDown();
    threads.shutdown();
    assertThat(threads.awaitTermination(30, SECONDS)).isTrue();
    assertThat(events).isEmpty();
  }

  @Test
  void unansweredCallForcesNewConnection() throws Exception {
    calls.send(new AgentEffect.Sync(report(1), LIMIT));
    assertThat(events.poll(30, SECONDS)).isInstanceOf(AgentEvent.OrdersReceived.class);
    // Wait until the call is sent: an earlier abort would not use the connection.
    calls.send(new AgentEffect.Sync(report(100), Duration.ofSeconds(3)));
    assertThat(events.poll(30, SECONDS)).isInstanceOf(AgentEvent.SyncFailed.class);

    calls.send(new AgentEffect.Sync(report(101), LIMIT));

    assertThat(events.poll(30, SECONDS)).isEqualTo(new AgentEvent.OrdersReceived(orders(101)));
    var first = ports.poll(30, SECONDS);
    assertThat(ports.poll(30, SECONDS)).as("a connection is kept").isEqualTo(first);
    assertThat(ports.poll(30, SECONDS)).isNotEqualTo(first);
  }

  @Test
  void unreachableServerIsAFailure() throws Exception {
    server.stop(0);

    calls.send(new AgentEffect.Sync(report(1), LIMIT));

    assertThat(events.poll(30, SECONDS)).isInstanceOf(AgentEvent.SyncFailed.class);
  }

  /** Answers 503 by refusing, holds 100, and answers everything else. */
  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var report = Wire.shared().report(exchange.getRequestBody().readAllBytes());
      bearers.add(exchange.getRequestHeaders().getFirst("Authorization"));
      ports.add(exchange.getRemoteAddress().getPort());
      reports.add(report);
      if (report.seq() == 100) {
        release.await();
      }
      var failed = report.seq() == 503;
      var body =
          failed
              ? "busy\n".getBytes(StandardCharsets.UTF_8)
              : Wire.shared().orders(orders(report.seq()));
      exchange.sendResponseHeaders(failed ? 503 : 200, body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static SyncOrders orders(long seq) {
    return new SyncOrders(
        seq,
        T,
        T.plusSeconds(10),
        List.of(),
        List.of(),
        Optional.empty(),
        false,
        List.of(),
        List.of());
  }

  static SyncReport report(long seq) {
    return new SyncReport(
        "c1",
        "w-1",
        0,
        new Incarnation("i", "b", T),
        "nonce",
        seq,
        new Resources(2_000, 1, 0, 0),
        new Resources(2_000, 1, 0, 0),
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        false,
        25,
        Optional.empty(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }
}
