package dev.mayfly.core.plan.waiting;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.OpenTasks;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.model.sync.StalledTask;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.lease.LivenessPolicy;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.Veto;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Why a running job does not go on, as values: of its tasks that workers hold, and of one that has
 * nothing left to run.
 *
 * @param provedAt when a lost worker certainly runs nothing any more, if that passes with time
 */
public record RunningCauses(
    Job job, Function<Worker, Optional<Instant>> provedAt, Silences silences, Instant now) {
  /**
   * What tells silent workers.
   *
   * @param due by host, when its next report is due
   */
  public record Silences(LivenessPolicy livenessPolicy, Supplier<Map<String, Instant>> due) {}

  /** Reasons of one kind that are told. */
  private static final int MOST = 3;

  /**
   * Lost workers first, then silent ones, then what stalls most tasks.
   *
   * @param workers all that may hold tasks of it
   */
  public List<Veto> of(TaskTotals totals, List<Worker> workers) {
    var vetoes = new ArrayList<Veto>();
    workers.stream().map(this::lost).flatMap(Optional::stream).limit(MOST).forEach(vetoes::add);
    workers.stream().map(this::silent).flatMap(Optional::stream).limit(MOST).forEach(vetoes::add);
    vetoes.addAll(stalled(workers));
    if (totals.ready() == 0 && totals.leased() == 0) additions().ifPresent(vetoes::add);
    return vetoes;
  }

  /** That the worker is lost and its tasks of the job wait for the proof of its end. */
  public Optional<Veto> lost(Worker worker) {
    if (!(worker.state() instanceof WorkerState.Lost lost) || !job.spec().exclusive())
      return Optional.empty();
    if (worker.held().stream().noneMatch(this::isOfJob)) return Optional.empty();
    var until = provedAt.apply(worker).map(at -> at.truncatedTo(ChronoUnit.SECONDS));
    return Optional.of(new JobVeto.HolderLost(worker.name(), lost.reason(), until));
  }

  /** That the worker has tasks of the job and does not report, or one of its hosts. */
  public Optional<Veto> silent(Worker worker) {
    var reports =
        worker.state() instanceof WorkerState.Ready
            || worker.state() instanceof WorkerState.Draining;
    if (!reports || worker.held().stream().noneMatch(h -> h.job().equals(job.uid())))
      return Optional.empty();
    var policy = silences.livenessPolicy();
    return policy
        .silentSince(worker.name(), silences.due().get(), now)
        .map(due ->
            new JobVeto.HolderSilent(
                worker.name(),
                due,
                policy.lostAfter(),
                policy.lostBy(due),
                job.spec().exclusive()));
  }

  private boolean isOfJob(Worker.Held held) {
    return held.job().equals(job.uid()) && !held.gang();
  }

  private List<JobVeto.Stalled> stalled(List<Worker> workers) {
    var byReason =
        workers.stream()
            .filter(worker -> !(worker.state() instanceof WorkerState.Lost))
            .flatMap(worker -> worker.held().stream())
            .filter(held -> held.job().equals(job.uid()))
            .flatMap(held -> held.stalled().stream())
            .collect(
                Collectors.groupingBy(StalledTask::why, LinkedHashMap::new, Collectors.toList()));
    return byReason.entrySet().stream()
        .map(e -> new JobVeto.Stalled(e.getValue().size(), e.getKey(), first(e.getValue())))
        .sorted(Comparator.comparingLong(veto -> -veto.tasks()))
        .limit(MOST)
        .toList();
  }

  private static Instant first(List<StalledTask> tasks) {
    return tasks.stream().map(StalledTask::until).min(Comparator.naturalOrder()).orElseThrow();
  }

  private Optional<Veto> additions() {
    return job.tasks().open().filter(open -> open.awaitsMore(now)).flatMap(this::additions);
  }

  private Optional<Veto> additions(OpenTasks open) {
    return open.closed()
        .map(closed ->
            new JobVeto.AdditionsAwaited(
                closed.additions().orElse(open.additions()),
                open.additions(),
                closed.at().plus(OpenTasks.LATE).truncatedTo(ChronoUnit.SECONDS)));
  }
}
