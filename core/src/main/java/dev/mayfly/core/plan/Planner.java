package dev.mayfly.core.plan;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.plan.Capacity.Room;
import dev.mayfly.core.plan.Capacity.Use;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides what to launch and what to let end, from one view of a cluster.
 *
 * <p><b>Must:</b>
 *
 * <ul>
 *   <li>never go above a pool's maximum, and count workers in flight and those that still drain;
 *   <li>never ask a zone that is thought to be out of stock, nor for a shape that is too small;
 *   <li>never drain below a pool's minimum, nor a worker that open tasks need;
 *   <li>ask for no more TPUs than the project may in a minute, nor for a slice by hand before the
 *       chips of the one that it replaces are back;
 *   <li>launch nothing for a cluster that is going, and at most {@value #LAUNCHES} machines a
 *       round;
 *   <li>give equal plans for equal views.
 * </ul>
 *
 * <p><b>Goals</b>, first to last: the jobs in the order of their turns; no machine where one that
 * is there or in flight has room; the pools in the spec's order, cheapest first; the zone that
 * refused least; nothing left switched on.
 *
 * <p>Its cost grows with workers and jobs, never with tasks.
 */
public final class Planner {
  static final int LAUNCHES = 500;

  private Planner() {}

  /**
   * The decisions, drains first; whatever is wanted and not possible is among them with its
   * reasons.
   */
  public static List<Decision> plan(View view) {
    if (view.cluster().phase() != Cluster.Phase.UP) return Drains.all(view);
    var ending = Drains.unwanted(view);
    var draft = new Draft(view, Census.of(view, ending), new Gathering(view, ending.keySet()));
    for (var pool : view.cluster().spec().pools()) draft.warm(pool);
    for (var job : view.jobs()) draft.serve(job);
    var decisions = new ArrayList<Decision>(ending.values());
    var kept = new HashSet<>(ending.keySet());
    kept.addAll(draft.gathering.workers());
    decisions.addAll(draft.gathering.givenUp());
    decisions.addAll(Drains.idle(view, draft.capacity, kept));
    decisions.addAll(draft.gathering.decisions());
    draft.launches.forEach((where, what) -> decisions.add(what.at(where)));
    decisions.addAll(draft.waits);
    decisions.addAll(FairShare.yields(view, draft.starved));
    return decisions;
  }

  private record Where(String pool, String zone) {}

  private record What(int count, List<String> reasons) {
    What plus(int more, String reason) {
      var all = new ArrayList<>(reasons);
      if (all.size() < 5) all.add(reason);
      return new What(count + more, all);
    }

    Decision.Launch at(Where where) {
      return new Decision.Launch(where.pool, where.zone, count, String.join("; ", reasons));
    }
  }

  /** A plan while it is made: what was decided so far, and the capacity that is left then. */
  private static final class Draft {
    private final Cluster cluster;
    private final Instant now;
    private final Stock stock;
    private final Map<String, Integer> counted;
    private final Map<String, Integer> live;
    private final Map<String, Long> placed;
    private final Map<Where, What> launches = new LinkedHashMap<>();
    private final List<Decision> waits = new ArrayList<>();
    private final Set<String> starved = new HashSet<>();
    private final Slices tpus;
    private final Gathering gathering;
    private Capacity capacity;
    private int left = LAUNCHES;

    Draft(View view, Census census, Gathering gathering) {
      this.gathering = gathering;
      cluster = view.cluster();
      now = view.now();
      stock = new Stock(view.stockouts(), view.now());
      counted = census.counted();
      live = census.live();
      placed = census.placed();
      capacity = census.capacity();
      tpus = new Slices(view);
    }

    /** Keeps a pool's minimum. */
    void warm(PoolSpec pool) {
      if (pool.provisioning() == Provisioning.STATIC) return;
      var missing = pool.min() - live.getOrDefault(pool.name(), 0);
      if (missing <= 0) return;
      var vetoes = new ArrayList<String>();
      var bought = launch(pool, Place.ANYWHERE, missing, "workers.min is " + pool.min(), vetoes);
      if (bought.isPresent()) capacity = capacity.plus(bought.get());
      if (!vetoes.isEmpty()) waits.add(new Decision.Wait("pool/" + pool.name(), vetoes));
    }

    /** Finds room for a job's open tasks, first on what is there, then on what can be launched. */
    void serve(Demand job) {
      if (job.gang() > 1) {
        together(job);
        return;
      }
      var open = job.ready() + Math.max(0, job.leased() - placed.getOrDefault(job.job(), 0L));
      for (var asked : Asked.of(job, open, cluster.spec(), now)) serve(asked);
    }

    /** A task of it takes so many whole workers of one pool, which are there at the same time. */
    private void together(Demand job) {
      var open = job.ready();
      var vetoes = new ArrayList<String>();
      var possible = false;
      for (var pool : cluster.spec().pools()) {
        if (Feasibility.why(job.need(), job.place(), pool).isPresent()
            || pool.max() < job.gang()
            || !TpuTypes.isOneHost(pool.machineType())) continue;
        possible = true;
        for (; open > 0 && gathering.gather(job, pool); open--)
          capacity = capacity.without(pool.name(), job.gang());
        if (open > 0) open -= await(job, pool, open, vetoes);
      }
      if (!possible) impossible(job);
      else if (open > 0) lacks(job, vetoes);
    }

    /** For how many tasks workers are there or on their way, once what is missing is launched. */
    private long await(Demand job, PoolSpec pool, long open, List<String> vetoes) {
      var has = gathering.waiting(job, pool, capacity);
      long there = live.getOrDefault(pool.name(), 0);
      var room = pool.max() - counted.getOrDefault(pool.name(), 0);
      var tasks = Math.min(open, (has + Math.max(0, room)) / job.gang());
      if (tasks < open)
        vetoes.add(
            "pool %s may have %d workers, and a task of it takes %d at the same time"
                .formatted(pool.name(), pool.max(), job.gang()));
      var missing = tasks * job.gang() - has;
      if (missing > 0 && job.place().launches()) {
        var reason =
            "%d tasks of job %s take %d workers each".formatted(tasks, job.name(), job.gang());
        var bought = launch(pool, job.place(), (int) Math.min(LAUNCHES, missing), reason, vetoes);
        has += bought.map(Room::count).orElse(0L);
        there += bought.map(Room::count).orElse(0L);
      }
      // What waits for the rest of its gang is nobody else's, and is idle only if that can't be
      // had.
      capacity = capacity.without(pool.name(), Math.min(has, open * job.gang()));
      // Others of the pool may be free soon.
      if (has < job.gang() && there < job.gang())
        gathering.giveUp(job, pool, Math.max(0, there - (long) pool.min()));
      return Math.min(tasks, has / job.gang());
    }

    private void serve(Asked asked) {
      var job = asked.job();
      var taken =
          asked.nowhere() ? new Capacity.Taken(capacity, 0) : capacity.take(job, asked.open());
      capacity = taken.capacity();
      var open = asked.open() - taken.filled();
      if (open <= 0) return;
      if (!job.place().launches()) {
        lacks(job, List.of(pinned(job.place())));
        return;
      }
      var vetoes = new ArrayList<String>();
      var possible = false;
      for (var pool : asked.pools()) {
        if (Feasibility.why(job.need(), job.place(), pool).isPresent()) continue;
        possible = true;
        if (open > 0 && pool.provisioning() == Provisioning.STATIC) vetoes.add(own(pool));
        else if (open > 0 && !pool.manual()) open -= buy(pool, asked, open, vetoes);
      }
      if (!possible && asked.why().isEmpty()) impossible(job);
      else if (!possible)
        waits.add(new Decision.Wait("job/" + job.name(), List.of(Feasibility.NO_FALLBACK)));
      else if (open > 0) lacks(job, vetoes);
    }

    private void lacks(Demand job, List<String> why) {
      starved.add(job.job());
      waits.add(new Decision.Wait("job/" + job.name(), why));
    }

    private long buy(PoolSpec pool, Asked asked, long open, List<String> vetoes) {
      var job = asked.job();
      var slots = TpuTypes.isOneHost(pool.machineType()) ? pool.visible().slots(job.need()) : 1;
      var wanted = Math.min(LAUNCHES, open / slots + (open % slots == 0 ? 0 : 1));
      var reason =
          (open == 1 ? "1 task of job %s has no room" : open + " tasks of job %s have no room")
                  .formatted(job.name())
              + (pool.provisioning() == Provisioning.SPOT ? "" : asked.why());
      var bought = launch(pool, job.place(), (int) wanted, reason, vetoes);
      if (bought.isEmpty()) return 0;
      var taken = new Capacity(List.of(bought.get())).take(job, open);
      for (var room : taken.capacity().rooms()) capacity = capacity.plus(room);
      return taken.filled();
    }

    /** Launches as many of {@code wanted} as may be, and says why not all. */
    private Optional<Room> launch(
        PoolSpec pool, Place place, int wanted, String reason, List<String> vetoes) {
      var has = counted.getOrDefault(pool.name(), 0);
      // Of a slice by hand, what drains holds back the chips, and counts by them.
      var room = pool.manual() ? wanted : pool.max() - has;
      var n = Math.min(wanted, Math.min(room, left));
      if (room < wanted)
        vetoes.add(
            "pool %s may have %d workers and has %d".formatted(pool.name(), pool.max(), has));
      else if (left < wanted)
        vetoes.add("a round launches %d machines; the next goes on".formatted(LAUNCHES));
      if (n > 0) n = tpus.may(pool, n, vetoes);
      if (n <= 0) return Optional.empty();
      var zone = stock.best(cluster, pool, place);
      if (zone.isEmpty()) {
        vetoes.addAll(stock.vetoes(cluster, pool, place));
        return Optional.empty();
      }
      counted.merge(pool.name(), n, Integer::sum);
      left -= n;
      tpus.take(pool, n);
      var where = new Where(pool.name(), zone.get());
      launches.put(where, launches.getOrDefault(where, new What(0, List.of())).plus(n, reason));
      var at = new Capacity.At(pool.name(), zone.get(), "");
      var slice = !TpuTypes.isOneHost(pool.machineType());
      return Optional.of(new Room(at, pool.visible(), Use.IN_FLIGHT, n, slice));
    }

    private String own(PoolSpec pool) {
      return "pool %s has machines of one's own, %d now, and none is bought for it; mayfly worker join --pool %s on one more"
          .formatted(pool.name(), live.getOrDefault(pool.name(), 0), pool.name());
    }

    private static String pinned(Place place) {
      return "it may run on %s alone; no machine is launched for it"
          .formatted(String.join(", ", place.workers()));
    }

    private void impossible(Demand job) {
      Resources need = job.need();
      Feasibility.check(need, job.place(), cluster.spec())
          .ifPresent(why -> waits.add(new Decision.Impossible(job.job(), job.name(), why)));
    }
  }
}
