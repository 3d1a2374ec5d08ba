package dev.mayfly.cli.reach;

import dev.mayfly.cli.exit.Exit;
import dev.mayfly.cli.exit.Refusal;
import dev.mayfly.core.control.CleanupView;
import dev.mayfly.core.control.ClusterView;
import dev.mayfly.core.control.Explanation;
import dev.mayfly.core.control.JobView;
import dev.mayfly.core.control.WorkerView;
import dev.mayfly.core.error.Denied;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Rejection;
import dev.mayfly.wire.Wire;
import java.util.List;
import java.util.Optional;

/**
 * The read API. A name that is not known is a {@link Refusal} that says which ones are; what does
 * not answer is {@link Unavailable}.
 */
public final class Api {
  private final Http http;
  private final String base;

  /**
   * @param base where {@code /v1/clusters} is served, without a slash at its end
   */
  public Api(Http http, String base) {
    this.http = http;
    this.base = base;
  }

  private record Problem(Optional<String> error) {}

  public List<ClusterView> clusters() {
    return list(ClusterView.class, "/v1/clusters");
  }

  public ClusterView cluster(String name) {
    return one(ClusterView.class, cluster(name, ""));
  }

  /** As {@link #cluster(String)}; empty if none has the name. */
  public Optional<ClusterView> findCluster(String name) {
    return find(ClusterView.class, cluster(name, ""));
  }

  /** With {@code all}, those that are gone too. */
  public List<WorkerView> workers(String cluster, boolean all) {
    return list(WorkerView.class, cluster(cluster, "/workers" + (all ? "?all=true" : "")));
  }

  /** Newest first. */
  public List<JobView> jobs(String cluster, int limit) {
    return list(JobView.class, cluster(cluster, "/jobs?limit=" + limit));
  }

  /**
   * @param job its name or uid
   */
  public JobView job(String cluster, String job) {
    return one(JobView.class, cluster(cluster, "/jobs/" + Http.part(job)));
  }

  /** As {@link #job}; empty if there is none. */
  public Optional<JobView> findJob(String cluster, String job) {
    return find(JobView.class, cluster(cluster, "/jobs/" + Http.part(job)));
  }

  public Explanation explain(String cluster, String job) {
    return one(Explanation.class, cluster(cluster, "/jobs/" + Http.part(job) + "/explain"));
  }

  /**
   * @param about for example {@code job/reddit}; everything when empty
   */
  public List<Event> events(String cluster, Optional<String> about, int limit) {
    var only = about.map(a -> "&about=" + Http.part(a)).orElse("");
    return list(Event.class, cluster(cluster, "/events?limit=" + limit + only));
  }

  /** What cleanup would delete now, and why. */
  public CleanupView cleanup() {
    return one(CleanupView.class, "/v1/cleanup");
  }

  /** Why the message was refused; empty while it was not. */
  public Optional<Rejection> rejection(String message) {
    return find(Rejection.class, "/v1/rejections/" + Http.part(message));
  }

  private static String cluster(String name, String more) {
    return "/v1/clusters/" + Http.part(name) + more;
  }

  private <T> T one(Class<T> type, String path) {
    return Wire.shared().read(type, answer(http.get(base + path)));
  }

  private <T> List<T> list(Class<T> type, String path) {
    return Wire.shared().list(type, answer(http.get(base + path)));
  }

  private <T> Optional<T> find(Class<T> type, String path) {
    var reply = http.get(base + path);
    return unknown(reply) ? Optional.empty() : Optional.of(Wire.shared().read(type, answer(reply)));
  }

  /** All that can be wrong with what is asked here is a name. */
  private static boolean unknown(Http.Reply reply) {
    return reply.status() == 400 || reply.status() == 404;
  }

  private byte[] answer(Http.Reply reply) {
    if (reply.ok()) return reply.body();
    var why = why(reply);
    if (unknown(reply)) throw Refusal.notFound(why);
    if (reply.status() == 401 || reply.status() == 403) throw new Denied(base + ": " + why);
    if (reply.status() >= 500)
      throw new Unavailable(
          "the control plane says: " + why + " (HTTP " + reply.status() + "); try again");
    throw new Refusal(Exit.BUG, base + " answers HTTP " + reply.status() + ": " + why);
  }

  private static String why(Http.Reply reply) {
    try {
      return Wire.shared().read(Problem.class, reply.body()).error().orElse("no reason given");
    } catch (Invalid noJson) {
      return reply.text().lines().findFirst().orElse("no reason given");
    }
  }
}
