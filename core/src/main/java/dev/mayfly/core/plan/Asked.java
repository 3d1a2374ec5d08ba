package dev.mayfly.core.plan;

import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a job asks room for: all of its open tasks wherever it may run; or first those that spot
 * machines lost too often, for which only others will do; or, near its deadline, all of them, on
 * demand where that can be had.
 *
 * @param job with the place where these tasks may run
 * @param open how many
 * @param pools to buy from, in this order
 * @param why added to the reason of what is bought
 */
record Asked(Demand job, long open, List<PoolSpec> pools, String why) {
  Asked {
    pools = List.copyOf(pools);
  }

  static List<Asked> of(Demand job, long open, ClusterSpec spec, Instant now) {
    var urgency = job.urgency();
    if (urgency.deadline().isPresent())
      return List.of(late(job, open, spec, urgency.deadline().get(), now));
    var spent = Math.min(urgency.spent(), open);
    if (spent == 0) return List.of(new Asked(job, open, spec.pools(), ""));
    return List.of(spent(job, spent, spec), new Asked(job, open - spent, spec.pools(), ""));
  }

  /** Nothing can be bought for it: no pool that it may use has machines that are not spot. */
  boolean nowhere() {
    return pools.isEmpty();
  }

  private static Asked spent(Demand job, long tasks, ClusterSpec spec) {
    var pools = pools(job.place(), spec, p -> p.provisioning() != Provisioning.SPOT);
    var n = job.urgency().preemptions();
    var why = ": %d preemption%s, on demand now".formatted(n, n == 1 ? "" : "s");
    return new Asked(only(job, pools), tasks, pools, why);
  }

  /** Whatever helps; what is taken back any moment comes last. */
  private static Asked late(
      Demand job, long tasks, ClusterSpec spec, Instant deadline, Instant now) {
    var pools = new ArrayList<>(pools(job.place(), spec, _ -> true));
    pools.sort(Comparator.comparing(p -> p.provisioning() == Provisioning.SPOT));
    var left = java.time.Duration.between(now, deadline);
    var why =
        left.isNegative()
            ? ": its deadline passed %s ago, on demand now".formatted(Spans.say(left.negated()))
            : ": its deadline is in %s, on demand now".formatted(Spans.say(left));
    return new Asked(only(job, pools), tasks, pools, why);
  }

  private static List<PoolSpec> pools(Place place, ClusterSpec spec, Predicate<PoolSpec> which) {
    return spec.pools().stream().filter(p -> place.fallback(p.name())).filter(which).toList();
  }

  private static Demand only(Demand job, List<PoolSpec> pools) {
    if (pools.isEmpty()) return job;
    return job.at(job.place().only(pools.stream().map(PoolSpec::name).toList()));
  }
}
