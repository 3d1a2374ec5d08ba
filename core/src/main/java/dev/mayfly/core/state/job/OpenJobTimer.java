package dev.mayfly.core.state.job;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.OpenTasks;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Closes open jobs that nobody closes, so that none stays live for ever. */
public final class OpenJobTimer {
  private final Context context;
  private final JobQueueWriter jobQueueWriter;
  private final JobCompletion jobCompletion;

  public OpenJobTimer(Context context) {
    this.context = context;
    jobQueueWriter = new JobQueueWriter(context);
    jobCompletion = new JobCompletion(context);
  }

  /**
   * Reads nothing unless something must be written. A write that conflicts is repeated by the next
   * reconcile.
   *
   * @param idle whether none of its tasks waits or runs, as last read
   */
  public void closeIfOverdue(Job seen, boolean idle) {
    if (isDue(seen, idle)) context.ledger().read(seen.key()).ifPresent(this::update);
  }

  private boolean isDue(Job job, boolean idle) {
    if (!(job.spec().tasks() instanceof TaskSource.Open rules) || !job.running()) return false;
    var open = job.tasks().open();
    if (open.isEmpty() || open.get().closed().isPresent()) return false;
    return reason(open.get(), rules, idle).isPresent()
        || (idle && open.get().idleSince().isEmpty());
  }

  private void update(VersionedDocument<Job> storedJob) {
    var job = storedJob.value();
    var idle = isIdle(job.key());
    if (!isDue(job, idle) || !(job.spec().tasks() instanceof TaskSource.Open rules)) return;
    var now = context.clock().instant();
    var open = job.tasks().open().orElseThrow();
    var reason = reason(open, rules, idle);
    if (reason.isEmpty()) {
      commit(storedJob, open.idle(now), List.of());
      return;
    }
    var closing = new OpenTasks.Closing(now, Optional.empty(), reason.get());
    var event = new LedgerWrite.Put(jobQueueWriter.event(job, "closed", reason.get()));
    if (commit(storedJob, open.close(closing), List.of(event)))
      jobCompletion.completeIfDone(job.key());
  }

  private boolean isIdle(DocumentKey.OfJob key) {
    return context
        .ledger()
        .query(new LedgerQuery.OpenShards(key.cluster(), key.job(), 1))
        .isEmpty();
  }

  private boolean commit(
      VersionedDocument<Job> storedJob, OpenTasks next, List<LedgerWrite> events) {
    var job = storedJob.value();
    LedgerWrite update =
        new LedgerWrite.Update(job.withTasks(job.tasks().with(next)), storedJob.version());
    return context
        .ledger()
        .commit(Stream.concat(Stream.of(update), events.stream()).toList())
        .done();
  }

  private Optional<String> reason(OpenTasks open, TaskSource.Open rules, boolean idle) {
    var now = context.clock().instant();
    if (!now.isBefore(open.until()))
      return Optional.of("it was open for its openFor of " + text(rules.openFor()));
    return open.idleSince()
        .filter(since -> idle && !now.isBefore(since.plus(rules.idleAfter())))
        .map(_ -> "no task waited or ran for its idleAfter of " + text(rules.idleAfter()));
  }

  private static String text(Duration duration) {
    return HumanDuration.exact(duration);
  }
}
