package dev.mayfly.core.query.task;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.VetoText;
import dev.mayfly.core.plan.waiting.RunningCauses;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.state.worker.StaticWorkerTermination;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Says why running jobs and tasks do not go on, in the same words to whoever asks. */
public record RunningReasons(Ledger ledger, Instant now) {
  /**
   * The most important one first; without a read, but for lost workers.
   *
   * @param workers all that may hold tasks of the job
   */
  public List<VetoText> of(Job job, TaskTotals totals, List<Worker> workers) {
    return causes(job).of(totals, workers).stream().map(this::words).toList();
  }

  /** Why a task of the job that this worker holds does not go on, where its agent cannot say it. */
  Optional<VetoText> of(Job job, Worker holder) {
    return causes(job).lost(holder).map(this::words);
  }

  private RunningCauses causes(Job job) {
    var termination = new StaticWorkerTermination(ledger, () -> now);
    return new RunningCauses(job, termination::provedAt, now);
  }

  private VetoText words(Veto veto) {
    return VetoText.of(veto, now);
  }
}
