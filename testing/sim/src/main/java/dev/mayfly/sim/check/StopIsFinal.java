package dev.mayfly.sim.check;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

/**
 * I9 and I10: nothing is leased later than 10 s after a stop, running tasks end, and the job is not
 * STOPPED while a worker that syncs still runs part of it.
 */
final class StopIsFinal implements Invariant {
  private static final Duration LEASES = Duration.ofSeconds(10);

  private final GroundTruth groundTruth;
  private final Duration runs;
  private final TreeMap<String, Instant> stopped = new TreeMap<>();
  private Instant next = Instant.EPOCH;

  /**
   * @param runs how long a task may run after the stop, partitioned or not
   */
  StopIsFinal(GroundTruth groundTruth, Duration runs) {
    this.groundTruth = groundTruth;
    this.runs = runs;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch) {
      if (change.after().orElse(null) instanceof Job job) note(job, change);
      if (change.after().orElse(null) instanceof Shard shard && leases(change)) granted(shard);
    }
  }

  /** A stop that the restore erased is published again. */
  @Override
  public void restored() {
    stopped.clear();
    for (var job : groundTruth.all(Job.class))
      if (stops(job)) stopped.put(job.uid(), groundTruth.now());
  }

  private static boolean stops(Job job) {
    return job.state() instanceof JobState.Stopping
        || (job.state() instanceof JobState.Finishing f && f.stopped());
  }

  private void note(Job job, SimLedger.Change change) {
    // NewestCommandWins checks whether a command asked for it.
    if (change.before().orElse(null) instanceof Job before
        && before.state().ended()
        && !job.state().ended()) stopped.remove(job.uid());
    var stops = stops(job);
    if (stops) stopped.putIfAbsent(job.uid(), groundTruth.now());
    if (!stops && !job.state().ended() && stopped.containsKey(job.uid()))
      throw new InvariantViolation(
          "I9", job.uid() + " was stopped and is " + job.state() + " again");
    if (job.state() instanceof JobState.Ended e && e.result() == JobState.Result.STOPPED)
      nothingRuns(job);
  }

  private void nothingRuns(Job job) {
    for (var process : groundTruth.running()) {
      if (!process.attempt().lease().job().equals(job.uid())) continue;
      var state = groundTruth.worker(job.cluster(), process.worker()).orElseThrow().state();
      if (state instanceof WorkerState.Ready || state instanceof WorkerState.Draining)
        throw new InvariantViolation(
            "I10", job.uid() + " is called stopped and " + process + " runs");
    }
  }

  private static boolean leases(SimLedger.Change change) {
    return change.after().orElse(null) instanceof Shard after
        && after.state() == Shard.State.LEASED
        && !(change.before().orElse(null) instanceof Shard before
            && before.epoch() == after.epoch());
  }

  private void granted(Shard shard) {
    var at = stopped.get(shard.job());
    if (at != null && at.plus(LEASES).isBefore(groundTruth.now()))
      throw new InvariantViolation(
          "I9",
          shard.key().path()
              + " was leased "
              + Duration.between(at, groundTruth.now())
              + " after the stop");
  }

  @Override
  public void step() {
    if (groundTruth.now().isBefore(next)) return;
    next = groundTruth.now().plusSeconds(30);
    for (var process : groundTruth.running()) {
      var at = stopped.get(process.attempt().lease().job());
      if (at != null && at.plus(runs).isBefore(groundTruth.now()))
        throw new InvariantViolation("I10", process + " still runs " + runs + " after the stop");
    }
  }
}
