package dev.mayfly.core.control;

import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.plan.Demand;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import java.time.InstantSource;
import java.util.List;

/** What running jobs still ask for, as plans are made from it. */
final class Demands {
  /** Shards of one job that are looked at for what machines to buy; the next round sees more. */
  private static final int SPENT = 100;

  private final Ledger ledger;
  private final InstantSource clock;

  Demands(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  /**
   * @param kept workers that the last plan kept for the job
   */
  Demand of(Job job, Totals totals, List<String> kept) {
    var spec = job.spec();
    return new Demand(
        job.uid(),
        spec.name(),
        spec.resources(),
        spec.place(),
        totals.ready(),
        totals.leased(),
        new Demand.Standing(spec.owner().orElse(""), spec.priority(), spec.exclusive()),
        urgency(job),
        Math.max(1, spec.gang()),
        new Demand.Waiting(job.submittedAt(), kept, spec.run().longest()));
  }

  private Demand.Urgency urgency(Job job) {
    var wish = job.spec().retries().onDemand();
    if (!wish.asked()) return Demand.Urgency.NONE;
    var spent =
        wish.preemptions() == 0
            ? List.<Stored<Shard>>of()
            : ledger.query(new Query.SpentShards(job.cluster(), job.uid(), SPENT)).some();
    var now = clock.instant();
    var urgent = wish.urgentFrom(job.submittedAt()).filter(from -> !now.isBefore(from));
    return new Demand.Urgency(
        spent.stream().mapToLong(s -> s.value().open()).sum(),
        wish.preemptions(),
        urgent.map(from -> from.plus(wish.before())));
  }
}
