package dev.mayfly.core.query;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.RejectedMessage;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.ClusterLookup;
import dev.mayfly.core.state.ManualEdits;
import dev.mayfly.core.text.HumanAmounts;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Queries of users; reads only. An unknown name throws {@link InvalidInputException} with the known
 * names.
 */
public final class StatusQueries {
  static final int MANY = 2_000;

  private final Ledger ledger;
  private final InstantSource clock;
  private final Timings timings;
  private final ManualEdits manualEdits;

  public StatusQueries(Ledger ledger, InstantSource clock, Codec codec, Timings timings) {
    this.ledger = ledger;
    manualEdits = new ManualEdits(codec);
    this.clock = clock;
    this.timings = timings;
  }

  public List<ClusterStatus> clusters() {
    return ledger.query(new LedgerQuery.Clusters(false)).readableOnly().stream()
        .map(c -> view(c.value()))
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
    return view(find(name));
  }

  /** Newest first; with {@code all}, including workers that are gone. */
  public List<WorkerStatus> workers(String cluster, boolean all) {
    var found = find(cluster);
    var views = new WorkerStatusBuilder(ledger, clock.instant(), timings, found);
    var queryResult = ledger.query(new LedgerQuery.Workers(found.uid(), all, MANY));
    var list = new ArrayList<WorkerStatus>();
    for (var worker : queryResult.readable(unknown -> list.add(views.unreadable(unknown))))
      list.add(views.view(worker.value()));
    return list;
  }

  /** Newest first; unreadable live jobs are among the cluster's problems. */
  public List<JobStatus> jobs(String cluster, int limit) {
    var found = find(cluster);
    var waiting = new JobListReasons(ledger, clock.instant(), found);
    return ledger.query(new LedgerQuery.Jobs(found.uid(), limit)).readableOnly().stream()
        .map(j -> waiting.withReason(view(j.value(), found, false), j.value()))
        .toList();
  }

  /** The job with that name or uid; the newest if several had the name. */
  public JobStatus job(String cluster, String name) {
    var found = find(cluster);
    return view(job(found, name), found, true);
  }

  public JobExplanation explain(String cluster, String name) {
    var found = find(cluster);
    return new JobExplainer(ledger, clock).explain(found, job(found, name));
  }

  public List<EventRecord> events(String cluster, Optional<String> about, int limit) {
    var uid = find(cluster).uid();
    var eventRecords = new ArrayList<EventRecord>();
    for (var eventRecord :
        ledger
            .query(new LedgerQuery.Events(uid, about, limit))
            .readable(unknown -> eventRecords.add(unreadable(uid, unknown))))
      eventRecords.add(eventRecord.value());
    return eventRecords;
  }

  private EventRecord unreadable(String cluster, UnreadableDocument unknown) {
    var now = clock.instant();
    return new EventRecord(
        cluster, unknown.id(), now, unknown.path(), "unreadable", unknown.toString());
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

  private Cluster find(String name) {
    return ClusterLookup.find(ledger, name)
        .orElseThrow(() ->
            new InvalidInputException(
                "cluster", "there is no cluster " + name + "; " + knownClusters()));
  }

  private String knownClusters() {
    var names =
        ledger.query(new LedgerQuery.Clusters(false)).readableOnly().stream()
            .map(c -> c.value().spec().name())
            .sorted()
            .toList();
    return names.isEmpty() ? "no cluster is up" : "known clusters: " + String.join(", ", names);
  }

  private Job job(Cluster cluster, String name) {
    var named =
        ledger
            .read(new DocumentKey.OfJobName(cluster.uid(), name))
            .flatMap(n -> n.value().job())
            .flatMap(uid -> ledger.read(new DocumentKey.OfJob(cluster.uid(), uid)));
    return named
        .or(() ->
            name.matches("[a-z0-9]{1,40}")
                ? ledger.read(new DocumentKey.OfJob(cluster.uid(), name))
                : Optional.empty())
        .map(VersionedDocument::value)
        .orElseThrow(() ->
            new InvalidInputException(
                "job",
                "cluster " + cluster.spec().name() + " has no job " + name + newest(cluster)));
  }

  private String newest(Cluster cluster) {
    var names =
        ledger.query(new LedgerQuery.Jobs(cluster.uid(), 10)).readableOnly().stream()
            .map(j -> j.value().spec().name())
            .distinct()
            .toList();
    return names.isEmpty() ? "; it has no jobs yet" : "; newest jobs: " + String.join(", ", names);
  }

  private ClusterStatus view(Cluster cluster) {
    return new ClusterStatusBuilder(ledger, clock.instant(), manualEdits).view(cluster);
  }

  private JobStatus view(Job job, Cluster cluster, boolean details) {
    var shards = details && !job.state().ended() ? shards(job) : List.<Shard>of();
    var attempts = new EnumMap<FailureCause, Long>(FailureCause.class);
    attempts.putAll(job.attempts());
    for (var s : shards) s.attempts().forEach((c, n) -> attempts.merge(c, n, Long::sum));
    var taskTotals = job.totals().orElseGet(() -> ledger.totals(job.key()));
    return new JobStatus(
        job.spec().name(),
        job.uid(),
        cluster.spec().name(),
        job.spec().owner(),
        word(job.state()),
        reason(job.state()),
        job.tasks(),
        taskTotals,
        attempts,
        details ? failures(job, shards) : List.of(),
        job.submittedAt(),
        job.acceptedAt(),
        job.state() instanceof JobState.Ended e ? Optional.of(e.since()) : Optional.empty(),
        job.outcome(),
        cluster.spec().bucket(),
        job.spec(),
        job.image());
  }

  private List<Shard> shards(Job job) {
    return ledger
        .query(new LedgerQuery.Shards(job.cluster(), job.uid(), 0, 400))
        .readableOnly()
        .stream()
        .map(VersionedDocument::value)
        .toList();
  }

  private List<AttemptFailure> failures(Job job, List<Shard> shards) {
    var of = job.state().ended() ? shards(job) : shards;
    return of.stream()
        .flatMap(s -> s.evidence().stream())
        .sorted(Comparator.comparing(AttemptFailure::at).reversed())
        .limit(50)
        .toList();
  }

  static String word(JobState state) {
    return switch (state) {
      case JobState.Ended e -> e.result().name().toLowerCase(Locale.ROOT);
      default -> state.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    };
  }

  private static Optional<String> reason(JobState state) {
    return switch (state) {
      case JobState.Ended e -> Optional.of(e.reason());
      case JobState.Stopping s -> Optional.of(s.by());
      case JobState.Expanding e ->
          Optional.of(HumanAmounts.count(e.counted(), "task") + " listed so far");
      case JobState.Running r -> Optional.empty();
      case JobState.Finishing f -> Optional.of("outputs are compared with their sentinels");
    };
  }
}
