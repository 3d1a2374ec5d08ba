package dev.mayfly.sim.check.ends;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.spending.RunTimeLimit;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * I35: a job with a {@code maxRunTime} does not run on for longer than a few minutes after it in
 * which it is served, after the storm for two; and after as many minutes with a task on a machine
 * its document says since when it runs.
 */
public final class RunTimeWithinLimits implements Invariant {
  private static final String ID = "I35";
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int STORM = 15;
  private static final int CALM = 2;

  private final GroundTruth groundTruth;
  private final Map<String, Integer> past = new HashMap<>();
  private final Map<String, Integer> unseen = new HashMap<>();
  private boolean calm;
  private Instant next = Instant.EPOCH;

  public RunTimeWithinLimits(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void step() {
    var now = groundTruth.now();
    if (now.isBefore(next)) return;
    next = now.plus(MINUTE);
    var jobs = groundTruth.all(Job.class).stream().filter(Job::running).toList();
    if (jobs.stream().allMatch(job -> limit(job).isEmpty())) return;
    var held =
        groundTruth.all(Worker.class).stream()
            .flatMap(worker -> worker.held().stream())
            .map(Worker.Held::job)
            .collect(Collectors.toSet());
    for (var job : jobs) {
      var limit = limit(job);
      if (limit.isEmpty()) continue;
      var isUnseen = RunTimeLimit.run(job).since().isEmpty() && held.contains(job.uid());
      count(job, past, limit.get().isReached(now), "goes on after its time: " + limit.get());
      count(job, unseen, isUnseen, "has tasks on machines, and nothing says since when");
    }
    var running = jobs.stream().map(Job::uid).collect(Collectors.toSet());
    past.keySet().retainAll(running);
    unseen.keySet().retainAll(running);
  }

  private Optional<RunTimeLimit> limit(Job job) {
    return groundTruth
        .cluster(job.cluster())
        .flatMap(cluster -> RunTimeLimit.of(job, cluster.spec()));
  }

  private void count(Job job, Map<String, Integer> minutes, boolean on, String what) {
    var served =
        !groundTruth.disturbed(job.cluster(), MINUTE)
            && !groundTruth.unreachable(MINUTE)
            && !groundTruth.withoutTicks(MINUTE);
    var n = minutes.merge(job.uid(), on && served ? 1 : 0, (was, one) -> on ? was + one : 0);
    if (n > (calm ? CALM : STORM))
      throw new InvariantViolation(ID, "%s for %d minutes %s".formatted(job.uid(), n, what));
  }

  public void faultsEnded() {
    calm = true;
    past.clear();
    unseen.clear();
  }

  @Override
  public void restored() {
    past.clear();
    unseen.clear();
  }
}
