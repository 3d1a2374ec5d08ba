package dev.mayfly.core.control;

import dev.mayfly.core.lease.Awake;
import dev.mayfly.core.lease.Silence;
import dev.mayfly.core.model.Beats;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Served;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Alarms;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Stored;
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
public final class Judge {
  private final Ledger ledger;
  private final Losses losses;
  private final InstantSource clock;
  private final Rules rules;
  private final Silence silence;
  private final DueTimes dueTimes;

  private record Passed(Instant at, boolean silent) {}

  private final Map<String, Passed> passed = new HashMap<>();

  /** Until when nobody can be silent, by the due times that the last pass read. */
  private final Map<String, Instant> quiet = new ConcurrentHashMap<>();

  /** What this instance knows of a cluster by itself. */
  interface Witness {
    /** Writes this instance's beats, as proof that it is awake. */
    Optional<Beats> vouch();

    /** When those that it heard are due, written or not. */
    Map<String, Instant> heard();
  }

  private final Map<String, Witness> witnesses = new ConcurrentHashMap<>();

  public Judge(Ledger ledger, Losses losses, InstantSource clock, Rules rules) {
    this.ledger = ledger;
    this.losses = losses;
    this.clock = clock;
    this.rules = rules;
    dueTimes = new DueTimes(ledger);
    silence = new Silence(rules.silentAfter(), rules.lostAfter(), rules.lostAlone());
  }

  /**
   * A pass, unless this instance made one within {@link Rules#judgeEvery} or knows from it that
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
      return next.isAfter(now) ? next : now.plus(rules.judgeEvery());
    }
  }

  private Instant after(String cluster, Instant last) {
    var soonest = last.plus(rules.judgeEvery());
    var silence = quiet.getOrDefault(cluster, Instant.EPOCH).plusMillis(1);
    return silence.isAfter(soonest) ? silence : soonest;
  }

  /** While somebody is silent, the passes over the cluster ask for this proof. */
  void witness(String cluster, Witness witness) {
    witnesses.put(cluster, witness);
  }

  private synchronized void prove(String cluster) {
    var now = clock.instant();
    var due = dueTimes.read(cluster, now).due();
    var silent = !silence.silent(due, now).isEmpty();
    quiet.put(cluster, silent ? Instant.EPOCH : quietUntil(due, now));
    if (silent) proof(cluster);
  }

  private Optional<Beats> proof(String cluster) {
    return Optional.ofNullable(witnesses.get(cluster)).flatMap(Witness::vouch);
  }

  /**
   * Whoever spoke here a moment ago is not silent, though what is written may not tell of it yet:
   * its own call may be the one that judges.
   */
  private void hear(String cluster, Map<String, Instant> due) {
    var witness = witnesses.get(cluster);
    if (witness == null) return;
    witness
        .heard()
        .forEach((speaker, at) ->
            due.computeIfPresent(speaker, (_, before) -> at.isAfter(before) ? at : before));
  }

  /** One pass. True if anybody is silent, lost or not. */
  public synchronized boolean pass(String cluster) {
    var now = clock.instant();
    var read = dueTimes.read(cluster, now);
    var silent = silence.silent(read.due(), now);
    quiet.put(cluster, silent.isEmpty() ? quietUntil(read.due(), now) : Instant.EPOCH);
    if (silent.isEmpty()) return false;
    // Whoever passes next may need it, whatever becomes of this pass.
    var proof = proof(cluster);
    var served = extend(cluster, now);
    if (served.isEmpty()) return true;
    var living = living(cluster, silent, read.due());
    var lives = !living.isEmpty();
    living.forEach(
        (name, w) -> read.due().computeIfPresent(name, (_, at) -> inThisLife(at, w.value())));
    hear(cluster, read.due());
    var losing = new ArrayList<Runnable>();
    var proved = proof.map(read::with).orElse(read);
    var awake =
        new Awake(
            proved.instances(),
            rules.instanceGone(),
            rules.stallPatience(),
            dueTimes.away(cluster));
    for (var verdict : lost(proved.due(), awake, served.get(), now)) {
      // One silent host loses its slice, once.
      var worker = living.remove(Hosts.worker(verdict.worker()));
      if (worker != null) losing.add(() -> losses.lose(worker, Cause.LOST, verdict.reason()));
    }
    Alarms.inTurn(losing);
    return lives;
  }

  /** The served intervals up to now; empty if somebody else extended them meanwhile. */
  private Optional<Served> extend(String cluster, Instant now) {
    var stored = Renewable.read(ledger, new Key.OfServed(cluster));
    var before = stored.value().map(Served::intervals).orElse(List.of());
    var served =
        new Served(cluster, Silence.extend(before, now, rules.servedGap(), rules.servedKept()));
    var written = ledger.commit(List.of(stored.next(served))).done();
    return written ? Optional.of(served) : Optional.empty();
  }

  /**
   * The due time of a worker that came back may be from before it was lost until a newer one is
   * written; what it spoke first counts.
   */
  private Instant inThisLife(Instant due, Worker worker) {
    var first = worker.firstSyncAt().map(at -> at.plus(rules.beat())).orElse(due);
    return first.isAfter(due) ? first : due;
  }

  /** By what the other workers do, or what the other hosts of the same slice do. */
  private List<Silence.Verdict> lost(
      Map<String, Instant> due, Awake awake, Served served, Instant now) {
    var workers = new HashMap<String, Instant>();
    var slices = new HashMap<String, Map<String, Instant>>();
    due.forEach((speaker, at) -> {
      var worker = Hosts.worker(speaker);
      workers.merge(worker, at, (a, b) -> a.isBefore(b) ? a : b);
      slices.computeIfAbsent(worker, _ -> new HashMap<>()).put(speaker, at);
    });
    var lost = new ArrayList<>(silence.lost(workers, served.intervals(), awake, now));
    for (var hosts : slices.values())
      if (hosts.size() > 1) lost.addAll(silence.lost(hosts, served.intervals(), awake, now));
    return lost;
  }

  /** Whether a worker that lives is silent now. Changes nothing and proves nothing. */
  public synchronized boolean anybodySilent(String cluster) {
    var now = clock.instant();
    var due = dueTimes.read(cluster, now).due();
    return !living(cluster, silence.silent(due, now), due).isEmpty();
  }

  /** The instances that the last pass over the cluster found; it costs no read. */
  Optional<DueTimes.Heard> heard(String cluster) {
    return dueTimes.heard(cluster);
  }

  /**
   * Due times only move on, and whoever is not in the beats yet was heard a moment ago at the
   * earliest: until then no pass needs to look who is silent.
   */
  private Instant quietUntil(Map<String, Instant> due, Instant now) {
    var most = now.plus(rules.beat()).plus(rules.silentAfter().dividedBy(2));
    return due.values().stream()
        .map(at -> at.plus(rules.silentAfter()))
        .min(Comparator.naturalOrder())
        .filter(most::isAfter)
        .orElse(most);
  }

  /** The silent workers that live; those that do not are taken out of {@code due}. */
  private Map<String, Stored<Worker>> living(
      String cluster, List<String> silent, Map<String, Instant> due) {
    var living = new HashMap<String, Stored<Worker>>();
    var coming = new HashSet<String>();
    for (var from = 0; from < silent.size(); from += 500) {
      var names = silent.subList(from, Math.min(silent.size(), from + 500));
      var keys =
          names.stream()
              .map(Hosts::worker)
              .distinct()
              .map(n -> new Key.OfWorker(cluster, n))
              .toList();
      // An unreadable one is heard all the same, and judged when it can be read.
      for (var worker : ledger.readAll(keys).readable(unknown -> coming.add(unknown.id())))
        if (speaks(worker.value().state())) living.put(worker.value().name(), worker);
        else if (worker.value().state().live()) coming.add(worker.value().name());
    }
    for (var name : silent)
      if (!living.containsKey(Hosts.worker(name))) {
        var left = due.remove(name);
        // One whose first words were not written down will speak again, and then be judged.
        if (left != null && !coming.contains(Hosts.worker(name)))
          dueTimes.left(cluster, name, left);
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
