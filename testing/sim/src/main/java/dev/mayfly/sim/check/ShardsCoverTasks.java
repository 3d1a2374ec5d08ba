package dev.mayfly.sim.check;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** I1b: the ranges of a job's shards are disjoint and cover all of its tasks. */
final class ShardsCoverTasks implements Invariant {
  private static final String ID = "I1b";

  private final GroundTruth groundTruth;
  private final TreeMap<String, DocumentKey.OfJob> touched = new TreeMap<>();

  /** Jobs that were stopped before all of their tasks were cut into shards, by path. */
  private final Set<String> cutShort = new HashSet<>();

  ShardsCoverTasks(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch) {
      if (change.document() instanceof Shard s && !sameRange(change)) touch(s.cluster(), s.job());
      if (change.document() instanceof Job j) touch(j.cluster(), j.uid());
      if (change.after().orElse(null) instanceof Job after) expands(change, after);
    }
    touched.values().forEach(this::look);
    touched.clear();
  }

  private void expands(SimLedger.Change change, Job after) {
    var path = after.key().path();
    if (after.running()) cutShort.remove(path);
    else if (change.before().orElse(null) instanceof Job before
        && before.state() instanceof JobState.Expanding
        && endsEarly(after.state())) cutShort.add(path);
  }

  private static boolean endsEarly(JobState state) {
    return state instanceof JobState.Stopping
        || (state instanceof JobState.Finishing f && (f.stopped() || f.unstarted().isPresent()));
  }

  private static boolean sameRange(SimLedger.Change change) {
    return change.before().orElse(null) instanceof Shard a
        && change.after().orElse(null) instanceof Shard b
        && a.end() == b.end();
  }

  private void touch(String cluster, String job) {
    var key = new DocumentKey.OfJob(cluster, job);
    touched.put(key.path(), key);
  }

  private void look(DocumentKey.OfJob key) {
    var byStart = new TreeSet<Shard>((a, b) -> Long.compare(a.start(), b.start()));
    for (var d : groundTruth.ledger().under(key.path() + "/shards/"))
      if (d instanceof Shard s) byStart.add(s);
    var next = 0L;
    for (var shard : byStart) {
      if (shard.start() != next)
        throw new InvariantViolation(
            ID,
            key.path() + ": shard " + shard.start() + " begins where " + next + " was to begin");
      next = shard.end();
    }
    var job = groundTruth.job(key.cluster(), key.job());
    if (job.isEmpty() || unexpanded(job.get()) || cutShort.contains(key.path())) return;
    if (next != job.get().tasks().count())
      throw new InvariantViolation(
          ID,
          key.path() + ": shards up to " + next + " for " + job.get().tasks().count() + " tasks");
  }

  /** Still expanding, or ended before its tasks were listed. */
  private static boolean unexpanded(Job job) {
    return job.state() instanceof JobState.Expanding
        || (!(job.state() instanceof JobState.Running) && job.tasks().count() == 0);
  }
}
