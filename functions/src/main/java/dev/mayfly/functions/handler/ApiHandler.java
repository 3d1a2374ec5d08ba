package dev.mayfly.functions.handler;

import com.google.cloud.functions.HttpFunction;
import com.google.cloud.functions.HttpRequest;
import com.google.cloud.functions.HttpResponse;
import dev.mayfly.core.query.StatusQueries;
import dev.mayfly.core.reconcile.cleanup.CleanupPlan;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What people and the CLI read, as JSON. Nothing here changes anything: every method but GET is
 * refused.
 *
 * <pre>
 * /v1/health                                      {now}
 * /v1/clusters                                    [ClusterStatus]
 * /v1/clusters/NAME                               ClusterStatus
 * /v1/clusters/NAME/workers?all=true              [WorkerStatus]
 * /v1/clusters/NAME/jobs?limit=50                 [JobStatus]
 * /v1/clusters/NAME/jobs/JOB                      JobStatus
 * /v1/clusters/NAME/jobs/JOB/explain              Explanation
 * /v1/clusters/NAME/events?about=job/J&amp;limit=50   [Event]
 * /v1/cleanup                                     CleanupPlan
 * /v1/rejections?limit=20                         [Rejection]
 * /v1/rejections/MESSAGE                          Rejection
 * </pre>
 */
public final class ApiHandler implements HttpFunction {
  private static final int LIMIT = 500;

  private final StatusQueries statusQueries;
  private final Supplier<CleanupPlan> cleanup;
  private final InstantSource clock;

  public ApiHandler(
      StatusQueries statusQueries, Supplier<CleanupPlan> cleanup, InstantSource clock) {
    this.statusQueries = statusQueries;
    this.cleanup = cleanup;
    this.clock = clock;
  }

  /** The body of {@code /v1/health}. */
  record Health(java.time.Instant now) {}

  @Override
  public void service(HttpRequest request, HttpResponse response) throws IOException {
    if (!request.getMethod().equals("GET")) {
      response.appendHeader("Allow", "GET");
      ErrorBoundary.writeError(response, 405, "only GET: publish a message to change state");
      return;
    }
    ErrorBoundary.handleHttp(
        request.getPath(),
        response,
        () -> {
          var found = find(request, parts(request.getPath()));
          if (found.isPresent()) ErrorBoundary.writeJson(response, 200, found.get());
          else ErrorBoundary.writeError(response, 404, "there is nothing at " + request.getPath());
        });
  }

  /** The parts of the path after {@code v1}, under any prefix. */
  private static List<String> parts(String path) {
    var all = List.of(path.split("/"));
    var start = all.indexOf("v1");
    return start < 0 ? List.of() : all.subList(start + 1, all.size());
  }

  private Optional<Object> find(HttpRequest request, List<String> parts) {
    return switch (parts.size() + " " + (parts.isEmpty() ? "" : parts.getFirst())) {
      case "1 health" -> Optional.of(new Health(clock.instant()));
      case "1 clusters" -> Optional.of(statusQueries.clusters());
      case "2 clusters" -> Optional.of(statusQueries.cluster(parts.get(1)));
      case "1 cleanup" -> Optional.of(cleanup.get());
      case "1 rejections" -> Optional.of(statusQueries.rejections(limit(request, 20)));
      case "2 rejections" -> statusQueries.rejection(parts.get(1)).map(r -> r);
      case "3 clusters" -> list(request, parts.get(1), parts.get(2));
      case "4 clusters" ->
          parts.get(2).equals("jobs")
              ? Optional.of(statusQueries.job(parts.get(1), parts.get(3)))
              : Optional.empty();
      case "5 clusters" ->
          parts.get(2).equals("jobs") && parts.get(4).equals("explain")
              ? Optional.of(statusQueries.explain(parts.get(1), parts.get(3)))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private Optional<Object> list(HttpRequest request, String cluster, String what) {
    return switch (what) {
      case "workers" ->
          Optional.of(
              statusQueries.workers(cluster, request.getFirstQueryParameter("all").isPresent()));
      case "jobs" -> Optional.of(statusQueries.jobs(cluster, limit(request, 50)));
      case "events" ->
          Optional.of(
              statusQueries.events(
                  cluster, request.getFirstQueryParameter("about"), limit(request, 50)));
      default -> Optional.empty();
    };
  }

  private static int limit(HttpRequest request, int defaultLimit) {
    return request
        .getFirstQueryParameter("limit")
        .filter(l -> l.matches("[0-9]{1,6}"))
        .map(Integer::parseInt)
        .map(l -> Math.max(1, Math.min(LIMIT, l)))
        .orElse(defaultLimit);
  }
}
