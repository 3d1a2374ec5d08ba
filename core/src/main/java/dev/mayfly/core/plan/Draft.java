package dev.mayfly.core.plan;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Worker;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A plan while it is made: what was decided so far, and the capacity that is left then. */
final class Draft {
  private final View view;
  private final Cluster cluster;
  private final Shares shares;
  private final Holds holds;
  private final Purchases purchases;
  private final Reasons reasons = new Reasons();
  private final Kept kept;
  private final GangDraft gangs;
  private final Map<String, Long> placed;
  private Capacity capacity;

  /**
   * @param ending workers that are to end
   */
  Draft(View view, Map<String, Decision.Drain> ending) {
    this.view = view;
    cluster = view.cluster();
    shares = new Shares(view);
    holds = new Holds(view, shares, ending.keySet());
    var stock = new Stock(view.stockouts(), view.now());
    var census = Census.of(view, ending);
    placed = census.placed();
    capacity = census.capacity();
    purchases = new Purchases(view, stock, census);
    kept = new Kept(view, capacity.keepers());
    var gathering = new Gathering(view, ending.keySet());
    gangs = new GangDraft(view, gathering, purchases, stock, holds, kept, reasons);
  }

  /** Keeps a pool's minimum. */
  void warm(PoolSpec pool) {
    if (pool.provisioning() == Provisioning.STATIC) return;
    var missing = pool.min() - purchases.live(pool);
    if (missing <= 0) return;
    var vetoes = new ArrayList<String>();
    var why = "workers.min is " + pool.min();
    var bought = purchases.launch(pool, Place.ANYWHERE, missing, why, vetoes);
    if (bought.isPresent()) capacity = capacity.plus(bought.get());
    if (!vetoes.isEmpty()) reasons.waits("pool/" + pool.name(), vetoes);
  }

  /** Finds room for a job's open tasks, first on what is there, then on what can be launched. */
  void serve(Demand job) {
    if (job.gang() > 1) {
      // What it does not claim anew is for whoever comes next.
      kept.release(job);
      capacity = gangs.serve(job, capacity.keeping(kept.keepers()));
      return;
    }
    // What must not run twice does not leave the worker that has it.
    var elsewhere =
        job.standing().exclusive() ? 0 : job.leased() - placed.getOrDefault(job.job(), 0L);
    var open = job.ready() + Math.max(0, elsewhere);
    for (var asked : Asked.of(job, open, cluster.spec(), view.now())) serve(asked);
  }

  private void serve(Asked asked) {
    var job = asked.job();
    var taken =
        asked.nowhere() ? new Capacity.Taken(capacity, 0) : capacity.take(job, asked.open());
    var leaves = taken.filled() < asked.open() ? kept.closedTo(job) : List.<String>of();
    capacity = taken.capacity();
    var open = asked.open() - taken.filled();
    if (open <= 0) {
      keepFor(job, holds.free(job));
      return;
    }
    if (!job.place().launches()) {
      lacks(job, List.of(pinned(job.place())), pools(job));
      return;
    }
    buy(asked, open, leaves);
  }

  private void buy(Asked asked, long missing, List<String> leaves) {
    var job = asked.job();
    var vetoes = new ArrayList<String>();
    var pools = new LinkedHashSet<String>();
    var open = missing;
    for (var pool : inOrder(job, asked.pools())) {
      if (Feasibility.why(job.need(), job.place(), pool).isPresent()) continue;
      pools.add(pool.name());
      if (open > 0 && pool.provisioning() == Provisioning.STATIC) vetoes.add(own(pool));
      else if (open > 0 && !pool.manual()) open -= buy(pool, asked, open, vetoes);
    }
    if (pools.isEmpty() && asked.why().isEmpty()) reasons.impossible(job, cluster.spec());
    else if (pools.isEmpty()) reasons.waits("job/" + job.name(), List.of(Feasibility.NO_FALLBACK));
    else if (open > 0) {
      leaves.forEach(why -> reasons.why(job, "kept", why));
      lacks(job, vetoes, pools);
    } else keepFor(job, holds.free(job));
  }

  /** Machines whose accelerators nobody asked for come last. */
  private static List<PoolSpec> inOrder(Demand job, List<PoolSpec> pools) {
    var plain = new ArrayList<PoolSpec>();
    var dear = new ArrayList<PoolSpec>();
    for (var pool : pools) {
      var gpus = pool.visible().gpuMillis() > 0 && job.need().gpuMillis() == 0;
      var tpus = pool.visible().tpuChips() > 0 && job.need().tpuChips() == 0;
      (gpus || tpus ? dear : plain).add(pool);
    }
    plain.addAll(dear);
    return plain;
  }

  private void lacks(Demand job, List<String> vetoes, Set<String> pools) {
    reasons.lacks(job, vetoes);
    var mine = new HashSet<>(pools);
    mine.removeIf(pool -> holds.isAsked(pool, job));
    // Whoever waits for a place among many is not kept from it by one that can't use it.
    if (!mine.isEmpty()) keepFor(job, holds.forTasks(job, mine));
    holds.waits(job, List.copyOf(pools));
  }

  private Set<String> pools(Demand job) {
    return cluster.spec().pools().stream()
        .map(PoolSpec::name)
        .filter(job.place()::pool)
        .collect(Collectors.toUnmodifiableSet());
  }

  private void keepFor(Demand job, List<Worker> workers) {
    if (workers.isEmpty() && job.waiting().kept().isEmpty()) return;
    kept.release(job);
    if (!workers.isEmpty()) {
      kept.keep(job, workers, List.of(), holds.until(workers, job));
      for (var worker : workers)
        reasons.why(
            job,
            "hold",
            "worker %s is kept for it until there is room for a task".formatted(worker.name()));
    }
    capacity = capacity.keeping(kept.keepers());
  }

  private long buy(PoolSpec pool, Asked asked, long open, List<String> vetoes) {
    var job = asked.job();
    var slots = TpuTypes.isOneHost(pool.machineType()) ? pool.visible().slots(job.need()) : 1;
    var wanted = Math.min(Planner.LAUNCHES, open / slots + (open % slots == 0 ? 0 : 1));
    var reason =
        (open == 1 ? "1 task of job %s has no room" : open + " tasks of job %s have no room")
                .formatted(job.name())
            + (pool.provisioning() == Provisioning.SPOT ? "" : asked.why());
    var bought = purchases.launch(pool, job.place(), (int) wanted, reason, vetoes);
    purchases
        .limit(pool)
        .filter(l -> vetoes.contains(l.why()))
        .ifPresent(l -> reasons.why(job, "unfit", l.why()));
    purchases
        .tooDear(pool, 1)
        .filter(vetoes::contains)
        .ifPresent(why -> reasons.why(job, "budget", why));
    if (bought.isEmpty()) return 0;
    var taken = new Capacity(List.of(bought.get()), Map.of()).take(job, open);
    for (var room : taken.capacity().rooms()) capacity = capacity.plus(room);
    return taken.filled();
  }

  private String own(PoolSpec pool) {
    return "pool %s has machines of one's own, %d now, and none is bought for it; mayfly worker join --pool %s on one more"
        .formatted(pool.name(), purchases.live(pool), pool.name());
  }

  private static String pinned(Place place) {
    return "it may run on %s alone; no machine is launched for it"
        .formatted(String.join(", ", place.workers()));
  }

  /** The whole plan. */
  Plan plan(Map<String, Decision.Drain> ending) {
    var leftovers =
        new Leftovers(view, capacity, gangs.letGo()).drains(holds.held(), ending.keySet());
    var decisions = new ArrayList<Decision>(ending.values());
    decisions.addAll(leftovers);
    decisions.addAll(gangs.decisions());
    decisions.addAll(purchases.decisions());
    decisions.addAll(reasons.decisions());
    decisions.addAll(new GivingWay(view, shares, holds).yields(reasons.starved(), kept.keeps()));
    return new Plan(decisions, kept.keeps(), gangs.gaveUp(leftovers), reasons.whys());
  }
}
