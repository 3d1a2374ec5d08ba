package dev.mayfly.core.state.job;

import dev.mayfly.core.model.BatchSize;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.TriggerSender;
import java.util.List;

/**
 * Sends the triggers of jobs again that nobody works on, if the last ones are old. When that was is
 * in the job's document, so that neither a tick nor another process sends what is under way.
 */
public final class TriggerRepeats {
  private final Context context;

  public TriggerRepeats(Context context) {
    this.context = context;
  }

  /**
   * @param jobs of one cluster, as they were seen
   */
  public void send(List<Job> jobs, FailureLog failureLog) {
    var keys = jobs.stream().filter(this::isUnattended).map(Job::key).toList();
    for (var from = 0; from < keys.size(); from += BatchSize.MAX_WRITES)
      sendSome(keys.subList(from, Math.min(keys.size(), from + BatchSize.MAX_WRITES)), failureLog);
  }

  private boolean isUnattended(Job job) {
    return job.state().isUnattended(context.clock().instant());
  }

  private void sendSome(List<DocumentKey.OfJob> keys, FailureLog failureLog) {
    var found =
        context.ledger().readAll(keys).readable(failureLog::unreadable).stream()
            .filter(job -> isUnattended(job.value()))
            .toList();
    if (found.isEmpty()) return;
    var marked = found;
    // One that was changed meanwhile is not repeated, and does not stop the others.
    if (!mark(found)) marked = found.stream().filter(job -> mark(List.of(job))).toList();
    for (var job : marked) TriggerSender.send(context.bus(), trigger(job.value()));
  }

  private boolean mark(List<VersionedDocument<Job>> jobs) {
    var now = context.clock().instant();
    var writes =
        jobs.stream()
            .<LedgerWrite>map(job ->
                new LedgerWrite.Update(
                    job.value().with(job.value().state().released(now)), job.version()))
            .toList();
    return context.ledger().commit(writes).done();
  }

  private static Trigger trigger(Job job) {
    return job.state() instanceof JobState.Finishing
        ? new Trigger.Finalize(job.cluster(), job.uid())
        : new Trigger.Expand(job.cluster(), job.uid());
  }
}
