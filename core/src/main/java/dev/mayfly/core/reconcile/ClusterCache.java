package dev.mayfly.core.reconcile;

import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.RebuildableDocument;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What this process knows of a cluster. A tick reads everything; a reconcile between ticks reads
 * only what its trigger names and what this process changed.
 *
 * <p>Older knowledge is a guess, so nothing is changed on its basis alone: a launch is conditional
 * on the cluster's document, which is read each time and which every launch changes, and a worker
 * is read before a decision about it is carried out. A wrong guess only delays a decision until the
 * next tick.
 */
final class ClusterCache {
  /** Maximum age of cached state; in most processes a tick comes first. */
  private static final Duration MAX_AGE = Duration.ofMinutes(2);

  /** Most lease holders that are read between ticks; the tick reads the others. */
  private static final int HOLDERS = 256;

  /** If there are more, all are forgotten: a tick informs other processes. */
  private static final int ENDED = 1_000;

  private final Ledger ledger;
  private final InstantSource clock;
  private final Map<String, VersionedDocument<Worker>> workers = new TreeMap<>();
  private final Map<String, UnreadableDocument> unreadable = new TreeMap<>();
  private final Map<String, VersionedDocument<Job>> jobs = new LinkedHashMap<>();
  private final JobTotalsCache totals;

  /** Workers that this process changed since it read them. */
  private final Set<String> changed = new HashSet<>();

  /** Workers whose end this process saw since its last launch: other processes may not know it. */
  private final Set<String> ended = new LinkedHashSet<>();

  /** Workers read in this reconcile. */
  private final Set<String> fresh = new HashSet<>();

  private RebuildableDocument<JobQueue> jobQueue =
      new RebuildableDocument<>(Optional.empty(), false);
  private int unreadableJobs;
  private Optional<Cluster> known = Optional.empty();
  private Instant readAt = Instant.MIN;
  private boolean whole;

  ClusterCache(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
    totals = new JobTotalsCache(ledger, clock);
  }

  /** Reads what the request asks for and what else a reconcile needs. */
  void read(VersionedDocument<Cluster> cluster, ReconcileRequest request, FailureLog failureLog) {
    fresh.clear();
    var uid = cluster.value().uid();
    var now = clock.instant();
    // Read before the jobs: a job admitted in between changes the queue, which then is not
    // overwritten.
    jobQueue = RebuildableDocument.read(ledger, new DocumentKey.OfJobQueue(uid));
    var launched = known.flatMap(k -> cluster.value().launchedSince(k));
    whole =
        request.whole()
            || cluster.value().phase() != Cluster.Phase.UP
            || launched.isEmpty()
            || readAt.equals(Instant.MIN)
            || !readAt.plus(MAX_AGE).isAfter(now);
    changed.addAll(launched.orElse(List.of()));
    // Valid again only when everything is read.
    var before = readAt;
    readAt = Instant.MIN;
    if (whole) readWhole(uid, failureLog);
    else readNamed(uid, request, failureLog);
    readAt = whole ? now : before;
    known = Optional.of(cluster.value());
  }

  private void readWhole(String uid, FailureLog failureLog) {
    var before = new ArrayList<>(workers.values());
    jobs.clear();
    totals.clear();
    workers.clear();
    unreadable.clear();
    changed.clear();
    var live = ledger.query(new LedgerQuery.LiveJobs(uid));
    unreadableJobs = live.unreadable().size();
    for (var job : live.readable(failureLog::unreadable)) jobs.put(job.value().uid(), job);
    var found = ledger.query(new LedgerQuery.Workers(uid, false, ClusterReconciler.WORKERS));
    for (var worker : found.readable(unknown -> unreadable(unknown, failureLog))) put(worker);
    before.forEach(this::noteEnd);
  }

  /** Records that the worker was capacity and no longer is. */
  private void noteEnd(VersionedDocument<Worker> before) {
    var name = before.value().name();
    var now = workers.get(name);
    if (!before.value().state().live()) return;
    if (now != null && now.value().state().live()) return;
    if (unreadable.containsKey(name)) return;
    if (ended.size() == ENDED) ended.clear();
    ended.add(name);
  }

  private void readNamed(String uid, ReconcileRequest request, FailureLog failureLog) {
    var queued = new HashSet<String>();
    jobQueue.value().ifPresent(t -> t.rows().forEach(row -> queued.add(row.job())));
    var waiting = new HashSet<String>();
    jobQueue.value().ifPresent(t -> waiting.addAll(t.waiting()));
    var names = new TreeSet<>(request.jobs());
    for (var job : queued) if (!jobs.containsKey(job)) names.add(job);
    for (var job : waiting) if (!jobs.containsKey(job)) names.add(job);
    for (var job : jobs()) if (!isCurrent(job, queued, waiting)) names.add(job.uid());
    readJobs(uid, names, failureLog);
    request.jobs().forEach(totals::forget);
    var toRead = new TreeSet<>(request.workers());
    toRead.addAll(changed);
    if (request.jobs().stream().anyMatch(this::mayPreempt)) toRead.addAll(holders());
    forgetTotals(toRead);
    readWorkers(uid, toRead, failureLog);
    forgetTotals(toRead);
  }

  /** Whether the job most likely is as it was: it still runs or waits. */
  private static boolean isCurrent(Job job, Set<String> queued, Set<String> waiting) {
    return job.state() instanceof JobState.Waiting
        ? waiting.contains(job.uid())
        : job.running() && queued.contains(job.uid());
  }

  /** Whether another job might have to give way to it. */
  private boolean mayPreempt(String uid) {
    return Optional.ofNullable(jobs.get(uid))
        .map(job -> job.value().spec())
        .filter(spec -> jobs().stream().anyMatch(j -> j.spec().mayGiveWayTo(spec)))
        .isPresent();
  }

  /** Workers that may hold leases, which are granted without notice to this process. */
  private List<String> holders() {
    return workers.values().stream()
        .filter(w -> w.value().state() instanceof WorkerState.Ready)
        .map(w -> w.value().name())
        .limit(HOLDERS)
        .toList();
  }

  /** Tasks that a changed worker has or had may be other workers' now. */
  private void forgetTotals(Collection<String> names) {
    for (var name : names)
      Optional.ofNullable(workers.get(name))
          .ifPresent(w -> w.value().held().forEach(h -> totals.forget(h.job())));
  }

  private void readJobs(String uid, Collection<String> names, FailureLog failureLog) {
    var keys = names.stream().map(name -> new DocumentKey.OfJob(uid, name)).toList();
    var read = all(keys, failureLog);
    names.forEach(jobs::remove);
    for (var job : read) if (!job.value().state().ended()) jobs.put(job.value().uid(), job);
  }

  private List<VersionedDocument<Job>> all(List<DocumentKey.OfJob> keys, FailureLog failureLog) {
    var found = new ArrayList<VersionedDocument<Job>>();
    for (var page : KeyPages.of(keys))
      for (var job : ledger.readAll(page).readable(failureLog::unreadable)) found.add(job);
    return found;
  }

  private void readWorkers(String uid, Collection<String> names, FailureLog failureLog) {
    var keys = names.stream().map(name -> new DocumentKey.OfWorker(uid, name)).toList();
    // A read that fails leaves what is known as it is: a worker less would seem to be room.
    var read = KeyPages.of(keys).stream().map(ledger::readAll).toList();
    var before = names.stream().map(workers::get).filter(Objects::nonNull).toList();
    names.forEach(workers::remove);
    names.forEach(unreadable::remove);
    changed.removeAll(names);
    for (var page : read)
      for (var worker : page.readable(unknown -> unreadable(unknown, failureLog))) put(worker);
    before.forEach(this::noteEnd);
  }

  private void unreadable(UnreadableDocument unknown, FailureLog failureLog) {
    failureLog.unreadable(unknown);
    unreadable.put(unknown.id(), unknown);
  }

  /** Stores a worker's current document; a worker that is gone is removed. */
  void put(VersionedDocument<Worker> worker) {
    var name = worker.value().name();
    fresh.add(name);
    if (worker.value().state() instanceof WorkerState.Gone) workers.remove(name);
    else workers.put(name, worker);
  }

  /** Stores a newer version of the worker. */
  void update(VersionedDocument<Worker> worker) {
    var name = worker.value().name();
    var before = Optional.ofNullable(workers.get(name));
    put(worker);
    before.ifPresent(this::noteEnd);
    changed.remove(worker.value().name());
  }

  /** This process changed what a job's document counts of it. */
  void updateJob(VersionedDocument<Job> job) {
    jobs.computeIfPresent(job.value().uid(), (_, _) -> job);
  }

  void remove(String worker) {
    Optional.ofNullable(workers.remove(worker)).ifPresent(this::noteEnd);
    changed.remove(worker);
  }

  /** This process changes the worker; the next reconcile reads it. */
  void markChanged(String worker) {
    changed.add(worker);
  }

  /** Machines are launched and recorded in the cluster's document. */
  void launched(Cluster now, List<VersionedDocument<Worker>> launched) {
    known = Optional.of(now);
    ended.clear();
    for (var worker : launched) {
      workers.put(worker.value().name(), worker);
      changed.add(worker.value().name());
    }
  }

  /**
   * Reads those workers that were not read in this reconcile; false if there are none.
   *
   * @param names workers that are to be changed
   */
  boolean readFirst(String cluster, Collection<String> names, FailureLog failureLog) {
    var unread = new TreeSet<>(names);
    unread.removeAll(fresh);
    if (unread.isEmpty()) return false;
    readWorkers(cluster, unread, failureLog);
    fresh.addAll(unread);
    return true;
  }

  /** The names for {@link Cluster#withLaunched}. */
  List<String> ended() {
    return List.copyOf(ended);
  }

  /** Whether everything was read in this reconcile. */
  boolean isWhole() {
    return whole;
  }

  /** When everything was read, if in this reconcile. */
  Optional<Instant> wholeAt() {
    return Optional.of(readAt).filter(_ -> whole);
  }

  /** Whether the worker was read in this reconcile or is between two states. */
  boolean needsReconciling(VersionedDocument<Worker> worker) {
    return fresh.contains(worker.value().name())
        || !(worker.value().state() instanceof WorkerState.Ready);
  }

  /** Workers that are not gone, by name. */
  List<VersionedDocument<Worker>> workers() {
    return List.copyOf(workers.values());
  }

  List<UnreadableDocument> unreadable() {
    return List.copyOf(unreadable.values());
  }

  /** Jobs that have not ended. */
  List<Job> jobs() {
    return jobs.values().stream().map(VersionedDocument::value).toList();
  }

  /** The same as they were read. */
  List<VersionedDocument<Job>> storedJobs() {
    return List.copyOf(jobs.values());
  }

  /** Number of jobs that have not ended or are unreadable. */
  int live() {
    return jobs.size() + unreadableJobs;
  }

  /** The queue as read before the jobs. */
  RebuildableDocument<JobQueue> queue() {
    return jobQueue;
  }

  TaskTotals totals(Job job) {
    return totals.of(job);
  }
}
