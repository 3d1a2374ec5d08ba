package dev.mayfly.sim.check;

import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Shard;
import dev.mayfly.sim.fake.SimLedger;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** I1b: the ranges of a job's shards are disjoint, and together they are all of its tasks. */
final class RangesCover implements Check {
  private static final String ID = "I1b";

  private final Truth truth;
  private final TreeMap<String, Key.OfJob> touched = new TreeMap<>();

  RangesCover(Truth truth) {
    this.truth = truth;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch) {
      if (change.document() instanceof Shard s && !sameRange(change)) touch(s.cluster(), s.job());
      if (change.document() instanceof Job j) touch(j.cluster(), j.uid());
    }
    touched.values().forEach(this::look);
    touched.clear();
  }

  private static boolean sameRange(SimLedger.Change change) {
    return change.before().orElse(null) instanceof Shard a
        && change.after().orElse(null) instanceof Shard b
        && a.end() == b.end();
  }

  private void touch(String cluster, String job) {
    var key = new Key.OfJob(cluster, job);
    touched.put(key.path(), key);
  }

  private void look(Key.OfJob key) {
    var byStart = new TreeSet<Shard>((a, b) -> Long.compare(a.start(), b.start()));
    for (var d : truth.ledger().under(key.path() + "/shards/"))
      if (d instanceof Shard s) byStart.add(s);
    var next = 0L;
    for (var shard : byStart) {
      if (shard.start() != next)
        throw new Violation(
            ID,
            key.path() + ": shard " + shard.start() + " begins where " + next + " was to begin");
      next = shard.end();
    }
    var job = truth.job(key.cluster(), key.job());
    if (job.isEmpty() || unborn(job.get())) return;
    if (next != job.get().tasks())
      throw new Violation(
          ID, key.path() + ": shards up to " + next + " for " + job.get().tasks() + " tasks");
  }

  /** Still being listed, or ended before it ever was. */
  private static boolean unborn(Job job) {
    return job.state() instanceof JobState.Expanding
        || (!(job.state() instanceof JobState.Running) && job.tasks() == 0);
  }
}
