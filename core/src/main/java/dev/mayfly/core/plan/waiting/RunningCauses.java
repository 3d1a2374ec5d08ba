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
import dev.mayfly.core.text.CauseForm;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
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
  public record Silences(LivenessPolicy livenessPolicy, Supplier<SortedMap<String, Instant>> due) {}

  /** Reasons of one kind that are told. */
  private static final int MOST = 3;

  /**
   * Lost workers first, then silent ones, then what stalls most tasks.
   *
   * @param workers all that may hold tasks of it
   */
  public List<Veto> of(TaskTotals totals, List<Worker> workers) {
    var vetoes = new ArrayList<Veto>();
    var lost = workers.stream().map(this::lost).flatMap(Optional::stream).toList();
    var silent = workers.stream().map(this::silent).flatMap(Optional::stream).toList();
    add(lost, "lost", "more lost worker", "mayfly workers", vetoes);
    add(silent, "silent", "more silent worker", "mayfly workers", vetoes);
    add(
        stalled(workers),
        "stalled",
        "other cause",
        "mayfly tasks %s --state running".formatted(job.spec().name()),
        vetoes);
    if (totals.ready() == 0 && totals.leased() == 0) additions().ifPresent(vetoes::add);
    return vetoes;
  }

  /** The first of them, and how many more there are. */
  private static void add(
      List<? extends Veto> all, String kind, String more, String command, List<Veto> vetoes) {
    all.stream().limit(MOST).forEach(vetoes::add);
    var rest = all.size() - MOST;
    if (rest > 0) vetoes.add(new JobVeto.Untold(kind, HumanAmounts.count(rest, more), command));
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
                Collectors.groupingBy(
                    task -> CauseForm.of(task.why()), LinkedHashMap::new, Collectors.toList()));
    return byReason.values().stream()
        .map(alike -> new JobVeto.Stalled(alike.size(), why(alike), first(alike)))
        .sorted(Comparator.comparingLong(veto -> -veto.tasks()))
        .toList();
  }

  private static String why(List<StalledTask> alike) {
    return alike.getFirst().why() + CauseForm.differing(alike.stream().map(StalledTask::why));
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
