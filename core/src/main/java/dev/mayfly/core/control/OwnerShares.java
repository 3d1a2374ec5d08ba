package dev.mayfly.core.control;

import dev.mayfly.core.lease.LeastServed;
import dev.mayfly.core.model.Turns;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** What each owner of a priority runs when a pass begins, as far as this instance knows. */
final class OwnerShares {
  private final Ring ring;
  private final RecentLeases recent;

  OwnerShares(Ring ring, RecentLeases recent) {
    this.ring = ring;
    this.recent = recent;
  }

  /**
   * @param counted as of when the rows were counted
   * @param buyers calls that wait: what they report is newer than what is stored of their workers
   */
  LeastServed of(List<Turns.Row> band, Optional<Instant> counted, Collection<Buyer> buyers) {
    var since = new HashMap<>(recent.since(counted));
    for (var b : buyers) {
      for (var held : b.call.worker().held()) since.merge(held.job(), -held.atOnce(), Long::sum);
      for (var held : b.held()) since.merge(held.job(), held.atOnce(), Long::sum);
      b.publishing().forEach((job, tasks) -> since.merge(job, -tasks, Long::sum));
    }
    return new LeastServed(band, since, ring.instances());
  }
}
