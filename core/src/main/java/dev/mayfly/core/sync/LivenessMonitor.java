package dev.mayfly.core.sync;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Heartbeats;
import dev.mayfly.core.model.document.ServingHistory;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.lease.InstanceActivity;
import dev.mayfly.core.plan.lease.LivenessPolicy;
import dev.mayfly.core.port.ScheduledExecutor;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.RebuildableDocument;
import dev.mayfly.core.state.worker.DueTimes;
import dev.mayfly.core.state.worker.LeaseRevoker;
import dev.mayfly.core.state.worker.SliceHosts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds workers that are lost by their silence (decisions 6, 22, 53 and 63) and gives them up.
 *
 * <p>Before a pass decides, it extends the served interval by a conditional write, which proves
 * that syncs can be served now. If the write conflicts, another instance runs the pass and this one
 * decides nothing.
 */
final class LivenessMonitor {
  private final Context context;
  private final LeaseRevoker leaseRevoker;
  private final LivenessPolicy livenessPolicy;
  private final DueTimes dueTimes;

  private record LastPass(Instant at, boolean silent) {}

  private final Map<String, LastPass> lastPasses = new HashMap<>();

  /** Until when no worker can be silent, by the due times that the last pass read. */
  private final Map<String, Instant> noSilenceUntil = new ConcurrentHashMap<>();

  /** What this instance knows of a cluster without reading. */
  interface LocalHeartbeats {
    /** Writes this instance's heartbeats as proof that it runs. */
    Optional<Heartbeats> writeProof();

    /** Due times of the workers that reported here, stored or not. */
    Map<String, Instant> dueTimes();
  }

  private final Map<String, LocalHeartbeats> localHeartbeatsOf = new ConcurrentHashMap<>();

  LivenessMonitor(Context context, LeaseRevoker leaseRevoker, DueTimes dueTimes) {
    this.context = context;
    this.leaseRevoker = leaseRevoker;
    this.dueTimes = dueTimes;
    livenessPolicy = LivenessPolicy.of(context.timings());
  }

  /**
   * Runs a pass, unless this instance ran one within {@link Timings#livenessInterval} or knows from
   * it that no worker can be silent yet. True if a worker is silent, or was at that last pass.
   */
  public boolean passIfDue(String cluster) {
    var now = context.clock().instant();
    synchronized (lastPasses) {
      var last = lastPasses.getOrDefault(cluster, new LastPass(Instant.EPOCH, false));
      if (!isDue(cluster, last, now)) return last.silent();
      // A concurrent caller need not wait for this pass.
      lastPasses.put(cluster, new LastPass(now, last.silent()));
    }
    var silent = pass(cluster);
    synchronized (lastPasses) {
      lastPasses.put(cluster, new LastPass(now, silent));
    }
    return silent;
  }

  private boolean isDue(String cluster, LastPass last, Instant now) {
    return last.at().isAfter(now) || !now.isBefore(after(cluster, last.at()));
  }

  /**
   * Like {@link #passIfDue}, for an instance without pending syncs: it proves that it keeps none,
   * and decides nothing, because it does not know whether syncs can arrive.
   */
  void proveIfDue(String cluster) {
    synchronized (lastPasses) {
      var last = lastPasses.getOrDefault(cluster, new LastPass(Instant.EPOCH, false));
      if (!isDue(cluster, last, context.clock().instant())) return;
    }
    proveIfSilent(cluster);
  }

  /** When {@link #passIfDue} runs a pass again: when a worker is or may be silent. */
  Instant next(String cluster) {
    var now = context.clock().instant();
    synchronized (lastPasses) {
      var last = lastPasses.getOrDefault(cluster, new LastPass(now, false)).at();
      var next = after(cluster, last);
      return next.isAfter(now) ? next : now.plus(context.timings().livenessInterval());
    }
  }

  private Instant after(String cluster, Instant last) {
    var soonest = last.plus(context.timings().livenessInterval());
    var silence = noSilenceUntil.getOrDefault(cluster, Instant.EPOCH).plusMillis(1);
    return silence.isAfter(soonest) ? silence : soonest;
  }

  /** Registers the source of proof that passes ask for while a worker is silent. */
  void register(String cluster, LocalHeartbeats localHeartbeats) {
    localHeartbeatsOf.put(cluster, localHeartbeats);
  }

  private synchronized void proveIfSilent(String cluster) {
    var now = context.clock().instant();
    var due = dueTimes.read(cluster, now).due();
    var silent = !livenessPolicy.silent(due, now).isEmpty();
    noSilenceUntil.put(cluster, silent ? Instant.EPOCH : quietUntil(due, now));
    if (silent) proof(cluster);
  }

  private Optional<Heartbeats> proof(String cluster) {
    return Optional.ofNullable(localHeartbeatsOf.get(cluster)).flatMap(LocalHeartbeats::writeProof);
  }

  /**
   * A worker that just reported here is not silent, even if the stored due time does not show it
   * yet: its own sync may run this pass.
   */
  private void applyLocalDueTimes(String cluster, Map<String, Instant> due) {
    var localHeartbeats = localHeartbeatsOf.get(cluster);
    if (localHeartbeats == null) return;
    localHeartbeats
        .dueTimes()
        .forEach((host, at) ->
            due.computeIfPresent(host, (_, before) -> at.isAfter(before) ? at : before));
  }

  /** Runs a pass. True if a worker is silent, lost or not. */
  public synchronized boolean pass(String cluster) {
    var now = context.clock().instant();
    var read = dueTimes.read(cluster, now);
    var silent = livenessPolicy.silent(read.due(), now);
    noSilenceUntil.put(cluster, silent.isEmpty() ? quietUntil(read.due(), now) : Instant.EPOCH);
    if (silent.isEmpty()) return false;
    // The next pass of any instance may need the proof, whatever becomes of this one.
    var proof = proof(cluster);
    var servingHistory = extend(cluster, now);
    if (servingHistory.isEmpty()) return true;
    var liveWorkers = liveWorkers(cluster, silent, read.due());
    var anyLive = !liveWorkers.isEmpty();
    liveWorkers.forEach(
        (name, w) -> read.due().computeIfPresent(name, (_, at) -> sinceFirstSync(at, w.value())));
    applyLocalDueTimes(cluster, read.due());
    var revocations = new ArrayList<Runnable>();
    var proved = proof.map(read::with).orElse(read);
    var instanceActivity =
        new InstanceActivity(
            proved.instances(),
            context.timings().instanceGone(),
            context.timings().stallPatience(),
            dueTimes.outages(cluster));
    for (var lostWorker : lost(proved.due(), instanceActivity, servingHistory.get(), now)) {
      // One silent host makes its slice lost, once.
      var worker = liveWorkers.remove(SliceHosts.worker(lostWorker.worker()));
      if (worker != null)
        revocations.add(
            () -> leaseRevoker.workerLost(worker, FailureCause.LOST, lostWorker.reason(), true));
    }
    ScheduledExecutor.runInTurn(revocations);
    return anyLive;
  }

  /** The served intervals up to now; empty if another instance extended them in between. */
  private Optional<ServingHistory> extend(String cluster, Instant now) {
    var stored =
        RebuildableDocument.read(context.ledger(), new DocumentKey.OfServingHistory(cluster));
    var before = stored.value().map(ServingHistory::intervals).orElse(List.of());
    var servingHistory =
        new ServingHistory(
            cluster,
            LivenessPolicy.extend(
                before,
                now,
                dueTimes.outages(cluster),
                context.timings().servedGap(),
                context.timings().servedKept()));
    var written = context.ledger().commit(List.of(stored.replaceWith(servingHistory))).done();
    return written ? Optional.of(servingHistory) : Optional.empty();
  }

  /**
   * Until a newer one is written, the due time of a returned worker may be from before it was lost;
   * its first sync since then counts.
   */
  private Instant sinceFirstSync(Instant due, Worker worker) {
    var first =
        worker.firstSyncAt().map(at -> at.plus(context.timings().syncInterval())).orElse(due);
    return first.isAfter(due) ? first : due;
  }

  /** Compared with the other workers, or with the other hosts of the same slice. */
  private List<LivenessPolicy.LostWorker> lost(
      Map<String, Instant> due,
      InstanceActivity instanceActivity,
      ServingHistory servingHistory,
      Instant now) {
    var workers = new HashMap<String, Instant>();
    var slices = new HashMap<String, Map<String, Instant>>();
    due.forEach((host, at) -> {
      var worker = SliceHosts.worker(host);
      workers.merge(worker, at, (a, b) -> a.isBefore(b) ? a : b);
      slices.computeIfAbsent(worker, _ -> new HashMap<>()).put(host, at);
    });
    var lost =
        new ArrayList<>(
            livenessPolicy.lost(workers, servingHistory.intervals(), instanceActivity, now));
    for (var hosts : slices.values())
      if (hosts.size() > 1)
        lost.addAll(livenessPolicy.lost(hosts, servingHistory.intervals(), instanceActivity, now));
    return lost;
  }

  /** Whether a live worker is silent now. Writes nothing. */
  public synchronized boolean hasSilentWorkers(String cluster) {
    var now = context.clock().instant();
    var due = dueTimes.read(cluster, now).due();
    return !liveWorkers(cluster, livenessPolicy.silent(due, now), due).isEmpty();
  }

  /** The instances that the last pass over the cluster found, without a read. */
  Optional<DueTimes.InstanceHeartbeats> instanceHeartbeats(String cluster) {
    return dueTimes.instanceHeartbeats(cluster);
  }

  /**
   * Due times only increase, and a worker without a stored heartbeat reported just now at the
   * earliest: until then no pass needs to check for silence.
   */
  private Instant quietUntil(Map<String, Instant> due, Instant now) {
    var most =
        now.plus(context.timings().syncInterval())
            .plus(context.timings().silentAfter().dividedBy(2));
    return due.values().stream()
        .map(at -> at.plus(context.timings().silentAfter()))
        .min(Comparator.naturalOrder())
        .filter(most::isAfter)
        .orElse(most);
  }

  /** The silent workers that are live; the others are removed from {@code due}. */
  private Map<String, VersionedDocument<Worker>> liveWorkers(
      String cluster, List<String> silent, Map<String, Instant> due) {
    var liveWorkers = new HashMap<String, VersionedDocument<Worker>>();
    var starting = new HashSet<String>();
    for (var from = 0; from < silent.size(); from += 500) {
      var names = silent.subList(from, Math.min(silent.size(), from + 500));
      var keys =
          names.stream()
              .map(SliceHosts::worker)
              .distinct()
              .map(n -> new DocumentKey.OfWorker(cluster, n))
              .toList();
      // An unreadable worker counts as reporting, and is checked once it is readable.
      for (var worker :
          context.ledger().readAll(keys).readable(unknown -> starting.add(unknown.id())))
        if (mustReport(worker.value().state())) liveWorkers.put(worker.value().name(), worker);
        else if (worker.value().state().live()) starting.add(worker.value().name());
    }
    for (var name : silent)
      if (!liveWorkers.containsKey(SliceHosts.worker(name))) {
        var left = due.remove(name);
        // A worker whose first report is not stored yet will report again and be checked then.
        if (left != null && !starting.contains(SliceHosts.worker(name)))
          dueTimes.workerGone(cluster, name, left);
      }
    return liveWorkers;
  }

  private static boolean mustReport(WorkerState state) {
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
