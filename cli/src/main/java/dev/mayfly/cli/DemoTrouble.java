package dev.mayfly.cli;

import dev.mayfly.cli.show.Progress;
import dev.mayfly.cli.show.Words;
import dev.mayfly.core.control.JobView;
import dev.mayfly.core.control.WorkerView;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Takes machines away while the job runs: one with notice and one without, each while it runs
 * tasks. It also tells what becomes of workers, above the bar.
 */
final class DemoTrouble implements Progress {
  private static final Duration BEGUN = Duration.ofMillis(700);
  private static final long BEFORE = 6;

  private final Session session;
  private final String cluster;
  private final Progress progress;
  private final Optional<DemoHarm> harm;
  private final Set<String> told = new HashSet<>();
  private Optional<Instant> firstLease = Optional.empty();
  private Optional<String> noticed = Optional.empty();
  private Optional<String> killed = Optional.empty();

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

  Optional<String> noticed() {
    return noticed;
  }

  Optional<String> killed() {
    return killed;
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
      if (job.totals().done() >= BEFORE) trouble(job, workers);
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

  /** A worker whose tasks all ended just before it was harmed shows nothing: another is taken. */
  private void trouble(JobView job, List<WorkerView> workers) {
    if (wanted(noticed, Cause.PREEMPTED, job, workers))
      busy(workers, killed)
          .ifPresent(w -> {
            strike(
                w, "gets a preemption notice: it goes in 5 s", "preempt", Map.of("seconds", "5"));
            noticed = Optional.of(w.name());
          });
    else if (wanted(killed, Cause.LOST, job, workers))
      busy(workers, noticed)
          .ifPresent(w -> {
            strike(w, "loses its host, without notice", "kill", Map.of());
            killed = Optional.of(w.name());
          });
  }

  private static boolean wanted(
      Optional<String> victim, Cause cause, JobView job, List<WorkerView> workers) {
    if (victim.isEmpty()) return true;
    var ended =
        workers.stream().noneMatch(w -> w.name().equals(victim.get()) && !w.state().equals("gone"));
    return ended && !job.attempts().containsKey(cause);
  }

  private void strike(WorkerView worker, String how, String dial, Map<String, String> query) {
    var leases = Words.count(worker.leases().size(), "lease");
    progress.say("! " + worker.name() + " holds " + leases + " and " + how);
    session.dials().machine(worker.name(), dial, query);
  }

  /** A worker that has been at its tasks for a while. */
  private Optional<WorkerView> busy(List<WorkerView> workers, Optional<String> not) {
    var begun = session.now().minus(BEGUN);
    return workers.stream()
        .filter(w -> w.state().equals("ready") && not.filter(w.name()::equals).isEmpty())
        .filter(w -> w.leases().stream().anyMatch(l -> l.since().isBefore(begun)))
        .max(Comparator.comparingInt(w -> w.leases().size()));
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
