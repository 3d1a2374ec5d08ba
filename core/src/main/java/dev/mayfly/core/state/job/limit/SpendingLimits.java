package dev.mayfly.core.state.job.limit;

import dev.mayfly.core.model.cluster.NotificationKind;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.notification.PendingNotification;
import dev.mayfly.core.plan.spending.JobSpending;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.job.JobStop;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Stops jobs whose tasks cost what their user allows, and tells people before. Costs two reads a
 * tick for each running job that has a limit; all workers are read again only near it, because what
 * a tick knows of them may count a machine twice that has ended since.
 */
public final class SpendingLimits {
  public static final String KIND = "spending";

  private static final int MOST = 1_000;

  private final Context context;
  private final JobStop jobStop;
  private final SpendingReader spendingReader;

  /** Of what this process has told; another process finds the event. */
  private final Set<String> told =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
              return size() > MOST;
            }
          });

  SpendingLimits(Context context) {
    this.context = context;
    jobStop = new JobStop(context);
    spendingReader = new SpendingReader(context);
  }

  /**
   * The uids of jobs that it stopped.
   *
   * @param workers all that may hold tasks of the jobs, read before
   */
  Set<String> check(List<Job> jobs, List<Worker> workers, FailureLog failureLog) {
    var stopped = new HashSet<String>();
    for (var job : jobs)
      if (job.running() && job.maxUsd().isPresent())
        failureLog.guard(
            "maxUsd of job " + job.spec().name(),
            () -> {
              if (isStopped(job, workers)) stopped.add(job.uid());
            });
    return stopped;
  }

  private boolean isStopped(Job job, List<Worker> workers) {
    var first = spendingReader.atMost(job, workers);
    var isNews =
        first
            .filter(it -> it.isReached() || (it.isNear() && !told.contains(id(job, it))))
            .isPresent();
    var exactly = isNews ? spendingReader.exactly(job) : first;
    if (exactly.isEmpty() || !isNews) return false;
    var spending = exactly.get();
    if (spending.isReached()) {
      jobStop.stop(job.key(), context.clock().instant(), spending.whyStopped());
      return true;
    }
    if (spending.isNear()) tell(job, spending);
    return false;
  }

  /** Once for each limit: who raised it is told of the next one. */
  private static String id(Job job, JobSpending spending) {
    return job.uid() + "/" + spending.maxUsd();
  }

  /** A repeat changes nothing. */
  private void tell(Job job, JobSpending spending) {
    var now = context.clock().instant();
    var event =
        new EventRecord(
                job.cluster(),
                EventRecord.repeatableId(job.submittedAt(), KIND, id(job, spending)),
                now,
                "job/" + job.spec().address(),
                KIND,
                spending.whyTold())
            .with(new PendingNotification(NotificationKind.SPENDING));
    var _ = context.ledger().commit(List.of(new LedgerWrite.Create(event)));
    told.add(id(job, spending));
  }
}
