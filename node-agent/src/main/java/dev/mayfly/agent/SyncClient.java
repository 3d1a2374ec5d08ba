package dev.mayfly.agent;

import dev.mayfly.agent.credentials.IdentityTokenCache;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.wire.Wire;
import dev.mayfly.wire.proof.ProvenServers;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Sends syncs to the control plane, one call at a time: a newer call aborts the pending one, whose
 * answer is dropped.
 *
 * <p>Sends each report once. The loop retries with a new report.
 */
final class SyncClient {
  private static final int CONNECT_MILLIS = 5_000;
  private static final int LARGEST = 32 << 20;

  private final URI url;
  private final String machineToken;
  private final Optional<IdentityTokenCache> identityTokenCache;
  private final Executor threads;
  private final Consumer<AgentEvent> events;
  private final AtomicReference<Optional<Call>> current = new AtomicReference<>(Optional.empty());

  /**
   * @param workersUrl of the function, without the path
   * @param machineToken of a laptop cloud, whose servers have to prove that they know it before
   *     they get a report and give orders; empty elsewhere
   * @param identityTokenCache proves the machine's identity; empty where calls need no token
   */
  SyncClient(
      String workersUrl,
      String machineToken,
      Optional<IdentityTokenCache> identityTokenCache,
      Executor threads,
      Consumer<AgentEvent> events) {
    this.url = URI.create(workersUrl.replaceFirst("/+$", "") + "/v1/sync");
    this.machineToken = machineToken;
    this.identityTokenCache = identityTokenCache;
    this.threads = threads;
    this.events = events;
  }

  /** Makes the call. Its answer becomes an event, unless a newer call starts first. */
  void send(AgentEffect.Sync sync) {
    var call = new Call(sync.report(), (int) Math.min(sync.limit().toMillis(), Integer.MAX_VALUE));
    current.getAndSet(Optional.of(call)).ifPresent(this::abandon);
    threads.execute(() -> run(call));
  }

  private void abandon(Call call) {
    call.overtaken = true;
    threads.execute(() -> quietly(call, call::disconnect));
  }

  /** The JDK's connection throws arbitrary exceptions when another thread disconnects it. */
  private static void quietly(Call call, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      if (!call.overtaken) {
        throw e;
      }
    }
  }

  private void run(Call call) {
    quietly(call, () -> answer(call));
  }

  private void answer(Call call) {
    AgentEvent answer;
    try {
      answer = new AgentEvent.OrdersReceived(call.orders());
    } catch (IOException | MayflyException e) {
      var reason = e.getMessage() == null ? e.toString() : e.getMessage();
      answer = new AgentEvent.SyncFailed(call.report.seq(), reason);
    } catch (RuntimeException torn) {
      // Disconnected by a newer call in another thread.
      if (!call.overtaken) {
        throw torn;
      }
      return;
    }
    if (!call.overtaken) {
      events.accept(answer);
    }
  }

  private final class Call {
    private final SyncReport report;
    private final int limitMillis;
    private volatile Optional<HttpURLConnection> connection = Optional.empty();
    private volatile boolean overtaken;

    Call(SyncReport report, int limitMillis) {
      this.report = report;
      this.limitMillis = limitMillis;
    }

    void disconnect() {
      connection.ifPresent(HttpURLConnection::disconnect);
    }

    SyncOrders orders() throws IOException {
      var body = Wire.shared().report(report);
      ProvenServers.shared().connect(url.toString(), machineToken);
      var http = open();
      identityTokenCache.ifPresent(
          id -> http.setRequestProperty("Authorization", "Bearer " + id.token()));
      connection = Optional.of(http);
      if (overtaken) {
        throw new IOException("overtaken by a newer call");
      }
      http.setFixedLengthStreamingMode(body.length);
      try (var out = http.getOutputStream()) {
        out.write(body);
      }
      int status = http.getResponseCode();
      if (status != 200) {
        var error = http.getErrorStream();
        var text = error == null ? "" : new String(error.readNBytes(300), StandardCharsets.UTF_8);
        http.disconnect();
        throw new IOException(url + " answered " + status + " " + text.replaceAll("\\s+", " "));
      }
      try (var in = http.getInputStream()) {
        return Wire.shared().orders(in.readNBytes(LARGEST));
      }
    }

    private HttpURLConnection open() throws IOException {
      var http = (HttpURLConnection) url.toURL().openConnection();
      http.setRequestMethod("POST");
      http.setRequestProperty("Content-Type", "application/json");
      http.setConnectTimeout(Math.min(CONNECT_MILLIS, limitMillis));
      http.setReadTimeout(limitMillis);
      http.setInstanceFollowRedirects(false);
      http.setUseCaches(false);
      http.setDoOutput(true);
      return http;
    }
  }
}
