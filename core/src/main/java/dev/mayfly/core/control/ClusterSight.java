package dev.mayfly.core.control;

import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
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
 * What this process knows of a cluster. A tick reads everything; a look between two reads what its
 * trigger names, what this process changed, and nothing else.
 *
 * <p>Knowledge that is not of this round is a guess, which is why nothing is changed by it alone: a
 * launch is conditional on the cluster's document, which is read each time and which every launch
 * changes, and a worker that a decision is about is read first. What a guess may cost is a decision
 * that comes with the next tick.
 */
final class ClusterSight {
  /** How old what is known may be; in most processes a tick comes first. */
  private static final Duration MOST = Duration.ofMinutes(2);

  /** Of more of them the tick tells. */
  private static final int HOLDERS = 256;

  /** More of them are forgotten: a tick tells other processes. */
  private static final int ENDED = 1_000;

  private final Ledger ledger;
  private final InstantSource clock;
  private final Map<String, Stored<Worker>> workers = new TreeMap<>();
  private final Map<String, UnreadableDocument> unreadable = new TreeMap<>();
  private final Map<String, Job> jobs = new LinkedHashMap<>();
  private final KnownTotals totals;

  /** Workers that this process changed since it read them. */
  private final Set<String> changed = new HashSet<>();

  /** Workers whose end this process saw since it last launched: other processes may not know. */
  private final Set<String> ended = new LinkedHashSet<>();

  /** Workers that were read in this round. */
  private final Set<String> fresh = new HashSet<>();

  private Renewable<Turns> turns = new Renewable<>(Optional.empty(), false);
  private int unreadableJobs;
  private Optional<Cluster> known = Optional.empty();
  private Instant readAt = Instant.MIN;
  private boolean whole;

  ClusterSight(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
    totals = new KnownTotals(ledger, clock);
  }

  /** Reads for a round what it is asked to, and what else it must. */
  void read(Stored<Cluster> cluster, LookRequest asked, Troubles troubles) {
    fresh.clear();
    var uid = cluster.value().uid();
    var now = clock.instant();
    // Before the jobs: a job that is taken meanwhile changes the turns, and then they are not
    // overwritten.
    turns = Renewable.read(ledger, new Key.OfTurns(uid));
    var launched = known.flatMap(k -> cluster.value().launchedSince(k));
    whole =
        asked.whole()
            || cluster.value().phase() != Cluster.Phase.UP
            || launched.isEmpty()
            || readAt.equals(Instant.MIN)
            || !readAt.plus(MOST).isAfter(now);
    changed.addAll(launched.orElse(List.of()));
    // Known only once it is read to the end.
    var before = readAt;
    readAt = Instant.MIN;
    if (whole) readWhole(uid, troubles);
    else readNamed(uid, asked, troubles);
    readAt = whole ? now : before;
    known = Optional.of(cluster.value());
  }

  private void readWhole(String uid, Troubles troubles) {
    var before = new ArrayList<>(workers.values());
    jobs.clear();
    totals.clear();
    workers.clear();
    unreadable.clear();
    changed.clear();
    var live = ledger.query(new Query.LiveJobs(uid));
    unreadableJobs = live.unreadable().size();
    for (var job : live.readable(troubles::unreadable)) jobs.put(job.value().uid(), job.value());
    var found = ledger.query(new Query.Workers(uid, false, Round.WORKERS));
    for (var worker : found.readable(unknown -> unreadable(unknown, troubles))) saw(worker);
    before.forEach(this::noteEnd);
  }

  /** If it was capacity, and is none any more. */
  private void noteEnd(Stored<Worker> before) {
    var name = before.value().name();
    var now = workers.get(name);
    if (!before.value().state().live()) return;
    if (now != null && now.value().state().live()) return;
    if (unreadable.containsKey(name)) return;
    if (ended.size() == ENDED) ended.clear();
    ended.add(name);
  }

  private void readNamed(String uid, LookRequest asked, Troubles troubles) {
    var queued = new HashSet<String>();
    turns.value().ifPresent(t -> t.rows().forEach(row -> queued.add(row.job())));
    var names = new TreeSet<>(asked.jobs());
    for (var job : queued) if (!jobs.containsKey(job)) names.add(job);
    for (var job : jobs.values())
      if (!job.running() || !queued.contains(job.uid())) names.add(job.uid());
    readJobs(uid, names, troubles);
    asked.jobs().forEach(totals::forget);
    var toRead = new TreeSet<>(asked.workers());
    toRead.addAll(changed);
    if (asked.jobs().stream().anyMatch(this::mayTakeRoom)) toRead.addAll(holders());
    forgetTotals(toRead);
    readWorkers(uid, toRead, troubles);
    forgetTotals(toRead);
  }

  /** Whether another job might have to give way to it. */
  private boolean mayTakeRoom(String uid) {
    return Optional.ofNullable(jobs.get(uid))
        .filter(job -> jobs.values().stream().anyMatch(j -> j.spec().mayGiveWayTo(job.spec())))
        .isPresent();
  }

  /** Workers that may hold leases, which are granted without a word to this process. */
  private List<String> holders() {
    return workers.values().stream()
        .filter(w -> w.value().state() instanceof WorkerState.Ready)
        .map(w -> w.value().name())
        .limit(HOLDERS)
        .toList();
  }

  /** What a worker that changed has, or had, others may have to do now. */
  private void forgetTotals(Collection<String> names) {
    for (var name : names)
      Optional.ofNullable(workers.get(name))
          .ifPresent(w -> w.value().held().forEach(h -> totals.forget(h.job())));
  }

  private void readJobs(String uid, Collection<String> names, Troubles troubles) {
    var keys = names.stream().map(name -> new Key.OfJob(uid, name)).toList();
    names.forEach(jobs::remove);
    for (var job : all(keys, troubles)) if (!job.state().ended()) jobs.put(job.uid(), job);
  }

  private List<Job> all(List<Key.OfJob> keys, Troubles troubles) {
    var found = new ArrayList<Job>();
    for (var page : KeyPages.of(keys))
      for (var job : ledger.readAll(page).readable(troubles::unreadable)) found.add(job.value());
    return found;
  }

  private void readWorkers(String uid, Collection<String> names, Troubles troubles) {
    var keys = names.stream().map(name -> new Key.OfWorker(uid, name)).toList();
    var before = names.stream().map(workers::get).filter(Objects::nonNull).toList();
    names.forEach(workers::remove);
    names.forEach(unreadable::remove);
    changed.removeAll(names);
    for (var page : KeyPages.of(keys))
      for (var worker : ledger.readAll(page).readable(unknown -> unreadable(unknown, troubles)))
        saw(worker);
    before.forEach(this::noteEnd);
  }

  private void unreadable(UnreadableDocument unknown, Troubles troubles) {
    troubles.unreadable(unknown);
    unreadable.put(unknown.id(), unknown);
  }

  /** A worker as it is now; one that is gone is known no more. */
  void saw(Stored<Worker> worker) {
    var name = worker.value().name();
    fresh.add(name);
    if (worker.value().state() instanceof WorkerState.Gone) workers.remove(name);
    else workers.put(name, worker);
  }

  /** Takes over a newer version of the worker. */
  void knows(Stored<Worker> worker) {
    var name = worker.value().name();
    var before = Optional.ofNullable(workers.get(name));
    saw(worker);
    before.ifPresent(this::noteEnd);
    changed.remove(worker.value().name());
  }

  void gone(String worker) {
    Optional.ofNullable(workers.remove(worker)).ifPresent(this::noteEnd);
    changed.remove(worker);
  }

  /** This process changes it: how it is then, the next round reads. */
  void changes(String worker) {
    changed.add(worker);
  }

  /** Machines are launched, and the cluster's document says so. */
  void launched(Cluster now, List<Stored<Worker>> launched) {
    known = Optional.of(now);
    ended.clear();
    for (var worker : launched) {
      workers.put(worker.value().name(), worker);
      changed.add(worker.value().name());
    }
  }

  /**
   * Reads those of the workers that were not read in this round; false if there is none.
   *
   * @param names workers that something is to be done about
   */
  boolean readFirst(String cluster, Collection<String> names, Troubles troubles) {
    var unread = new TreeSet<>(names);
    unread.removeAll(fresh);
    if (unread.isEmpty()) return false;
    readWorkers(cluster, unread, troubles);
    fresh.addAll(unread);
    return true;
  }

  /** The names for {@link Cluster#launching}. */
  List<String> ended() {
    return List.copyOf(ended);
  }

  /** Whether all of it was read in this round. */
  boolean isWhole() {
    return whole;
  }

  /** When all of it was read, if it was in this round. */
  Optional<Instant> wholeAt() {
    return Optional.of(readAt).filter(_ -> whole);
  }

  /** Whether it was read in this round, or is on its way from one state to the next. */
  boolean needsCare(Stored<Worker> worker) {
    return fresh.contains(worker.value().name())
        || !(worker.value().state() instanceof WorkerState.Ready);
  }

  /** Those that are not gone, by name. */
  List<Stored<Worker>> workers() {
    return List.copyOf(workers.values());
  }

  List<UnreadableDocument> unreadable() {
    return List.copyOf(unreadable.values());
  }

  /** Those that have not ended. */
  List<Job> jobs() {
    return List.copyOf(jobs.values());
  }

  /** How many jobs have not ended, or cannot be read. */
  int live() {
    return jobs.size() + unreadableJobs;
  }

  /** As they were before the jobs were read. */
  Renewable<Turns> turns() {
    return turns;
  }

  Totals totals(Job job) {
    return totals.of(job);
  }
}
