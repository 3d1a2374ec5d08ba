package dev.mayfly.core.control;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Failure;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Rejection;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.plan.Amounts;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What people ask of the state. Reads only. An unknown name throws {@link Invalid} with those that
 * there are.
 */
public final class Views {
  static final int MANY = 2_000;

  private final Ledger ledger;
  private final InstantSource clock;
  private final Rules rules;
  private final Drift drift;

  public Views(Ledger ledger, InstantSource clock, Codec codec, Rules rules) {
    this.ledger = ledger;
    drift = new Drift(codec);
    this.clock = clock;
    this.rules = rules;
  }

  public List<ClusterView> clusters() {
    return ledger.query(new Query.Clusters(false)).some().stream()
        .map(c -> view(c.value()))
        .toList();
  }

  /**
   * What is wrong with the deployment and with no cluster of {@link #clusters}: documents of
   * clusters that cannot be read, a sentence each.
   */
  public List<String> troubles() {
    return ledger.query(new Query.Clusters(false)).unreadable().stream()
        .map(UnreadableDocument::toString)
        .toList();
  }

  public ClusterView cluster(String name) {
    return view(find(name));
  }

  /** With {@code all}, those that are gone too, newest first. */
  public List<WorkerView> workers(String cluster, boolean all) {
    var found = find(cluster);
    var views = new WorkerViews(ledger, clock.instant(), rules, found);
    var listing = ledger.query(new Query.Workers(found.uid(), all, MANY));
    var list = new ArrayList<WorkerView>();
    for (var worker : listing.readable(unknown -> list.add(views.unreadable(unknown))))
      list.add(views.view(worker.value()));
    return list;
  }

  /** Newest first; live ones that cannot be read are among the cluster's troubles. */
  public List<JobView> jobs(String cluster, int limit) {
    var found = find(cluster);
    var waiting = new WaitingJobs(ledger, clock.instant(), found);
    return ledger.query(new Query.Jobs(found.uid(), limit)).some().stream()
        .map(j -> waiting.told(view(j.value(), found, false), j.value()))
        .toList();
  }

  /** The job of that name or uid, the newest if there were several. */
  public JobView job(String cluster, String name) {
    var found = find(cluster);
    return view(job(found, name), found, true);
  }

  public Explanation explain(String cluster, String name) {
    var found = find(cluster);
    return new Explainer(ledger, clock).explain(found, job(found, name));
  }

  public List<Event> events(String cluster, Optional<String> about, int limit) {
    var uid = find(cluster).uid();
    var events = new ArrayList<Event>();
    for (var event :
        ledger
            .query(new Query.Events(uid, about, limit))
            .readable(unknown -> events.add(unreadable(uid, unknown)))) events.add(event.value());
    return events;
  }

  private Event unreadable(String cluster, UnreadableDocument unknown) {
    var now = clock.instant();
    return new Event(cluster, unknown.id(), now, unknown.path(), "unreadable", unknown.toString());
  }

  /** Empty for a message that is still tried: it may yet be taken. */
  public Optional<Rejection> rejection(String message) {
    return ledger
        .read(new Key.OfRejection(message))
        .map(Stored::value)
        .filter(r -> !r.stillTried());
  }

  public List<Rejection> rejections(int limit) {
    var rejections = new ArrayList<Rejection>();
    for (var rejection :
        ledger
            .query(new Query.Rejections(limit))
            .readable(unknown -> rejections.add(unreadable(unknown))))
      rejections.add(rejection.value());
    return rejections;
  }

  private Rejection unreadable(UnreadableDocument unknown) {
    var why = List.of(unknown.toString());
    return new Rejection(unknown.id(), clock.instant(), unknown.path(), why, "");
  }

  private Cluster find(String name) {
    return ledger
        .read(new Key.OfClusterName(name))
        .flatMap(n -> ledger.read(new Key.OfCluster(n.value().uid())))
        .map(Stored::value)
        .orElseThrow(() -> new Invalid("cluster", "there is no cluster " + name + "; " + known()));
  }

  private String known() {
    var names =
        ledger.query(new Query.Clusters(false)).some().stream()
            .map(c -> c.value().spec().name())
            .sorted()
            .toList();
    return names.isEmpty() ? "none is up" : "those that are up: " + String.join(", ", names);
  }

  private Job job(Cluster cluster, String name) {
    var named =
        ledger
            .read(new Key.OfJobName(cluster.uid(), name))
            .flatMap(n -> n.value().job())
            .flatMap(uid -> ledger.read(new Key.OfJob(cluster.uid(), uid)));
    return named
        .or(() ->
            name.matches("[a-z0-9]{1,40}")
                ? ledger.read(new Key.OfJob(cluster.uid(), name))
                : Optional.empty())
        .map(Stored::value)
        .orElseThrow(() ->
            new Invalid(
                "job",
                "cluster " + cluster.spec().name() + " has no job " + name + newest(cluster)));
  }

  private String newest(Cluster cluster) {
    var names =
        ledger.query(new Query.Jobs(cluster.uid(), 10)).some().stream()
            .map(j -> j.value().spec().name())
            .distinct()
            .toList();
    return names.isEmpty()
        ? "; it has had none yet"
        : "; its newest are " + String.join(", ", names);
  }

  private ClusterView view(Cluster cluster) {
    return new ClusterViews(ledger, clock.instant(), drift).view(cluster);
  }

  private JobView view(Job job, Cluster cluster, boolean details) {
    var shards = details && !job.state().ended() ? shards(job) : List.<Shard>of();
    var attempts = new EnumMap<Cause, Long>(Cause.class);
    attempts.putAll(job.attempts());
    for (var s : shards) s.attempts().forEach((c, n) -> attempts.merge(c, n, Long::sum));
    var totals = job.totals().orElseGet(() -> ledger.totals(job.key()));
    return new JobView(
        job.spec().name(),
        job.uid(),
        cluster.spec().name(),
        job.spec().owner(),
        word(job.state()),
        reason(job.state()),
        job.tasks(),
        totals,
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
    return ledger.query(new Query.Shards(job.cluster(), job.uid(), 0, 400)).some().stream()
        .map(Stored::value)
        .toList();
  }

  private List<Failure> failures(Job job, List<Shard> shards) {
    var of = job.state().ended() ? shards(job) : shards;
    return of.stream()
        .flatMap(s -> s.evidence().stream())
        .sorted(Comparator.comparing(Failure::at).reversed())
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
          Optional.of(Amounts.count(e.counted(), "task") + " listed so far");
      case JobState.Running r -> Optional.empty();
      case JobState.Finishing f -> Optional.of("outputs are compared with their sentinels");
    };
  }
}
