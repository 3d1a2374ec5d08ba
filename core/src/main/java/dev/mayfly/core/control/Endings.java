package dev.mayfly.core.control;

import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.port.Bus;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Write;
import java.time.InstantSource;
import java.util.List;

/** Moves a job on that has nothing left to run. The tick does the same for what is missed here. */
public final class Endings {
  private final Ledger ledger;
  private final Bus bus;
  private final InstantSource clock;

  public Endings(Ledger ledger, Bus bus, InstantSource clock) {
    this.ledger = ledger;
    this.bus = bus;
    this.clock = clock;
  }

  /**
   * A running job whose tasks all ended, or a stopping one that nobody runs any more, becomes
   * FINISHING; the audit is sent for. Losing the race to somebody who does the same is no error.
   */
  public void settle(Key.OfJob key) {
    var stored = ledger.read(key);
    if (stored.isEmpty()) return;
    var job = stored.get().value();
    if (!overdue(job)) return;
    var stopped = job.state() instanceof JobState.Stopping;
    var next = job.with(new JobState.Finishing(clock.instant(), stopped));
    if (ledger.commit(List.of(new Write.Update(next, stored.get().version()))).done())
      Hints.send(bus, new Hint.Audit(key.cluster(), key.job()));
  }

  /**
   * The same for a job as it was a while ago: while it runs and has open shards, nothing else is
   * read. If it was stopped since, whoever stopped it or the tick looks again.
   */
  void settle(Job seen) {
    if (seen.state() instanceof JobState.Running && !overdue(seen)) return;
    settle(seen.key());
  }

  private boolean overdue(Job job) {
    return switch (job.state()) {
      case JobState.Running r ->
          ledger.query(new Query.OpenShards(job.cluster(), job.uid(), 1)).isEmpty();
      case JobState.Stopping s ->
          ledger.query(new Query.LeasedShards(job.cluster(), job.uid(), 1)).isEmpty();
      case JobState.Expanding e -> false;
      case JobState.Finishing f -> false;
      case JobState.Ended e -> false;
    };
  }
}
