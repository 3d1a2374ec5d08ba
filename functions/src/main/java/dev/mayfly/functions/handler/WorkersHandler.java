package dev.mayfly.functions.handler;

import com.google.cloud.functions.HttpFunction;
import com.google.cloud.functions.HttpRequest;
import com.google.cloud.functions.HttpResponse;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.sync.SyncService;
import dev.mayfly.wire.Wire;
import dev.mayfly.wire.text.SingleLineText;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * {@code POST /v1/sync}: an agent reports its state and waits for orders. {@code POST /v1/watch}: a
 * tick starts a liveness watch.
 */
public final class WorkersHandler implements HttpFunction {
  static final int BODY_CAP = 8 << 20;
  public static final String WATCH = "/v1/watch";
  private static final int LONGEST_WATCH = 58;
  private static final long MARGIN_SECONDS = 10;

  /** Names become parts of document paths; other characters could name another document. */
  private static final Pattern UID = Pattern.compile("[a-z0-9]{1,40}");

  private static final Pattern WORKER = Pattern.compile("[-a-z0-9]{1,63}");

  private final SyncService syncService;
  private final CallerAuthenticator callerAuthenticator;

  public WorkersHandler(SyncService syncService, CallerAuthenticator callerAuthenticator) {
    this.syncService = syncService;
    this.callerAuthenticator = callerAuthenticator;
  }

  /** The body of {@code POST /v1/watch}: the call lasts until no worker is silent, or this long. */
  public record Watch(List<String> clusters, int seconds) {
    public static final int MOST_CLUSTERS = 100;

    private void check() {
      if (clusters.size() > MOST_CLUSTERS)
        throw new InvalidInputException(
            "clusters",
            "are %d; one call watches at most %d".formatted(clusters.size(), MOST_CLUSTERS));
      for (var cluster : clusters)
        if (!UID.matcher(cluster).matches())
          throw new InvalidInputException(
              "clusters", SingleLineText.of(cluster, 60) + " is not a cluster's uid");
    }
  }

  @Override
  public void service(HttpRequest request, HttpResponse response) throws IOException {
    var path = request.getMethod().equals("POST") ? request.getPath() : "";
    try {
      if (path.endsWith("/v1/sync"))
        ErrorBoundary.handleHttp("sync", response, () -> sync(request, response));
      else if (path.endsWith(WATCH))
        ErrorBoundary.handleHttp("watch", response, () -> watch(request, response));
      else
        ErrorBoundary.writeError(
            response, 404, "the calls here are POST /v1/sync and POST " + WATCH);
    } catch (CallerAuthenticator.Unauthenticated unauthenticated) {
      response.appendHeader("WWW-Authenticate", "Bearer");
      ErrorBoundary.writeError(response, 401, String.valueOf(unauthenticated.getMessage()));
    }
  }

  private void sync(HttpRequest request, HttpResponse response) throws IOException {
    var caller = callerAuthenticator.authenticateAgent(request);
    var report = Wire.shared().report(body(request));
    check("cluster", report.cluster(), UID);
    check("worker", report.worker(), WORKER);
    caller.checkReport(report);
    var reply = new CompletableFuture<SyncOrders>();
    syncService.sync(report, reply::complete);
    ErrorBoundary.writeJson(response, 200, await(reply, report.waitSeconds() + MARGIN_SECONDS));
  }

  private static void check(String field, String name, Pattern names) {
    if (!names.matcher(name).matches())
      throw new InvalidInputException(
          field, SingleLineText.of(name, 60) + " is not the name of a " + field);
  }

  private void watch(HttpRequest request, HttpResponse response) throws IOException {
    callerAuthenticator.authenticateWatcher(request);
    var watch = Wire.shared().read(Watch.class, body(request));
    watch.check();
    var span = Duration.ofSeconds(Math.clamp(watch.seconds(), 0, LONGEST_WATCH));
    var over = new CountDownLatch(watch.clusters().size());
    for (var cluster : watch.clusters()) syncService.watch(cluster, span, over::countDown);
    try {
      if (!over.await(span.toSeconds() + MARGIN_SECONDS, TimeUnit.SECONDS))
        throw new UnavailableException("the watch did not end in time");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("this instance is ending; call again", e);
    }
    ErrorBoundary.writeJson(response, 200, watch);
  }

  private static byte[] body(HttpRequest request) throws IOException {
    var bytes = request.getInputStream().readNBytes(BODY_CAP + 1);
    if (bytes.length > BODY_CAP)
      throw new InvalidInputException("sync", "the report is larger than " + BODY_CAP + " bytes");
    return bytes;
  }

  private static SyncOrders await(CompletableFuture<SyncOrders> reply, long seconds) {
    try {
      return reply.get(seconds, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new UnavailableException("no orders in time; call again", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("this instance is ending; call again", e);
    }
  }
}
