package dev.mayfly.cli.client;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.RejectedMessage;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.core.query.cost.ClusterCost;
import dev.mayfly.core.query.cost.CostBy;
import dev.mayfly.core.query.estimate.JobEstimate;
import dev.mayfly.core.query.task.TaskAdditionStatus;
import dev.mayfly.core.query.task.TaskPage;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.reconcile.cleanup.CleanupPlan;
import dev.mayfly.wire.Wire;
import dev.mayfly.wire.text.KebabCase;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * The read API. An unknown name is a {@link CommandException} that lists the known names; no answer
 * is an {@link UnavailableException}.
 */
public final class ApiClient {
  /** How the message begins of an error that the control plane itself tells. */
  public static final String REPORTS = "the control plane reports: ";

  private final HttpTransport httpTransport;
  private final String base;
  private final Optional<String> caller;

  /** For callers that own no jobs. */
  public ApiClient(HttpTransport httpTransport, String base) {
    this(httpTransport, base, Optional.empty());
  }

  /**
   * @param base URL that serves {@code /v1/clusters}, without a trailing slash
   * @param caller the owner of the jobs that are meant by their names alone
   */
  public ApiClient(HttpTransport httpTransport, String base, Optional<String> caller) {
    this.httpTransport = httpTransport;
    this.base = base;
    this.caller = caller;
  }

  private record Problem(Optional<String> error) {}

  public List<ClusterStatus> clusters() {
    return list(ClusterStatus.class, "/v1/clusters");
  }

  public ClusterStatus cluster(String name) {
    return one(ClusterStatus.class, cluster(name, ""));
  }

  /** As {@link #cluster(String)}; empty if no cluster has the name. */
  public Optional<ClusterStatus> findCluster(String name) {
    return find(ClusterStatus.class, cluster(name, ""));
  }

  /** With {@code all}, includes gone workers. */
  public List<WorkerStatus> workers(String cluster, boolean all) {
    return list(WorkerStatus.class, cluster(cluster, "/workers" + (all ? "?all=true" : "")));
  }

  /** Newest first. */
  public List<JobStatus> jobs(String cluster, int limit) {
    return list(JobStatus.class, cluster(cluster, "/jobs?limit=" + limit));
  }

  /**
   * @param job its name, {@code OWNER/NAME} or its uid; a name is the caller's own if they have one
   */
  public JobStatus job(String cluster, String job) {
    return one(JobStatus.class, job(cluster, job, ""));
  }

  /** As {@link #job}; empty for an unknown job. */
  public Optional<JobStatus> findJob(String cluster, String job) {
    return find(JobStatus.class, job(cluster, job, ""));
  }

  /**
   * The job that a submission became or found; empty until then.
   *
   * @param address {@code OWNER/NAME}, or {@code NAME} of a job without an owner
   * @param message by which it was published, if its id was not made for it: then empty until that
   *     message is accepted
   */
  public Optional<JobStatus> submitted(
      String cluster, String address, String uid, Optional<String> message) {
    var job = ApiNames.job(address);
    var owner = job.owner().isEmpty() ? "" : "&owner=" + HttpTransport.urlEncode(job.owner());
    var by = message.map(id -> "&message=" + HttpTransport.urlEncode(id)).orElse("");
    var path = "/jobs/%s?submission=%s%s%s".formatted(job.name(), uid, by, owner);
    return find(JobStatus.class, cluster(cluster, path));
  }

  public JobExplanation explain(String cluster, String job) {
    return one(JobExplanation.class, job(cluster, job, "/explain"));
  }

  /**
   * A page of the job's tasks.
   *
   * @param state only tasks in this state, as the API writes it
   */
  public TaskPage tasks(String cluster, String job, Optional<String> state, long from, int limit) {
    var only = state.map(s -> "&state=" + HttpTransport.urlEncode(s)).orElse("");
    var page = "/tasks?from=%d&limit=%d%s".formatted(from, limit, only);
    return one(TaskPage.class, job(cluster, job, page));
  }

  public TaskStatus task(String cluster, String job, long index) {
    return one(TaskStatus.class, job(cluster, job, "/tasks/" + index));
  }

  /** The task; empty if it is not known, or can't be read now. */
  public Optional<TaskStatus> findTask(String cluster, String job, long index) {
    try {
      return Optional.of(task(cluster, job, index));
    } catch (UnavailableException | DeniedException | CommandException unknown) {
      return Optional.empty();
    }
  }

  /** Which tasks were added; empty until that is done. */
  public Optional<TaskAdditionStatus> addition(String cluster, String job, String addition) {
    return find(
        TaskAdditionStatus.class,
        job(cluster, job, "/additions/" + HttpTransport.urlEncode(addition)));
  }

  /** The path of a job, with whose it is. */
  private String job(String cluster, String address, String more) {
    var job = ApiNames.job(address);
    var path = cluster(cluster, "/jobs/" + job.name() + more);
    return whose(job).map(it -> path + (more.contains("?") ? "&" : "?") + it).orElse(path);
  }

  /** The parameter that says whose job is meant; empty for a uid, and for callers without jobs. */
  private Optional<String> whose(ApiNames.JobName job) {
    return job.owner().isEmpty()
        ? caller.filter(_ -> !UserCommand.SubmitJob.isUid(job.name())).map(ApiClient::calledBy)
        : Optional.of("owner=" + HttpTransport.urlEncode(job.owner()));
  }

  private static String calledBy(String user) {
    return "caller=" + HttpTransport.urlEncode(user);
  }

  /**
   * @param about for example {@code job/reddit}; empty for all events
   */
  public List<EventRecord> events(String cluster, Optional<String> about, int limit) {
    var only = about.map(a -> "&about=" + HttpTransport.urlEncode(a) + whose(a)).orElse("");
    return list(EventRecord.class, cluster(cluster, "/events?limit=" + limit + only));
  }

  private String whose(String about) {
    return caller
        .filter(_ -> about.startsWith("job/"))
        .map(user -> "&" + calledBy(user))
        .orElse("");
  }

  /**
   * What the machines of the cluster cost; empty from a control plane of before that cannot tell
   * it.
   *
   * @param since the first day, in UTC; without one the first day of the month, or the day on which
   *     the job was submitted
   * @param job only this one
   */
  public Optional<ClusterCost> cost(
      String cluster, CostBy by, Optional<LocalDate> since, Optional<String> job) {
    var query = new StringBuilder("/cost?by=" + KebabCase.of(by));
    since.ifPresent(day -> query.append("&since=").append(day));
    job.map(ApiNames::job)
        .ifPresent(named -> {
          query.append("&job=").append(named.name());
          whose(named).ifPresent(it -> query.append('&').append(it));
        });
    return find(ClusterCost.class, cluster(cluster, query.toString()));
  }

  /** When the job is done; empty from a control plane of before that cannot tell it. */
  public Optional<JobEstimate> estimate(String cluster, String job) {
    return find(JobEstimate.class, job(cluster, job, "/estimate"));
  }

  /** What cleanup would delete now, with reasons. */
  public CleanupPlan cleanup() {
    return one(CleanupPlan.class, "/v1/cleanup");
  }

  /** The rejection of the message; empty if it was not rejected. */
  public Optional<RejectedMessage> rejection(String message) {
    return find(RejectedMessage.class, "/v1/rejections/" + HttpTransport.urlEncode(message));
  }

  private static String cluster(String name, String more) {
    return "/v1/clusters/" + ApiNames.cluster(name) + more;
  }

  private <T> T one(Class<T> type, String path) {
    return Wire.shared().read(type, answer(httpTransport.get(base + path)));
  }

  private <T> List<T> list(Class<T> type, String path) {
    return Wire.shared().list(type, answer(httpTransport.get(base + path)));
  }

  private <T> Optional<T> find(Class<T> type, String path) {
    var reply = httpTransport.get(base + path);
    return unknown(reply) ? Optional.empty() : Optional.of(Wire.shared().read(type, answer(reply)));
  }

  /** Older control planes answer 400 for an unknown name. */
  private static boolean unknown(HttpTransport.Reply reply) {
    return reply.status() == 400 || reply.status() == 404;
  }

  private byte[] answer(HttpTransport.Reply reply) {
    if (reply.ok()) return reply.body();
    var why = why(reply);
    if (reply.status() == 404) throw CommandException.notFound(why);
    if (reply.status() == 400) throw CommandException.input(why);
    if (reply.status() == 401 || reply.status() == 403)
      throw new DeniedException(base + ": " + why);
    if (reply.status() >= 500)
      throw new UnavailableException(REPORTS + why + " (HTTP " + reply.status() + "); try again");
    throw new CommandException(
        CommandExitCode.BUG, base + " answers HTTP " + reply.status() + ": " + why);
  }

  private static String why(HttpTransport.Reply reply) {
    try {
      return Wire.shared().read(Problem.class, reply.body()).error().orElse("no reason given");
    } catch (InvalidInputException noJson) {
      return reply.text().lines().findFirst().orElse("no reason given");
    }
  }
}
