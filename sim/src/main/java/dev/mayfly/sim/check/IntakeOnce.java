package dev.mayfly.sim.check;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Job;
import dev.mayfly.sim.fake.SimLedger;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * I5: a submission is one job however often its message comes, and a name is one live job's or
 * cluster's.
 */
final class IntakeOnce implements Check {
  private static final String ID = "I5";

  private final Truth truth;
  private final Set<String> submissions;

  /**
   * @param submissions every submission ever published, by its id
   */
  IntakeOnce(Truth truth, Set<String> submissions) {
    this.truth = truth;
    this.submissions = submissions;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch) {
      if (change.before().isEmpty() && change.document() instanceof Job) jobs();
      if (change.before().isEmpty() && change.document() instanceof Cluster) clusters();
      if (change.before().isPresent()
          && change.after().isEmpty()
          && change.document() instanceof Job j) throw new Violation(ID, j.uid() + " was deleted");
    }
  }

  private void jobs() {
    var jobs = truth.all(Job.class);
    if (jobs.size() > submissions.size())
      throw new Violation(ID, jobs.size() + " jobs of " + submissions.size() + " submissions");
    var live = new TreeMap<String, String>();
    for (var job : jobs) {
      if (job.state().ended()) continue;
      var other = live.put(job.cluster() + "/" + job.spec().name(), job.uid());
      if (other != null)
        throw new Violation(
            ID, job.spec().name() + " is the name of both " + other + " and " + job.uid());
    }
  }

  private void clusters() {
    var names = new TreeSet<String>();
    for (var cluster : truth.all(Cluster.class))
      if (cluster.phase() != Cluster.Phase.GONE && !names.add(cluster.spec().name()))
        throw new Violation(ID, cluster.spec().name() + " is the name of two clusters");
  }
}
