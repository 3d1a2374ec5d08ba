package dev.mayfly.core.plan;

import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.plan.Capacity.Site;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The part of a plan that is about gangs: each task takes so many whole workers of one zone of one
 * pool at the same time.
 *
 * <p><b>Goals</b>, first to last: workers that are there; those on their way, wherever they are;
 * the zone that has most and may be asked for the rest; where the rest runs other work. Where
 * neither can be had, nothing waits: what is there is for others, and a zone that lacked a part of
 * a gang is asked for a whole one more and more seldom.
 */
final class GangDraft {
  final View view;
  final Gathering gathering;
  final Purchases purchases;
  final Stock stock;
  final Holds holds;
  final Kept kept;
  final Reasons reasons;
  private final List<Decision> decisions = new ArrayList<>();
  private final Map<String, String> letGo = new HashMap<>();
  private final Map<String, Plan.GaveUp> lacking = new HashMap<>();

  GangDraft(
      View view,
      Gathering gathering,
      Purchases purchases,
      Stock stock,
      Holds holds,
      Kept kept,
      Reasons reasons) {
    this.view = view;
    this.gathering = gathering;
    this.purchases = purchases;
    this.stock = stock;
    this.holds = holds;
    this.kept = kept;
    this.reasons = reasons;
  }

  /** Finds workers for the job's ready tasks; the capacity without them. */
  Capacity serve(Demand job, Capacity capacity) {
    var spec = view.cluster().spec();
    var sites = gathering.sites(job, spec.pools());
    if (sites.isEmpty()) {
      reasons.impossible(job, spec);
      return capacity;
    }
    var one = new GangJob(this, job, sites, capacity);
    var open = job.ready();
    while (open > 0 && one.next()) open--;
    return one.end(open);
  }

  void gather(Demand job, List<Worker> workers) {
    var names = workers.stream().map(Worker::name).toList();
    decisions.add(new Decision.Gather(job.job(), names));
    claim(workers);
  }

  /** They are for one gang, and for nobody else. */
  void claim(List<Worker> workers) {
    gathering.claim(workers);
    workers.forEach(holds::hold);
  }

  /** What waited for the rest of a gang that can't be had is for others, or ends. */
  void giveUp(Demand job) {
    for (var worker : gathering.unclaimed(job)) {
      var was = job.waiting().kept().contains(worker.name());
      if (!was && !Drains.isSpare(view, worker)) continue;
      var pool = pool(Gathering.site(worker));
      letGo.putIfAbsent(
          worker.name(),
          was
              ? "the rest of a gang of %d cannot be had now".formatted(job.gang())
              : "waited %s for the rest of a gang of %d, which cannot be had now"
                  .formatted(Spans.say(pool.idleAfter()), job.gang()));
      if (was && !stock.mayAsk(view.cluster(), pool, worker.zone()))
        lacking.put(worker.name(), new Plan.GaveUp(worker.pool(), worker.zone(), job.gang()));
    }
  }

  /** The gangs that are complete. */
  List<Decision> decisions() {
    return decisions;
  }

  /** By worker, why it need not wait any longer: the rest of its gang can't be had. */
  Map<String, String> letGo() {
    return letGo;
  }

  /** The zones of the workers that were let go and that nobody else has taken. */
  List<Plan.GaveUp> gaveUp(List<Decision.Drain> drains) {
    return drains.stream()
        .flatMap(d -> Optional.ofNullable(lacking.get(d.worker())).stream())
        .distinct()
        .toList();
  }

  PoolSpec pool(Site site) {
    return view.cluster().spec().pool(site.pool()).orElseThrow();
  }
}
