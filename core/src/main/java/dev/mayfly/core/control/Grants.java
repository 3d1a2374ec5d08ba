package dev.mayfly.core.control;

import static java.util.Objects.requireNonNull;

import dev.mayfly.core.error.Unreadable;
import dev.mayfly.core.lease.LeastServed;
import dev.mayfly.core.lease.Market;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One buyer an instance: all waiting calls are matched with READY shards in one pass, job by job in
 * the order of turns; then a worker's document and its shards are written together. Instances
 * conflict, calls do not.
 *
 * <p>One pass at a time; no lock is held meanwhile.
 */
final class Grants {
  /** Shards a worker may hold: its document and theirs fit in one batch, when it is lost too. */
  static final int HELD = 300;

  private static final int TRIES = 3;

  /** Batches that are under way at once. */
  private static final int LANES = 32;

  private final Deck deck;
  private final JobCache jobs;
  private final GrantListener listener;
  private final Thieves thieves;
  private final Ring ring;
  private final Supply supply;

  private final Dry dry;
  private final SpentShards spent;
  private final WaitingGangs gangs;
  private final RecentLeases recent;
  private final OwnerShares owners;
  private final HigherFirst higherFirst;

  Grants(Deck deck, JobCache jobs, GrantListener listener, Ring ring, RecentLeases recent) {
    this.deck = deck;
    this.jobs = jobs;
    this.listener = listener;
    thieves = new Thieves(deck, listener);
    this.ring = ring;
    supply = new Supply(deck, ring);
    dry = new Dry(deck);
    spent = new SpentShards(deck);
    gangs = new WaitingGangs(deck, dry);
    this.recent = recent;
    owners = new OwnerShares(ring, recent);
    higherFirst = new HigherFirst(dry, deck.clock());
  }

  void workAppeared() {
    jobs.forget();
    dry.clear();
    spent.workAppeared();
  }

  /** Grants what can be granted to these calls. Those that come back got something. */
  Collection<Call> pass(String cluster, Collection<Call> waiting) {
    var turns = jobs.turns();
    var rows = turns.map(Turns::rows).orElse(List.of());
    var names = waiting.stream().map(c -> c.worker().name()).collect(Collectors.toSet());
    var keepers = gangs.of(cluster, rows, names);
    var buyers = new LinkedHashMap<String, Buyer>();
    for (var call : waiting)
      if (!call.answered()
          && !call.isStale()
          && call.worker().state() instanceof WorkerState.Ready
          && room(call)) buyers.put(call.worker().name(), buyer(call, keepers));
    if (buyers.isEmpty()) return List.of();
    var all = List.copyOf(buyers.values());
    var higher = new ArrayList<Turns.Row>();
    for (var band : LeastServed.bands(rows)) {
      higherFirst.leaveQueues(cluster, higher, buyers.values());
      higher.addAll(band);
      if (LeastServed.shared(band))
        share(cluster, owners.of(band, turns.flatMap(Turns::counted), all), buyers);
      buy(cluster, band, buyers);
    }
    var idle = buyers.values().stream().filter(b -> b.call.worker().held().isEmpty()).toList();
    if (!idle.isEmpty()) steal(cluster, rows, idle);
    return all.stream().filter(Buyer::isFed).map(b -> b.call).toList();
  }

  private Buyer buyer(Call call, List<Turns.Row> keepers) {
    var now = deck.clock().instant();
    var keeper = keepers.stream().filter(k -> k.kept().contains(call.worker().name())).findFirst();
    return new Buyer(
        call,
        keeper,
        row -> keeper.filter(k -> k.keepsFrom(row, () -> longest(row), now)).isPresent());
  }

  private Optional<Duration> longest(Turns.Row row) {
    return jobs.job(row.job()).flatMap(j -> j.spec().run().longest());
  }

  /** Each worker serves the owner that has least first; what is left goes by age. */
  private void share(String cluster, LeastServed shares, Map<String, Buyer> buyers) {
    var served = new LinkedHashMap<Turns.Row, Map<String, Buyer>>();
    for (var b : buyers.values()) {
      var name = b.call.worker().name();
      var next =
          shares.next(
              row -> !dry.has(row.job()) && wants(b, row), name + " " + b.call.report.seq());
      if (next.isEmpty()) continue;
      shares.changed(next.get(), b.slots(next.get()));
      served.computeIfAbsent(next.get(), _ -> new LinkedHashMap<>()).put(name, b);
    }
    if (served.size() > 1) scout(cluster, served.keySet(), buyers);
    served.forEach((row, some) -> buy(cluster, row, some));
  }

  private boolean wants(Buyer buyer, Turns.Row row) {
    return !buyer.call.isStale()
        && buyer.mayTake(row, deck.clock().instant())
        && buyer.want(row) > 0;
  }

  /** Job by job; the more of them turn out dry, the more of the next are asked about at once. */
  private void buy(String cluster, List<Turns.Row> rows, Map<String, Buyer> buyers) {
    var all = List.copyOf(buyers.values());
    var ahead = 1;
    for (var from = 0; from < rows.size(); ) {
      var some = rows.subList(from, Math.min(rows.size(), from + ahead));
      if (some.size() > 1) scout(cluster, some, buyers);
      for (var row : some) buy(cluster, row, buyers);
      var sold = some.stream().anyMatch(r -> !dry.has(r.job()) && !fitting(r, all).isEmpty());
      ahead = sold ? 1 : Math.min(2 * ahead, LANES);
      from += some.size();
    }
  }

  /** Finds out which of the jobs are dry, side by side, at a read each. */
  private void scout(String cluster, Collection<Turns.Row> rows, Map<String, Buyer> buyers) {
    dry.ask(
        cluster,
        rows.stream()
            .filter(row -> !dry.has(row.job()) && !fitting(row, buyers.values()).isEmpty())
            .toList());
  }

  private void steal(String cluster, List<Turns.Row> rows, List<Buyer> idle) {
    var thieving = new LinkedHashMap<String, Buyer>();
    for (var b : idle) thieving.put(b.call.worker().name(), b);
    for (var row : rows)
      if (!row.exclusive() && thieves.steal(cluster, row, fitting(row, idle))) {
        dry.remove(row.job());
        buy(cluster, row, thieving);
        return;
      }
  }

  private static boolean room(Call call) {
    return call.worker().held().size() < HELD
        && call.worker().held().stream().noneMatch(Worker.Held::gang)
        && (!Hosts.several(call.worker()) || call.worker().held().isEmpty())
        && !call.report.drained()
        && call.report.notice().isEmpty();
  }

  /**
   * Whether some of these calls would take work that is leased to others, so that it is worth
   * looking again.
   */
  boolean hungry(Collection<Call> waiting) {
    return waiting.stream()
            .anyMatch(c ->
                !c.answered()
                    && c.worker().held().isEmpty()
                    && c.worker().state() instanceof WorkerState.Ready)
        && jobs.turns().map(t -> !t.rows().isEmpty()).orElse(false);
  }

  private void buy(String cluster, Turns.Row row, Map<String, Buyer> buyers) {
    spent
        .of(cluster, row, buyers.values())
        .ifPresent(offer -> deal(row, buyers, offer.wants(), offer.shards()));
    var begun = dry.era();
    if (dry.has(row.job())) return;
    for (var tries = 0; tries < TRIES; tries++) {
      var wants = fitting(row, buyers.values());
      if (wants.isEmpty()) return;
      var job = running(row);
      if (job.isEmpty()) {
        dry.add(row.job(), begun);
        return;
      }
      var slices = buyers.values().stream().filter(Buyer::isSlice).count();
      var ready = supply.ready(cluster, job.get(), wants, slices);
      if (ready.isEmpty()) {
        dry.add(row.job(), begun);
        return;
      }
      if (deal(row, buyers, wants, ready)) return;
    }
  }

  private Optional<Job> running(Turns.Row row) {
    try {
      // What its agents could not be told is not granted.
      return jobs.job(row.job()).filter(Job::running).filter(j -> jobs.sheet(j).isPresent());
    } catch (Unreadable unknown) {
      return Optional.empty();
    }
  }

  private List<Market.Buyer> fitting(Turns.Row row, Collection<Buyer> buyers) {
    return buyers.stream()
        .filter(b -> wants(b, row))
        .map(b -> new Market.Buyer(b.call.worker().name(), b.want(row), b.isIdle()))
        .toList();
  }

  /** False if somebody else was quicker with a shard: there may be others. */
  private boolean deal(
      Turns.Row row,
      Map<String, Buyer> buyers,
      List<Market.Buyer> wants,
      List<Stored<Shard>> ready) {
    var job = running(row);
    if (job.isEmpty()) return true;
    var byStart = new HashMap<Long, Stored<Shard>>();
    ready.forEach(s -> byStart.put(s.value().start(), s));
    var deals = Supply.deals(buyers, wants, ready.stream().map(Stored::value).toList());
    var grants = new ArrayList<Grant>();
    for (var deal : deals.entrySet()) {
      var buyer = requireNonNull(buyers.get(deal.getKey()));
      var shards =
          deal.getValue().stream().map(s -> requireNonNull(byStart.get(s.start()))).toList();
      var most = HELD - buyer.call.worker().held().size();
      if (most > 0)
        grants.add(
            new Grant(row, job.get(), buyer, shards.subList(0, Math.min(shards.size(), most))));
    }
    return commit(row, buyers, Bundle.of(deck, grants));
  }

  private boolean commit(Turns.Row row, Map<String, Buyer> buyers, List<Bundle> bundles) {
    var all = true;
    for (var from = 0; from < bundles.size(); from += LANES) {
      // This instance may have stood still since it read the job; it may be stopped by now.
      if (running(row).isEmpty()) return false;
      var some = bundles.subList(from, Math.min(bundles.size(), from + LANES));
      deck.alarms().all(some);
      for (var bundle : some) for (var grant : bundle.grants()) all &= settle(grant, buyers);
    }
    return all;
  }

  /** False if somebody else was quicker with a shard. */
  private boolean settle(Grant grant, Map<String, Buyer> buyers) {
    switch (grant.result()) {
      case GRANTED -> {
        var before = grant.buyer().call.worker();
        listener.granted(grant.worker(), grant.settled());
        recent.wrote(before, grant.buyer().call.worker());
      }
      case WORKER_CHANGED -> {
        grant.buyer().call.stale();
        buyers.remove(grant.worker());
      }
      case SHARD_TAKEN -> {
        ring.doubt();
        return false;
      }
    }
    return true;
  }
}
