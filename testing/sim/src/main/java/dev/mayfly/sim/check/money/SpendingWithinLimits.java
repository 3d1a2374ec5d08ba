package dev.mayfly.sim.check.money;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.spending.JobSpending;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * I30: what a job with a limit has cost on machines that were added up is in its document, to the
 * cent and after each commit. It does not go on at its limit for longer than a few minutes in which
 * it is served; after the storm for none, and it passes its limit by no more than what all machines
 * of its cluster cost in two minutes and its grace.
 */
public final class SpendingWithinLimits implements Invariant {
  private static final String ID = "I30";
  private static final double PRICE_TOLERANCE = 1e-6;
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int STORM = 15;
  private static final int CALM = 2;

  private final GroundTruth groundTruth;

  /** What days say of each job, by uid. */
  private final Map<String, Double> days = new HashMap<>();

  /** Jobs with a limit, by uid. */
  private final TreeMap<String, Job> limited = new TreeMap<>();

  private final Map<String, Integer> past = new HashMap<>();

  /** Jobs that were seen to run within their limits after the storm. */
  private final Set<String> within = new TreeSet<>();

  private double dearest;
  private boolean calm;
  private Instant next = Instant.EPOCH;

  public SpendingWithinLimits(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    var touched = new HashSet<String>();
    for (var change : batch) {
      if (change.before().orElse(null) instanceof Usage before) count(before, -1, touched);
      if (change.after().orElse(null) instanceof Usage after) count(after, 1, touched);
      if (change.after().orElse(null) instanceof Job job && job.maxUsd().isPresent()) {
        limited.put(job.uid(), job);
        touched.add(job.uid());
      } else if (change.before().orElse(null) instanceof Job gone && change.after().isEmpty()) {
        limited.remove(gone.uid());
      }
    }
    for (var uid : touched) if (limited.containsKey(uid)) compare(limited.get(uid));
  }

  private void count(Usage usage, int sign, Set<String> touched) {
    if (usage.isEnded()) return;
    for (var row : usage.rows())
      row.job()
          .filter(_ -> JobSpending.isItsOwn(row.purpose()))
          .ifPresent(job -> {
            days.merge(job, sign * row.usd().orElse(0.0), Double::sum);
            touched.add(job);
          });
  }

  private void compare(Job job) {
    var sum = days.getOrDefault(job.uid(), 0.0);
    if (Math.abs(sum - job.spent().endedUsd()) > PRICE_TOLERANCE)
      throw new InvariantViolation(
          ID,
          "%s cost $%s on machines that were added up, and its document says %s"
              .formatted(job.uid(), sum, job.spending()));
  }

  @Override
  public void step() {
    if (limited.isEmpty() || groundTruth.now().isBefore(next)) return;
    var now = groundTruth.now();
    next = now.plus(MINUTE);
    var workers = groundTruth.all(Worker.class);
    dearest = Math.max(dearest, usdPerHour(workers));
    var moved = groundTruth.all(Usage.class).stream().filter(Usage::isEnded).toList();
    for (var job : limited.values()) look(job, JobSpending.of(job, moved, workers, now));
  }

  private static double usdPerHour(List<Worker> workers) {
    return workers.stream()
        .flatMap(worker -> worker.usage().stream())
        .flatMap(usage -> usage.usdPerHour().stream())
        .mapToDouble(usd -> usd)
        .sum();
  }

  private void look(Job job, JobSpending spent) {
    var served =
        !groundTruth.disturbed(job.cluster(), MINUTE)
            && !groundTruth.unreachable(MINUTE)
            && !groundTruth.withoutTicks(MINUTE);
    var on = job.running() && spent.isUsedUp();
    var minutes = past.merge(job.uid(), served ? 1 : 0, (was, one) -> on ? was + one : 0);
    if (on && minutes > (calm ? CALM : STORM))
      throw new InvariantViolation(
          ID, "%s goes on %d minutes after it used up: %s".formatted(job.uid(), minutes, spent));
    if (calm && job.running() && !spent.isUsedUp()) within.add(job.uid());
    var over = spent.spent() - spent.maxUsd();
    var allowed =
        dearest * MINUTE.multipliedBy(2).plus(job.spec().run().grace()).toSeconds() / 3_600;
    if (within.contains(job.uid()) && over > allowed + PRICE_TOLERANCE)
      throw new InvariantViolation(
          ID, "%s passed its limit by $%s: %s".formatted(job.uid(), over, spent));
  }

  public void faultsEnded() {
    calm = true;
    past.clear();
  }

  @Override
  public void restored() {
    days.clear();
    limited.clear();
    past.clear();
    for (var usage : groundTruth.all(Usage.class)) count(usage, 1, new HashSet<>());
    for (var job : groundTruth.all(Job.class))
      if (job.maxUsd().isPresent()) limited.put(job.uid(), job);
  }
}
