package dev.mayfly.core.sync;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Heartbeats;
import dev.mayfly.core.model.document.ServingHistory;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.lease.InstanceActivity;
import dev.mayfly.core.plan.lease.LivenessPolicy;
import dev.mayfly.core.port.Alarms;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.VersionedDocument;
import dev.mayfly.core.state.RebuildableDocument;
import dev.mayfly.core.state.Timings;
import dev.mayfly.core.state.worker.DueTimes;
import dev.mayfly.core.state.worker.LeaseRevoker;
import dev.mayfly.core.state.worker.SliceHosts;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the workers that are lost by their silence (decisions 6, 22, 53 and 63) and gives them up.
 *
 * <p>A pass extends the served interval by a conditional write before it decides: the write is its
 * own proof that syncs can be served now. A pass whose write conflicts decides nothing: somebody
 * else passes.
 */
final class LivenessMonitor {
  private final Ledger ledger;
  private final LeaseRevoker leaseRevoker;
  private final InstantSource clock;
  private final Timings timings;
  private final LivenessPolicy livenessPolicy;
  private final DueTimes dueTimes;

  private record Passed(Instant at, boolean silent) {}

  private final Map<String, Passed> passed = new HashMap<>();

  /** Until when nobody can be silent, by the due times that the last pass read. */
  private final Map<String, Instant> quiet = new ConcurrentHashMap<>();

  /** What this instance knows of a cluster by itself. */
  interface LocalHeartbeats {
    /** Writes this instance's beats, as proof that it is awake. */
    Optional<Heartbeats> writeProof();

    /** When those that it heard are due, written or not. */
    Map<String, Instant> dueTimes();
  }

  private final Map<String, LocalHeartbeats> witnesses = new ConcurrentHashMap<>();

  public LivenessMonitor(
      Ledger ledger, LeaseRevoker leaseRevoker, InstantSource clock, Timings timings) {
    this.ledger = ledger;
    this.leaseRevoker = leaseRevoker;
    this.clock = clock;
    this.timings = timings;
    dueTimes = new DueTimes(ledger);
    livenessPolicy =
        new LivenessPolicy(timings.silentAfter(), timings.lostAfter(), timings.lostAlone());
  }

  /**
   * A pass, unless this instance made one within {@link Timings#judgeEvery} or knows from it that
   * nobody can be silent yet. True if anybody is silent, or was at that last pass.
   */
  public boolean passIfDue(String cluster) {
    var now = clock.instant();
    synchronized (passed) {
      var last = passed.getOrDefault(cluster, new Passed(Instant.EPOCH, false));
      if (!isDue(cluster, last, now)) return last.silent();
      // Whoever comes while this pass goes on need not wait for it.
      passed.put(cluster, new Passed(now, last.silent()));
    }
    var silent = pass(cluster);
    synchronized (passed) {
      passed.put(cluster, new Passed(now, silent));
    }
    return silent;
  }

  private boolean isDue(String cluster, Passed last, Instant now) {
    return last.at().isAfter(now) || !now.isBefore(after(cluster, last.at()));
  }

  /**
   * The same of an instance that has no call: it proves that it keeps none from anybody, and judges
   * nobody, for it does not know that calls can come.
   */
  void proveIfDue(String cluster) {
    synchronized (passed) {
      var last = passed.getOrDefault(cluster, new Passed(Instant.EPOCH, false));
      if (!isDue(cluster, last, clock.instant())) return;
    }
    prove(cluster);
  }

  /** When {@link #passIfDue} makes a pass again: when somebody may be silent, or is. */
  Instant next(String cluster) {
    var now = clock.instant();
    synchronized (passed) {
      var last = passed.getOrDefault(cluster, new Passed(now, false)).at();
      var next = after(cluster, last);
      return next.isAfter(now) ? next : now.plus(timings.judgeEvery());
    }
  }

  private Instant after(String cluster, Instant last) {
    var soonest = last.plus(timings.judgeEvery());
    var silence = quiet.getOrDefault(cluster, Instant.EPOCH).plusMillis(1);
    return silence.isAfter(soonest) ? silence : soonest;
  }

  /** While somebody is silent, the passes over the cluster ask for this proof. */
  void register(String cluster, LocalHeartbeats localHeartbeats) {
    witnesses.put(cluster, localHeartbeats);
  }

  private synchronized void prove(String cluster) {
    var now = clock.instant();
    var due = dueTimes.read(cluster, now).due();
    var silent = !livenessPolicy.silent(due, now).isEmpty();
    quiet.put(cluster, silent ? Instant.EPOCH : quietUntil(due, now));
    if (silent) proof(cluster);
  }

  private Optional<Heartbeats> proof(String cluster) {
    return Optional.ofNullable(witnesses.get(cluster)).flatMap(LocalHeartbeats::writeProof);
  }

  /**
   * Whoever spoke here a moment ago is not silent, though what is written may not tell of it yet:
   * its own call may be the one that judges.
   */
  private void mergeLocal(String cluster, Map<String, Instant> due) {
    var localHeartbeats = witnesses.get(cluster);
    if (localHeartbeats == null) return;
    localHeartbeats
        .dueTimes()
        .forEach((speaker, at) ->
            due.computeIfPresent(speaker, (_, before) -> at.isAfter(before) ? at : before));
  }

  /** One pass. True if anybody is silent, lost or not. */
  public synchronized boolean pass(String cluster) {
    var now = clock.instant();
    var read = dueTimes.read(cluster, now);
    var silent = livenessPolicy.silent(read.due(), now);
    quiet.put(cluster, silent.isEmpty() ? quietUntil(read.due(), now) : Instant.EPOCH);
    if (silent.isEmpty()) return false;
    // Whoever passes next may need it, whatever becomes of this pass.
    var proof = proof(cluster);
    var servingHistory = extend(cluster, now);
    if (servingHistory.isEmpty()) return true;
    var living = living(cluster, silent, read.due());
    var lives = !living.isEmpty();
    living.forEach(
        (name, w) -> read.due().computeIfPresent(name, (_, at) -> inThisLife(at, w.value())));
    mergeLocal(cluster, read.due());
    var losing = new ArrayList<Runnable>();
    var proved = proof.map(read::with).orElse(read);
    var instanceActivity =
        new InstanceActivity(
            proved.instances(),
            timings.instanceGone(),
            timings.stallPatience(),
            dueTimes.outages(cluster));
    for (var lostWorker : lost(proved.due(), instanceActivity, servingHistory.get(), now)) {
      // One silent host loses its slice, once.
      var worker = living.remove(SliceHosts.worker(lostWorker.worker()));
      if (worker != null)
        losing.add(() -> leaseRevoker.workerLost(worker, FailureCause.LOST, lostWorker.reason()));
    }
    Alarms.runInTurn(losing);
    return lives;
  }

  /** The served intervals up to now; empty if somebody else extended them meanwhile. */
  private Optional<ServingHistory> extend(String cluster, Instant now) {
    var stored = RebuildableDocument.read(ledger, new DocumentKey.OfServingHistory(cluster));
    var before = stored.value().map(ServingHistory::intervals).orElse(List.of());
    var servingHistory =
        new ServingHistory(
            cluster, LivenessPolicy.extend(before, now, timings.servedGap(), timings.servedKept()));
    var written = ledger.commit(List.of(stored.replaceWith(servingHistory))).done();
    return written ? Optional.of(servingHistory) : Optional.empty();
  }

  /**
   * The due time of a worker that came back may be from before it was lost until a newer one is
   * written; what it spoke first counts.
   */
  private Instant inThisLife(Instant due, Worker worker) {
    var first = worker.firstSyncAt().map(at -> at.plus(timings.beat())).orElse(due);
    return first.isAfter(due) ? first : due;
  }

  /** By what the other workers do, or what the other hosts of the same slice do. */
  private List<LivenessPolicy.LostWorker> lost(
      Map<String, Instant> due,
      InstanceActivity instanceActivity,
      ServingHistory servingHistory,
      Instant now) {
    var workers = new HashMap<String, Instant>();
    var slices = new HashMap<String, Map<String, Instant>>();
    due.forEach((speaker, at) -> {
      var worker = SliceHosts.worker(speaker);
      workers.merge(worker, at, (a, b) -> a.isBefore(b) ? a : b);
      slices.computeIfAbsent(worker, _ -> new HashMap<>()).put(speaker, at);
    });
    var lost =
        new ArrayList<>(
            livenessPolicy.lost(workers, servingHistory.intervals(), instanceActivity, now));
    for (var hosts : slices.values())
      if (hosts.size() > 1)
        lost.addAll(livenessPolicy.lost(hosts, servingHistory.intervals(), instanceActivity, now));
    return lost;
  }

  /** Whether a worker that lives is silent now. Changes nothing and proves nothing. */
  public synchronized boolean hasSilentWorkers(String cluster) {
    var now = clock.instant();
    var due = dueTimes.read(cluster, now).due();
    return !living(cluster, livenessPolicy.silent(due, now), due).isEmpty();
  }

  /** The instances that the last pass over the cluster found; it costs no read. */
  Optional<DueTimes.InstanceHeartbeats> instanceHeartbeats(String cluster) {
    return dueTimes.instanceHeartbeats(cluster);
  }

  /**
   * Due times only move on, and whoever is not in the beats yet was heard a moment ago at the
   * earliest: until then no pass needs to look who is silent.
   */
  private Instant quietUntil(Map<String, Instant> due, Instant now) {
    var most = now.plus(timings.beat()).plus(timings.silentAfter().dividedBy(2));
    return due.values().stream()
        .map(at -> at.plus(timings.silentAfter()))
        .min(Comparator.naturalOrder())
        .filter(most::isAfter)
        .orElse(most);
  }

  /** The silent workers that live; those that do not are taken out of {@code due}. */
  private Map<String, VersionedDocument<Worker>> living(
      String cluster, List<String> silent, Map<String, Instant> due) {
    var living = new HashMap<String, VersionedDocument<Worker>>();
    var coming = new HashSet<String>();
    for (var from = 0; from < silent.size(); from += 500) {
      var names = silent.subList(from, Math.min(silent.size(), from + 500));
      var keys =
          names.stream()
              .map(SliceHosts::worker)
              .distinct()
              .map(n -> new DocumentKey.OfWorker(cluster, n))
              .toList();
      // An unreadable one is heard all the same, and judged when it can be read.
      for (var worker : ledger.readAll(keys).readable(unknown -> coming.add(unknown.id())))
        if (speaks(worker.value().state())) living.put(worker.value().name(), worker);
        else if (worker.value().state().live()) coming.add(worker.value().name());
    }
    for (var name : silent)
      if (!living.containsKey(SliceHosts.worker(name))) {
        var left = due.remove(name);
        // One whose first words were not written down will speak again, and then be judged.
        if (left != null && !coming.contains(SliceHosts.worker(name)))
          dueTimes.workerGone(cluster, name, left);
      }
    return living;
  }

  private static boolean speaks(WorkerState state) {
    return switch (state) {
      case WorkerState.Ready r -> true;
      case WorkerState.Draining d -> true;
      case WorkerState.Drained d -> false;
      case WorkerState.Launching l -> false;
      case WorkerState.Booting b -> false;
      case WorkerState.Lost l -> false;
      case WorkerState.Gone g -> false;
    };
  }
}
