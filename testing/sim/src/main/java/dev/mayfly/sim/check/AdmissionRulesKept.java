package dev.mayfly.sim.check;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import dev.mayfly.sim.observation.TaskProcess;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * I21: a job does not start before its predecessors have ended as it requires. One that ended and
 * runs again because of a retry has ended.
 *
 * <p>I22: no more tasks of a job are leased than may run at once, or as many again for each
 * function instance that grants at the same moment.
 */
final class AdmissionRulesKept implements Invariant {
  private static final String START = "I21";
  private static final String CONCURRENCY = "I22";

  /** A world has three instances at most, and a killed one may still commit. */
  private static final int INSTANCES = 4;

  private final GroundTruth groundTruth;

  /** How each job has ended so far, by uid. */
  private final Map<String, Set<JobState.Result>> ends = new HashMap<>();

  /** The uids of jobs with predecessors. */
  private final Set<String> successors = new HashSet<>();

  /** The uids of those whose start was justified. */
  private final Set<String> started = new HashSet<>();

  AdmissionRulesKept(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch) {
      if (change.after().orElse(null) instanceof Shard shard && isGranted(change, shard))
        granted(shard);
      if (change.after().orElse(null) instanceof Job job) {
        if (job.state() instanceof JobState.Ended end)
          ends.computeIfAbsent(job.uid(), _ -> EnumSet.noneOf(JobState.Result.class))
              .add(end.result());
        starts(job);
      }
    }
  }

  private static boolean isGranted(SimLedger.Change change, Shard shard) {
    return shard.state() == Shard.State.LEASED
        && !(change.before().orElse(null) instanceof Shard before
            && before.state() == Shard.State.LEASED);
  }

  private void granted(Shard shard) {
    var job = groundTruth.job(shard.cluster(), shard.job()).orElseThrow();
    var most = job.spec().admission().concurrency();
    if (most == 0) return;
    var leased =
        groundTruth.all(Shard.class).stream()
            .filter(s -> s.job().equals(job.uid()) && s.state() == Shard.State.LEASED)
            .mapToLong(Shard::open)
            .sum();
    if (leased > (long) most * INSTANCES)
      throw new InvariantViolation(
          CONCURRENCY,
          "%d tasks of %s are leased, and %d may be".formatted(leased, job.uid(), most));
  }

  private void starts(Job job) {
    var listed =
        switch (job.state()) {
          case JobState.Expanding _, JobState.Running _ -> true;
          case JobState.Waiting _, JobState.Stopping _, JobState.Finishing _, JobState.Ended _ ->
              false;
        };
    if (job.spec().admission().after().isEmpty()) return;
    successors.add(job.uid());
    if (!listed || !started.add(job.uid())) return;
    for (var predecessor : job.spec().admission().after())
      if (!hasEnded(predecessor))
        throw new InvariantViolation(
            START, "%s starts before %s".formatted(job.uid(), predecessor));
  }

  private boolean hasEnded(Predecessor predecessor) {
    return predecessor.uid().map(ends::get).stream()
        .flatMap(Set::stream)
        .anyMatch(predecessor.on()::isMetBy);
  }

  @Override
  public void began(TaskProcess process) {
    var job = process.attempt().lease().job();
    if (successors.contains(job) && !started.contains(job))
      throw new InvariantViolation(START, process + " began before its job started");
  }
}
