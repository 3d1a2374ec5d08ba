package dev.mayfly.functions;

import com.google.cloud.functions.HttpFunction;
import com.google.cloud.functions.HttpRequest;
import com.google.cloud.functions.HttpResponse;
import dev.mayfly.core.control.SyncDesk;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * {@code POST /v1/sync}: an agent tells its state and is kept waiting until there is something to
 * order.
 */
final class WorkersFunction implements HttpFunction {
  static final int BODY_CAP = 8 << 20;
  private static final long MARGIN_SECONDS = 10;

  private final SyncDesk desk;

  WorkersFunction(SyncDesk desk) {
    this.desk = desk;
  }

  @Override
  public void service(HttpRequest request, HttpResponse response) throws IOException {
    if (!request.getMethod().equals("POST") || !request.getPath().endsWith("/v1/sync")) {
      Edge.error(response, 404, "the one call here is POST /v1/sync");
      return;
    }
    Edge.http(
        "sync",
        response,
        () -> {
          var report = Wire.shared().report(body(request));
          var reply = new CompletableFuture<SyncOrders>();
          desk.sync(report, reply::complete);
          Edge.json(response, 200, await(reply, report.waitSeconds() + MARGIN_SECONDS));
        });
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
