package dev.mayfly.cli;

import dev.mayfly.cli.show.Progress;
import dev.mayfly.cli.show.Words;
import dev.mayfly.core.control.JobView;
import dev.mayfly.core.control.WorkerView;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Cause;
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
 * tasks. It also tells what becomes of workers, above the bar.
 *
 * <p>What ran on the second is called lost or preempted, by who noticed first: the event says that
 * the host failed, the list of machines only that a spot machine has stopped.
 */
final class DemoTrouble implements Progress {
  private static final Duration BEGUN = Duration.ofMillis(700);

  /** Either will do: done tasks are told late, and on a slow machine there are none for long. */
  private static final long BEFORE = 6;

  private static final Duration EARLY = Duration.ofSeconds(4);

  private final Session session;
  private final String cluster;
  private final Progress progress;
  private final Optional<DemoHarm> harm;
  private final Set<String> told = new HashSet<>();
  private Optional<Instant> firstLease = Optional.empty();
  private Optional<Strike> noticed = Optional.empty();
  private Optional<Strike> killed = Optional.empty();

  /**
   * A machine that was taken away.
   *
   * @param before how many attempts had no result when it was
   */
  private record Strike(String worker, long before) {}

  DemoTrouble(Session session, String cluster, Optional<DemoHarm> harm, Progress progress) {
    this.harm = harm;
    this.session = session;
    this.cluster = cluster;
    this.progress = progress;
  }

  /** When the first lease that was seen had begun. */
  Optional<Instant> firstLease() {
    return firstLease;
  }

  /**
   * What the demo was to show and did not. Whether an attempt counts as preempted or as lost is no
   * part of it: on a busy machine the agent may be too slow to say which.
   */
  List<String> missing(JobView job) {
    var missing = new ArrayList<String>();
    if (noticed.filter(s -> shown(s, job)).isEmpty())
      missing.add("no worker was preempted with notice while it ran tasks");
    if (killed.filter(s -> shown(s, job)).isEmpty())
      missing.add("no worker lost its host while it ran tasks");
    return missing;
  }

  @Override
  public void show(JobView job) {
    progress.show(job);
    if (job.endedAt().isPresent()) return;
    harm.ifPresent(h -> h.perhaps(progress));
    try {
      var workers = session.api().workers(cluster, true);
      tell(workers);
      seeFirst(workers);
      if (job.totals().done() >= BEFORE || underWay()) trouble(job, workers);
    } catch (Unavailable later) {
      progress.say(later.getMessage());
    }
  }

  private void tell(List<WorkerView> workers) {
    for (var w : workers.reversed()) {
      if (!told.add(w.name() + " " + w.state())) continue;
      progress.say(
          "  worker " + w.name() + " " + w.state() + w.reason().map(r -> ": " + r).orElse(""));
    }
  }

  private void seeFirst(List<WorkerView> workers) {
    if (firstLease.isPresent()) return;
    firstLease =
        workers.stream()
            .flatMap(w -> w.leases().stream())
            .map(WorkerView.LeaseView::since)
            .min(Comparator.naturalOrder());
  }

  private boolean underWay() {
    return firstLease.filter(first -> first.plus(EARLY).isBefore(session.now())).isPresent();
  }

  /** A worker whose tasks all ended just before it was harmed shows nothing: another is taken. */
  private void trouble(JobView job, List<WorkerView> workers) {
    if (noticed.filter(s -> !ended(s, workers) || shown(s, job)).isEmpty())
      busy(workers)
          .ifPresent(w -> {
            var before = withoutResult(job);
            strike(
                w, "gets a preemption notice: it goes in 5 s", "preempt", Map.of("seconds", "5"));
            noticed = Optional.of(new Strike(w.name(), before));
          });
    else if (noticed.filter(s -> stopped(s, workers)).isPresent()
        && killed.filter(s -> !ended(s, workers) || shown(s, job)).isEmpty())
      busy(workers)
          .ifPresent(w -> {
            // Read after the workers, so that all that the other one cost is in it.
            var before = withoutResult(session.api().job(cluster, job.uid()));
            strike(w, "loses its host, without notice", "kill", Map.of());
            killed = Optional.of(new Strike(w.name(), before));
          });
  }

  /** Nothing runs on it any more. */
  private static boolean stopped(Strike strike, List<WorkerView> workers) {
    return workers.stream()
        .filter(w -> w.name().equals(strike.worker()))
        .noneMatch(w -> w.state().equals("ready") || w.state().equals("draining"));
  }

  private static boolean ended(Strike strike, List<WorkerView> workers) {
    return workers.stream()
        .noneMatch(w -> w.name().equals(strike.worker()) && !w.state().equals("gone"));
  }

  private static boolean shown(Strike strike, JobView job) {
    return withoutResult(job) > strike.before();
  }

  private static long withoutResult(JobView job) {
    return job.attempts().getOrDefault(Cause.PREEMPTED, 0L)
        + job.attempts().getOrDefault(Cause.LOST, 0L);
  }

  private void strike(WorkerView worker, String how, String dial, Map<String, String> query) {
    var tasks = Words.count(running(worker), "task");
    progress.say("! " + worker.name() + " runs " + tasks + " and " + how);
    session.dials().machine(worker.name(), dial, query);
  }

  private static long running(WorkerView worker) {
    return worker.leases().stream().mapToLong(WorkerView.LeaseView::running).sum();
  }

  /**
   * The worker that runs the most tasks, of those that have been at them for a while. One of whose
   * leases all tasks ended shows nothing.
   */
  private Optional<WorkerView> busy(List<WorkerView> workers) {
    var begun = session.now().minus(BEGUN);
    return workers.stream()
        .filter(w -> w.state().equals("ready"))
        .filter(
            w -> w.leases().stream().anyMatch(l -> l.running() > 0 && l.since().isBefore(begun)))
        .max(Comparator.comparingLong(DemoTrouble::running));
  }

  @Override
  public void say(String line) {
    progress.say(line);
  }

  @Override
  public void close() {
    progress.close();
  }
}
