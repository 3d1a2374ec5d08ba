package dev.mayfly.functions;

import com.google.cloud.functions.HttpFunction;
import com.google.cloud.functions.HttpRequest;
import com.google.cloud.functions.HttpResponse;
import dev.mayfly.core.control.CleanupView;
import dev.mayfly.core.control.Views;
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
 * /v1/clusters                                    [ClusterView]
 * /v1/clusters/NAME                               ClusterView
 * /v1/clusters/NAME/workers?all=true              [WorkerView]
 * /v1/clusters/NAME/jobs?limit=50                 [JobView]
 * /v1/clusters/NAME/jobs/JOB                      JobView
 * /v1/clusters/NAME/jobs/JOB/explain              Explanation
 * /v1/clusters/NAME/events?about=job/J&amp;limit=50   [Event]
 * /v1/cleanup                                     CleanupView
 * /v1/rejections?limit=20                         [Rejection]
 * /v1/rejections/MESSAGE                          Rejection
 * </pre>
 */
final class ApiFunction implements HttpFunction {
  private static final int LIMIT = 500;

  private final Views views;
  private final Supplier<CleanupView> cleanup;
  private final InstantSource clock;

  ApiFunction(Views views, Supplier<CleanupView> cleanup, InstantSource clock) {
    this.views = views;
    this.cleanup = cleanup;
    this.clock = clock;
  }

  /** What {@code /v1/health} says. */
  record Health(java.time.Instant now) {}

  @Override
  public void service(HttpRequest request, HttpResponse response) throws IOException {
    if (!request.getMethod().equals("GET")) {
      response.appendHeader("Allow", "GET");
      Edge.error(response, 405, "only GET: state is changed by publishing a message");
      return;
    }
    Edge.http(
        request.getPath(),
        response,
        () -> {
          var found = find(request, parts(request.getPath()));
          if (found.isPresent()) Edge.json(response, 200, found.get());
          else Edge.error(response, 404, "there is nothing at " + request.getPath());
        });
  }

  /** The parts of the path from {@code v1} on, whatever it is served under. */
  private static List<String> parts(String path) {
    var all = List.of(path.split("/"));
    var start = all.indexOf("v1");
    return start < 0 ? List.of() : all.subList(start + 1, all.size());
  }

  private Optional<Object> find(HttpRequest request, List<String> parts) {
    return switch (parts.size() + " " + (parts.isEmpty() ? "" : parts.getFirst())) {
      case "1 health" -> Optional.of(new Health(clock.instant()));
      case "1 clusters" -> Optional.of(views.clusters());
      case "2 clusters" -> Optional.of(views.cluster(parts.get(1)));
      case "1 cleanup" -> Optional.of(cleanup.get());
      case "1 rejections" -> Optional.of(views.rejections(limit(request, 20)));
      case "2 rejections" -> views.rejection(parts.get(1)).map(r -> r);
      case "3 clusters" -> list(request, parts.get(1), parts.get(2));
      case "4 clusters" ->
          parts.get(2).equals("jobs")
              ? Optional.of(views.job(parts.get(1), parts.get(3)))
              : Optional.empty();
      case "5 clusters" ->
          parts.get(2).equals("jobs") && parts.get(4).equals("explain")
              ? Optional.of(views.explain(parts.get(1), parts.get(3)))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private Optional<Object> list(HttpRequest request, String cluster, String what) {
    return switch (what) {
      case "workers" ->
          Optional.of(views.workers(cluster, request.getFirstQueryParameter("all").isPresent()));
      case "jobs" -> Optional.of(views.jobs(cluster, limit(request, 50)));
      case "events" ->
          Optional.of(
              views.events(cluster, request.getFirstQueryParameter("about"), limit(request, 50)));
      default -> Optional.empty();
    };
  }

  private static int limit(HttpRequest request, int unlessTold) {
    return request
        .getFirstQueryParameter("limit")
        .filter(l -> l.matches("[0-9]{1,6}"))
        .map(Integer::parseInt)
        .map(l -> Math.max(1, Math.min(LIMIT, l)))
        .orElse(unlessTold);
  }
}
