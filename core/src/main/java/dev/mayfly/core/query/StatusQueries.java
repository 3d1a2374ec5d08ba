package dev.mayfly.core.query;

import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.RejectedMessage;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.query.cost.ClusterCost;
import dev.mayfly.core.query.cost.CostBy;
import dev.mayfly.core.query.cost.CostReader;
import dev.mayfly.core.query.cost.CostRequest;
import dev.mayfly.core.query.estimate.EstimateReader;
import dev.mayfly.core.query.estimate.JobEstimate;
import dev.mayfly.core.query.snapshot.EventReader;
import dev.mayfly.core.query.task.TaskAdditionStatus;
import dev.mayfly.core.query.task.TaskPage;
import dev.mayfly.core.query.task.TaskQueries;
import dev.mayfly.core.query.task.TaskRequest;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.ManualEdits;
import dev.mayfly.core.state.job.JobLookup;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Queries of users; reads only. An unknown name throws {@link UnknownNameException} with the known
 * names.
 */
public final class StatusQueries {
  static final int MAX_WORKERS = 2_000;
  private final Ledger ledger;
  private final Fleet fleet;
  private final InstantSource clock;
  private final Timings timings;
  private final ManualEdits manualEdits;
  private final NameLookup names;
  private final EventReader events;
  private final JobStatusBuilder jobStatuses;
  private final TaskQueries taskQueries;
  private final EstimateReader estimates;
  private final JobWatch jobWatch;

  /** No function of a project has folders. */
  private final boolean isLaptop;

  public StatusQueries(Context context) {
    ledger = context.ledger();
    fleet = context.fleet();
    manualEdits = new ManualEdits(context.codec());
    clock = context.clock();
    timings = context.timings();
    taskQueries = new TaskQueries(context);
    estimates = new EstimateReader(context, taskQueries);
    jobWatch = new JobWatch(context);
    names = new NameLookup(ledger);
    events =
        new EventReader(
            ledger, clock, (cluster, text) -> names.job(cluster, text).spec().address());
    jobStatuses = new JobStatusBuilder(ledger, clock);
    isLaptop = context.objects().reaches(ObjectUrl.of("file:///"));
  }

  public List<ClusterStatus> clusters() {
    return ledger.query(new LedgerQuery.Clusters(false)).readableOnly().stream()
        .map(VersionedDocument::value)
        .map(c -> view(c, Optional.empty(), new WaitingReader(ledger, clock.instant(), timings, c)))
        .toList();
  }

  /**
   * Problems of the deployment that belong to no cluster of {@link #clusters}: unreadable cluster
   * documents, a sentence each.
   */
  public List<String> problems() {
    return ledger.query(new LedgerQuery.Clusters(false)).unreadable().stream()
        .map(UnreadableDocument::toString)
        .toList();
  }

  public ClusterStatus cluster(String name) {
    var found = names.cluster(name);
    var waiting = new WaitingReader(ledger, clock.instant(), timings, found);
    return view(found, Optional.of(waiting.wanted()), waiting);
  }

  /** Newest first; with {@code all}, including workers that are gone. */
  public List<WorkerStatus> workers(String cluster, boolean all) {
    var found = names.cluster(cluster);
    var queryResult = ledger.query(new LedgerQuery.Workers(found.uid(), all, MAX_WORKERS));
    var views = views(found, queryResult.readableOnly());
    var list = new ArrayList<WorkerStatus>();
    for (var worker : queryResult.readable(unknown -> list.add(views.unreadable(unknown))))
      list.add(views.view(worker.value()));
    return list;
  }

  private WorkerStatusBuilder views(Cluster cluster, List<VersionedDocument<Worker>> workers) {
    var live = workers.stream().map(VersionedDocument::value).toList();
    var kept = new IdleMachineReader(ledger, clock.instant()).kept(cluster, live);
    return new WorkerStatusBuilder(ledger, clock.instant(), timings, cluster, live, kept);
  }

  /** One worker, also if it is gone, until its document is deleted. */
  public WorkerStatus worker(String cluster, String name) {
    var found = names.cluster(cluster);
    var queryResult = ledger.readAll(List.of(new DocumentKey.OfWorker(found.uid(), name)));
    var idle =
        queryResult.readableOnly().stream()
            .map(w -> w.value().state())
            .anyMatch(it -> it.isIdle() || it instanceof WorkerState.Booting);
    // Why it is kept, and whether it takes long, depends on the others.
    var beside = new LedgerQuery.Workers(found.uid(), false, MAX_WORKERS);
    var views = views(found, idle ? ledger.query(beside).readableOnly() : List.of());
    var unreadable = new ArrayList<WorkerStatus>();
    return queryResult.readable(unknown -> unreadable.add(views.unreadable(unknown))).stream()
        .map(worker -> views.view(worker.value()))
        .findFirst()
        .or(() -> unreadable.stream().findFirst())
        .orElseThrow(() ->
            new UnknownNameException(
                "worker", "cluster %s has no worker %s".formatted(cluster, name)));
  }

  /** Newest first; unreadable live jobs are among the cluster's problems. */
  public List<JobStatus> jobs(String cluster, int limit) {
    var found = names.cluster(cluster);
    var now = clock.instant();
    var waits = new WaitingReader(ledger, now, timings, found);
    var waiting = new JobListReasons(waits, ledger, timings, now);
    var jobs = ledger.query(new LedgerQuery.Jobs(found.uid(), limit));
    var states = PredecessorStatus.states(jobs);
    return jobs.readableOnly().stream()
        .map(j -> waiting.complete(jobStatuses.listed(j.value(), found, states), j.value()))
        .toList();
  }

  /**
   * The address of a job for somebody who names it without an owner: their own job of that name, if
   * they have or had one.
   */
  public String ownFirst(String cluster, String caller, String name) {
    return new JobLookup(ledger).ownFirst(names.cluster(cluster).uid(), caller, name);
  }

  /**
   * The job of that address: {@code NAME}, {@code OWNER/NAME} or its uid; the newest if several had
   * the name. Without an owner, a name is that of a job without one, or of the only job so called.
   */
  public JobStatus job(String cluster, String name) {
    var found = names.cluster(cluster);
    return jobStatuses.view(names.job(found, name), found);
  }

  /**
   * The job of that name, if the submission with that uid became it.
   *
   * @param message of the submission, if its id may be one that is known: then nothing is found
   *     until the message is accepted
   */
  public JobStatus submitted(String cluster, String name, String uid, Optional<String> message) {
    var found = names.cluster(cluster);
    return jobStatuses.view(names.submitted(found, name, uid, message), found);
  }

  /**
   * Runs {@code over} once: as soon as the version of the job differs from {@code after}, or after
   * {@code wait}. It costs two reads a second for each job, however many wait for it.
   *
   * @param job a job's view, as it was read last
   */
  public void awaitChange(JobStatus job, String after, Duration wait, Runnable over) {
    var key = new DocumentKey.OfJob(names.cluster(job.cluster()).uid(), job.uid());
    jobWatch.await(key, after, clock.instant().plus(wait), over);
  }

  public JobExplanation explain(String cluster, String name) {
    var found = names.cluster(cluster);
    return new JobExplainer(ledger, clock, timings).explain(found, names.job(found, name));
  }

  /**
   * What the cluster's machines cost.
   *
   * @param since the first day, in UTC; without one the first day of the month, or the day on which
   *     the job was submitted
   * @param job only this one, by name
   */
  public ClusterCost cost(
      String cluster, CostBy by, Optional<LocalDate> since, Optional<String> job) {
    var found = names.cluster(cluster);
    var only = job.map(name -> names.job(found, name));
    var first =
        since.orElseGet(() ->
            only.map(it -> day(it.submittedAt()))
                .orElseGet(() -> day(clock.instant()).withDayOfMonth(1)));
    return new CostReader(ledger, clock)
        .read(found, new CostRequest(by, first, only))
        .inWords(isLaptop);
  }

  /** When the job is done and what its tasks cost until then, if they go on as they did. */
  public JobEstimate estimate(String cluster, String name) {
    var found = names.cluster(cluster);
    return estimates.read(found, names.job(found, name));
  }

  private static LocalDate day(Instant time) {
    return LocalDate.ofInstant(time, ZoneOffset.UTC);
  }

  /** Some of the job's tasks, by index. */
  public TaskPage tasks(String cluster, String name, TaskRequest taskRequest) {
    var found = names.cluster(cluster);
    return taskQueries.page(found, names.job(found, name), taskRequest);
  }

  public TaskStatus task(String cluster, String name, long index) {
    var found = names.cluster(cluster);
    return taskQueries.task(found, names.job(found, name), index);
  }

  /** Which tasks a message has added to an open job. */
  public TaskAdditionStatus addition(String cluster, String name, String addition) {
    var job = names.job(names.cluster(cluster), name);
    return ledger
        .read(new DocumentKey.OfTaskAddition(job.cluster(), job.uid(), addition))
        .map(stored -> TaskAdditionStatus.of(stored.value()))
        .orElseThrow(() ->
            new UnknownNameException(
                "addition",
                "job %s has no addition %s: it is not processed yet, or was refused"
                    .formatted(name, addition)));
  }

  /** The newest. */
  public List<EventRecord> events(String cluster, Optional<String> about, int limit) {
    return events(cluster, about, Optional.empty(), limit);
  }

  /**
   * Newest first.
   *
   * @param until only those of then and before
   */
  public List<EventRecord> events(
      String cluster, Optional<String> about, Optional<Instant> until, int limit) {
    return events.of(names.cluster(cluster), about, until, limit);
  }

  /** Empty for a message that is still retried: it may yet be accepted. */
  public Optional<RejectedMessage> rejection(String message) {
    return ledger
        .read(new DocumentKey.OfRejectedMessage(message))
        .map(VersionedDocument::value)
        .filter(r -> !r.isRetried());
  }

  public List<RejectedMessage> rejections(int limit) {
    var rejectedMessages = new ArrayList<RejectedMessage>();
    for (var rejectedMessage :
        ledger
            .query(new LedgerQuery.RejectedMessages(limit))
            .readable(unknown -> rejectedMessages.add(unreadable(unknown))))
      rejectedMessages.add(rejectedMessage.value());
    return rejectedMessages;
  }

  private RejectedMessage unreadable(UnreadableDocument unknown) {
    var why = List.of(unknown.toString());
    return new RejectedMessage(unknown.id(), clock.instant(), unknown.path(), why, "");
  }

  private ClusterStatus view(
      Cluster cluster, Optional<Map<String, Integer>> wanted, WaitingReader waiting) {
    return new ClusterStatusBuilder(ledger, fleet, clock.instant(), manualEdits)
        .view(cluster, wanted, waiting);
  }
}
