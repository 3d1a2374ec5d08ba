package dev.mayfly.core.state.job;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.TaskTime;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import java.time.InstantSource;
import java.util.List;

/** Builds the demands of running jobs for the planner. */
public final class JobDemands {
  /**
   * Most shards of one job that are read to decide what machines to launch; the next reconcile sees
   * more.
   */
  private static final int SPENT = 100;

  private final Ledger ledger;
  private final InstantSource clock;

  public JobDemands(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  /**
   * @param kept workers that the last plan kept for the job
   */
  public JobDemand of(Job job, TaskTotals taskTotals, List<String> kept) {
    var spec = job.spec();
    return new JobDemand(
        job.uid(),
        spec.name(),
        spec.resources(),
        spec.place(),
        taskTotals.ready(),
        taskTotals.leased(),
        new JobDemand.Standing(
            spec.owner().orElse(""),
            spec.priority(),
            spec.exclusive(),
            spec.admission().concurrency()),
        urgency(job),
        Math.max(1, spec.gang()),
        new JobDemand.Waiting(
            job.submittedAt(),
            kept,
            spec.run().longest(),
            new CrashLoopReader(ledger).of(job, taskTotals),
            mayMeasure(job, taskTotals) ? TaskTime.UNREAD : TaskTime.NEVER));
  }

  /** Of tasks that an earlier job had done nothing says which of a range they are. */
  private static boolean mayMeasure(Job job, TaskTotals taskTotals) {
    return taskTotals.done() > 0
        && job.spec().gang() <= 1
        && job.tasks().open().isEmpty()
        && job.tasks().before().isEmpty();
  }

  private JobDemand.Urgency urgency(Job job) {
    var wish = job.spec().retries().onDemand();
    if (!wish.asked()) return JobDemand.Urgency.NONE;
    var spent =
        wish.preemptions() == 0
            ? List.<VersionedDocument<Shard>>of()
            : ledger
                .query(new LedgerQuery.SpentShards(job.cluster(), job.uid(), SPENT))
                .readableOnly();
    var now = clock.instant();
    var urgent = wish.urgentFrom(job.submittedAt()).filter(from -> !now.isBefore(from));
    return new JobDemand.Urgency(
        spent.stream().mapToLong(s -> s.value().open()).sum(),
        wish.preemptions(),
        urgent.map(from -> from.plus(wish.before())));
  }
}
