package dev.mayfly.core.query.task;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.plan.lease.LivenessPolicy;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.VetoText;
import dev.mayfly.core.plan.waiting.RunningCauses;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.state.worker.DueTimes;
import dev.mayfly.core.state.worker.StaticWorkerTermination;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Says why running jobs and tasks of a cluster do not go on, in the same words to whoever asks. */
public final class RunningReasons {
  private final Ledger ledger;
  private final LivenessPolicy livenessPolicy;
  private final Instant now;
  private @Nullable SortedMap<String, Instant> due;

  public RunningReasons(Ledger ledger, Timings timings, Instant now) {
    this.ledger = ledger;
    livenessPolicy = LivenessPolicy.of(timings);
    this.now = now;
  }

  /**
   * The most important one first; with one read if workers hold tasks of it, and more for lost
   * ones.
   *
   * @param workers all that may hold tasks of the job
   */
  public List<VetoText> of(Job job, TaskTotals totals, List<Worker> workers) {
    return vetoes(job, totals, workers).stream().map(this::words).toList();
  }

  /** The same without words. */
  public List<Veto> vetoes(Job job, TaskTotals totals, List<Worker> workers) {
    return causes(job).of(totals, workers);
  }

  /** Why a task of the job that this worker holds does not go on, where its agent cannot say it. */
  Optional<VetoText> of(Job job, Worker holder) {
    var causes = causes(job);
    return causes.lost(holder).or(() -> causes.silent(holder)).map(this::words);
  }

  private RunningCauses causes(Job job) {
    var termination = new StaticWorkerTermination(ledger, () -> now);
    var silences = new RunningCauses.Silences(livenessPolicy, () -> due(job));
    return new RunningCauses(job, termination::provedAt, silences, now);
  }

  /** When workers report next: read once. */
  private SortedMap<String, Instant> due(Job job) {
    if (due == null) due = DueTimes.stored(ledger, job.cluster());
    return due;
  }

  private VetoText words(Veto veto) {
    return VetoText.of(veto, now);
  }
}
