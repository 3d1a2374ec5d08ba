package dev.mayfly.core.state.job;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.text.HumanDuration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stops jobs of which no task has started in the time that their user gave them. The time begins
 * when the job's tasks are listed, so that a wait for other jobs does not count.
 */
public final class QueueTimeout {
  private static final int PAGE = 300;
  private static final int MOST_REMEMBERED = 10_000;

  private final Context context;
  private final JobStop jobStop;
  private final Set<String> started = ConcurrentHashMap.newKeySet();

  public QueueTimeout(Context context, JobStop jobStop) {
    this.context = context;
    this.jobStop = jobStop;
  }

  /**
   * Costs reads only once the time has passed, and no more when a task is known to have started.
   */
  public void stopIfOverdue(Job job, JobState.Running running) {
    var limit = job.spec().admission().queueTimeout();
    var now = context.clock().instant();
    if (limit.isEmpty()
        || running.since().plus(limit.get()).isAfter(now)
        || started.contains(job.uid())) return;
    if (hasStarted(job)) {
      if (started.size() > MOST_REMEMBERED) started.clear();
      started.add(job.uid());
      return;
    }
    jobStop.stop(
        job.key(),
        now,
        "no task started in its queueTimeout of " + HumanDuration.exact(limit.get()));
  }

  /** Whether some shard was ever leased. */
  private boolean hasStarted(Job job) {
    for (var from = 0L; ; ) {
      var page =
          context
              .ledger()
              .query(new LedgerQuery.Shards(job.cluster(), job.uid(), from, PAGE))
              .requireComplete();
      if (page.stream().anyMatch(s -> s.value().epoch() > 0)) return true;
      if (page.size() < PAGE) return false;
      from = page.getLast().value().start() + 1;
    }
  }
}
