package dev.mayfly.functions.handler;

import com.google.cloud.functions.HttpFunction;
import com.google.cloud.functions.HttpRequest;
import com.google.cloud.functions.HttpResponse;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.model.document.RejectedMessage;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.StatusQueries;
import dev.mayfly.core.query.cost.ClusterCost;
import dev.mayfly.core.query.cost.CostBy;
import dev.mayfly.core.query.task.TaskRequest;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.reconcile.cleanup.CleanupPlan;
import dev.mayfly.wire.text.KebabCase;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What people and programs read, as JSON: see {@link ApiRoute} and {@code docs/api.md}. Nothing
 * here changes anything: every method but GET is refused.
 */
public final class ApiHandler implements HttpFunction {
  private static final int LIMIT = 500;
  private static final int LONGEST_WAIT = 25;
  private static final String JOB = "job/";
  private static final int MARGIN_SECONDS = 5;
  private static final List<String> GROUPINGS =
      Arrays.stream(CostBy.values()).map(KebabCase::of).toList();
  private static final List<String> TASK_STATES =
      Arrays.stream(TaskStatus.State.values()).map(KebabCase::of).toList();

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
  record Health(Instant now) {}

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
          var match = ApiRoute.find(request.getPath());
          if (match.isPresent())
            ErrorBoundary.writeJson(
                response, 200, answer(match.get(), new QueryParameters(request)));
          else ErrorBoundary.writeError(response, 404, "there is nothing at " + request.getPath());
        });
  }

  private Object answer(ApiRoute.Match match, QueryParameters parameters) {
    return switch (match.route()) {
      case HEALTH -> new Health(clock.instant());
      case CLUSTERS -> statusQueries.clusters();
      case CLUSTER -> statusQueries.cluster(match.name(0));
      case WORKERS -> statusQueries.workers(match.name(0), parameters.isTrue("all"));
      case WORKER -> statusQueries.worker(match.name(0), match.name(1));
      case JOBS -> statusQueries.jobs(match.name(0), limit(parameters, 50));
      case JOB -> job(match.name(0), address(match, parameters), parameters);
      case EXPLAIN -> statusQueries.explain(match.name(0), address(match, parameters));
      case ESTIMATE -> statusQueries.estimate(match.name(0), address(match, parameters));
      case TASKS ->
          statusQueries.tasks(match.name(0), address(match, parameters), taskRequest(parameters));
      case TASK ->
          statusQueries.task(match.name(0), address(match, parameters), index(match.name(2)));
      case ADDITION ->
          statusQueries.addition(match.name(0), address(match, parameters), match.name(2));
      case EVENTS ->
          statusQueries.events(
              match.name(0),
              about(match, parameters),
              parameters.time("until"),
              limit(parameters, 50));
      case COST -> cost(match.name(0), parameters);
      case CLEANUP -> cleanup.get();
      case REJECTIONS -> statusQueries.rejections(limit(parameters, 20));
      case REJECTION -> rejection(match.name(0));
    };
  }

  /** {@code owner} is exact; with {@code caller}, their own job of the name comes first. */
  private String address(ApiRoute.Match match, QueryParameters parameters) {
    return address(match.name(0), match.name(1), parameters);
  }

  private String address(String cluster, String job, QueryParameters parameters) {
    return parameters
        .owner("owner")
        .map(owner -> owner + "/" + job)
        .or(() ->
            parameters.owner("caller").map(caller -> statusQueries.ownFirst(cluster, caller, job)))
        .orElse(job);
  }

  private ClusterCost cost(String cluster, QueryParameters parameters) {
    var by =
        parameters
            .word("by", GROUPINGS)
            .map(word -> KebabCase.constant(CostBy.class, word))
            .orElse(CostBy.DAY);
    var job = parameters.text("job").map(name -> address(cluster, name, parameters));
    return statusQueries.cost(cluster, by, parameters.day("since"), job);
  }

  private Optional<String> about(ApiRoute.Match match, QueryParameters parameters) {
    var about = parameters.text("about");
    var caller = parameters.owner("caller");
    if (caller.isEmpty()) return about;
    return about.map(text ->
        text.matches("job/[^/]+")
            ? JOB
                + statusQueries.ownFirst(match.name(0), caller.get(), text.substring(JOB.length()))
            : text);
  }

  /** Answers at once unless the caller knows this version and waits for another. */
  private JobStatus job(String cluster, String name, QueryParameters parameters) {
    var submission = parameters.text("submission");
    if (submission.isPresent())
      return statusQueries.submitted(cluster, name, submission.get(), parameters.text("message"));
    var job = statusQueries.job(cluster, name);
    var after = parameters.text("after");
    var wait = parameters.number("wait", 0, LONGEST_WAIT, 0);
    if (wait == 0 || after.isEmpty() || !after.equals(job.version())) return job;
    var over = new CountDownLatch(1);
    statusQueries.awaitChange(job, after.get(), Duration.ofSeconds(wait), over::countDown);
    try {
      // The latch is late only if this process was suspended; the view is right all the same.
      var _ = over.await(wait + MARGIN_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("this instance is ending; call again", e);
    }
    return statusQueries.job(cluster, job.uid());
  }

  private RejectedMessage rejection(String message) {
    return statusQueries
        .rejection(message)
        .orElseThrow(() ->
            new UnknownNameException(
                "message",
                message + " was not rejected: it was accepted, or is not processed yet"));
  }

  private static TaskRequest taskRequest(QueryParameters parameters) {
    var state =
        parameters
            .word("state", TASK_STATES)
            .map(word -> KebabCase.constant(TaskStatus.State.class, word));
    var from = parameters.number("from", 0, Long.MAX_VALUE, 0);
    return new TaskRequest(state, from, limit(parameters, 100));
  }

  /** What is no number is an index that no job has. */
  private static long index(String text) {
    return text.matches("[0-9]{1,15}") ? Long.parseLong(text) : Long.MAX_VALUE;
  }

  private static int limit(QueryParameters parameters, int unlessGiven) {
    return (int) parameters.number("limit", 1, LIMIT, unlessGiven);
  }
}
