package dev.mayfly.functions;

import com.google.cloud.functions.HttpFunction;
import com.google.cloud.functions.HttpRequest;
import com.google.cloud.functions.HttpResponse;
import dev.mayfly.core.control.SyncDesk;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.wire.Wire;
import dev.mayfly.wire.text.Line;
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
 * {@code POST /v1/sync}: an agent tells its state and is kept waiting until there is something to
 * order. {@code POST /v1/watch}: a tick has silent workers judged.
 */
final class WorkersFunction implements HttpFunction {
  static final int BODY_CAP = 8 << 20;
  static final String WATCH = "/v1/watch";
  private static final int LONGEST_WATCH = 58;
  private static final long MARGIN_SECONDS = 10;

  /** Names become parts of a document's path: another character could name another document. */
  private static final Pattern UID = Pattern.compile("[a-z0-9]{1,40}");

  private static final Pattern WORKER = Pattern.compile("[-a-z0-9]{1,63}");

  private final SyncDesk desk;
  private final Identity identity;

  WorkersFunction(SyncDesk desk, Identity identity) {
    this.desk = desk;
    this.identity = identity;
  }

  /** The body of {@code POST /v1/watch}: the call stays until nobody is silent, or so long. */
  record Watch(List<String> clusters, int seconds) {
    static final int MOST_CLUSTERS = 100;

    private void check() {
      if (clusters.size() > MOST_CLUSTERS)
        throw new Invalid(
            "clusters",
            "are %d; at most %d are watched by one call".formatted(clusters.size(), MOST_CLUSTERS));
      for (var cluster : clusters)
        if (!UID.matcher(cluster).matches())
          throw new Invalid("clusters", Line.of(cluster, 60) + " is no cluster's uid");
    }
  }

  @Override
  public void service(HttpRequest request, HttpResponse response) throws IOException {
    var path = request.getMethod().equals("POST") ? request.getPath() : "";
    try {
      if (path.endsWith("/v1/sync")) Edge.http("sync", response, () -> sync(request, response));
      else if (path.endsWith(WATCH)) Edge.http("watch", response, () -> watch(request, response));
      else Edge.error(response, 404, "the calls here are POST /v1/sync and POST " + WATCH);
    } catch (Identity.Missing nobody) {
      response.appendHeader("WWW-Authenticate", "Bearer");
      Edge.error(response, 401, String.valueOf(nobody.getMessage()));
    }
  }

  private void sync(HttpRequest request, HttpResponse response) throws IOException {
    var caller = identity.agent(request);
    var report = Wire.shared().report(body(request));
    check("cluster", report.cluster(), UID);
    check("worker", report.worker(), WORKER);
    caller.mayReport(report);
    var reply = new CompletableFuture<SyncOrders>();
    desk.sync(report, reply::complete);
    Edge.json(response, 200, await(reply, report.waitSeconds() + MARGIN_SECONDS));
  }

  private static void check(String field, String name, Pattern names) {
    if (!names.matcher(name).matches())
      throw new Invalid(field, Line.of(name, 60) + " is no name of a " + field);
  }

  private void watch(HttpRequest request, HttpResponse response) throws IOException {
    identity.mayWatch(request);
    var watch = Wire.shared().read(Watch.class, body(request));
    watch.check();
    var span = Duration.ofSeconds(Math.clamp(watch.seconds(), 0, LONGEST_WATCH));
    var over = new CountDownLatch(watch.clusters().size());
    for (var cluster : watch.clusters()) desk.watchOver(cluster, span, over::countDown);
    try {
      if (!over.await(span.toSeconds() + MARGIN_SECONDS, TimeUnit.SECONDS))
        throw new Unavailable("the watch did not end in time");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unavailable("this instance is ending; call again", e);
    }
    Edge.json(response, 200, watch);
  }

  private static byte[] body(HttpRequest request) throws IOException {
    var bytes = request.getInputStream().readNBytes(BODY_CAP + 1);
    if (bytes.length > BODY_CAP)
      throw new Invalid("sync", "the report is larger than " + BODY_CAP + " bytes");
    return bytes;
  }

  private static SyncOrders await(CompletableFuture<SyncOrders> reply, long seconds) {
    try {
      return reply.get(seconds, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new Unavailable("no orders could be made in time; call again", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unavailable("this instance is ending; call again", e);
    }
  }
}
