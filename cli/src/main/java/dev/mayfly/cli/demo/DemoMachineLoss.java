package dev.mayfly.cli.demo;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.cli.output.ProgressDisplay;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Takes machines away while the job runs: one with notice and then one without, each while it runs
 * tasks. Also shows the states of workers above the bar.
 *
 * <p>Attempts on the second machine count as lost or preempted, depending on what is noticed first:
 * the event reports a host failure, the list of machines only a stopped spot machine.
 */
public final class DemoMachineLoss implements ProgressDisplay {
  private static final Duration BEGUN = Duration.ofMillis(700);

  /**
   * Either condition starts the faults: done tasks are reported late, and a slow machine has none
   * for a long time.
   */
  private static final long BEFORE = 6;

  private static final Duration EARLY = Duration.ofSeconds(4);

  private final CliContext cliContext;
  private final String cluster;
  private final ProgressDisplay progressDisplay;
  private final Optional<DemoControlPlaneFaults> faults;
  private final Set<String> told = new HashSet<>();
  private Optional<Instant> firstLease = Optional.empty();
  private Optional<TakenMachine> preempted = Optional.empty();
  private Optional<TakenMachine> killed = Optional.empty();

  /**
   * A machine that was taken away.
   *
   * @param before attempts without a result at that time
   */
  private record TakenMachine(String worker, long before) {}

  public DemoMachineLoss(
      CliContext cliContext,
      String cluster,
      Optional<DemoControlPlaneFaults> faults,
      ProgressDisplay progressDisplay) {
    this.faults = faults;
    this.cliContext = cliContext;
    this.cluster = cluster;
    this.progressDisplay = progressDisplay;
  }

  /** The beginning of the first observed lease. */
  public Optional<Instant> firstLease() {
    return firstLease;
  }

  /**
   * Expected events that did not happen. Preempted and lost count alike, because on a busy machine
   * the agent may be too slow to report which.
   */
  public List<String> missing(JobStatus job) {
    var missing = new ArrayList<String>();
    if (preempted.filter(s -> shown(s, job)).isEmpty())
      missing.add("no worker was preempted with notice while it ran tasks");
    if (killed.filter(s -> shown(s, job)).isEmpty())
      missing.add("no worker lost its host while it ran tasks");
    faults.ifPresent(it -> missing.addAll(it.missing()));
    return missing;
  }

  @Override
  public boolean showsEnd() {
    return progressDisplay.showsEnd();
  }

  @Override
  public void end(String words) {
    progressDisplay.end(words);
  }

  @Override
  public void show(JobStatus job) {
    progressDisplay.show(job);
    if (job.endedAt().isPresent()) return;
    faults.ifPresent(h -> h.injectIfDue(progressDisplay));
    try {
      var workers = cliContext.api().workers(cluster, true);
      reportStates(workers);
      recordFirstLease(workers);
      if (job.totals().done() >= BEFORE || underWay()) takeMachines(job, workers);
    } catch (UnavailableException later) {
      progressDisplay.say(later.getMessage());
    }
  }

  private void reportStates(List<WorkerStatus> workers) {
    for (var w : workers.reversed()) {
      if (!told.add(w.name() + " " + w.state())) continue;
      progressDisplay.say(
          "  worker " + w.name() + " " + w.state() + w.reason().map(r -> ": " + r).orElse(""));
    }
  }

  private void recordFirstLease(List<WorkerStatus> workers) {
    if (firstLease.isPresent()) return;
    firstLease =
        workers.stream()
            .flatMap(w -> w.leases().stream())
            .map(WorkerStatus.LeaseView::since)
            .min(Comparator.naturalOrder());
  }

  private boolean underWay() {
    return firstLease.filter(first -> first.plus(EARLY).isBefore(cliContext.now())).isPresent();
  }

  /**
   * If all tasks of a worker ended just before its loss, nothing was shown, and another worker is
   * taken.
   */
  private void takeMachines(JobStatus job, List<WorkerStatus> workers) {
    if (preempted.filter(s -> !ended(s, workers) || shown(s, job)).isEmpty())
      busy(workers)
          .ifPresent(w -> {
            var before = withoutResult(job);
            takeAway(
                w, "gets a preemption notice: it goes in 5 s", "preempt", Map.of("seconds", "5"));
            preempted = Optional.of(new TakenMachine(w.name(), before));
          });
    else if (preempted.filter(s -> stopped(s, workers)).isPresent()
        && killed.filter(s -> !ended(s, workers) || shown(s, job)).isEmpty())
      busy(workers)
          .ifPresent(w -> {
            // Read after the workers, to include everything that the first loss caused.
            var before = withoutResult(cliContext.api().job(cluster, job.uid()));
            takeAway(w, "loses its host, without notice", "kill", Map.of());
            killed = Optional.of(new TakenMachine(w.name(), before));
          });
  }

  /** Whether the worker runs no more tasks. */
  private static boolean stopped(TakenMachine takenMachine, List<WorkerStatus> workers) {
    return workers.stream()
        .filter(w -> w.name().equals(takenMachine.worker()))
        .noneMatch(w -> w.state().equals("ready") || w.state().equals("draining"));
  }

  private static boolean ended(TakenMachine takenMachine, List<WorkerStatus> workers) {
    return workers.stream()
        .noneMatch(w -> w.name().equals(takenMachine.worker()) && !w.state().equals("gone"));
  }

  private static boolean shown(TakenMachine takenMachine, JobStatus job) {
    return withoutResult(job) > takenMachine.before();
  }

  private static long withoutResult(JobStatus job) {
    return job.attempts().getOrDefault(FailureCause.PREEMPTED, 0L)
        + job.attempts().getOrDefault(FailureCause.LOST, 0L);
  }

  private void takeAway(
      WorkerStatus worker, String how, String faultControl, Map<String, String> query) {
    var tasks = HumanFormat.count(running(worker), "task");
    progressDisplay.say("! " + worker.name() + " runs " + tasks + " and " + how);
    cliContext.faultControls().machine(worker.name(), faultControl, query);
  }

  private static long running(WorkerStatus worker) {
    return worker.leases().stream().mapToLong(WorkerStatus.LeaseView::running).sum();
  }

  /**
   * The worker that runs the most tasks, among those with a running task in a lease that began a
   * while ago.
   */
  private Optional<WorkerStatus> busy(List<WorkerStatus> workers) {
    var begun = cliContext.now().minus(BEGUN);
    return workers.stream()
        .filter(w -> w.state().equals("ready"))
        .filter(
            w -> w.leases().stream().anyMatch(l -> l.running() > 0 && l.since().isBefore(begun)))
        .max(Comparator.comparingLong(DemoMachineLoss::running));
  }

  @Override
  public void say(String line) {
    progressDisplay.say(line);
  }

  @Override
  public void close() {
    progressDisplay.close();
  }
}
