package dev.mayfly.sim.check;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * I5: a submission is one job however often its message is delivered, and a name belongs to one
 * live job of an owner, or to one cluster.
 */
final class UniqueSubmission implements Invariant {
  private static final String ID = "I5";

  private final GroundTruth groundTruth;
  private final Set<String> submissions;

  /**
   * @param submissions ids of all submissions published so far
   */
  UniqueSubmission(GroundTruth groundTruth, Set<String> submissions) {
    this.groundTruth = groundTruth;
    this.submissions = submissions;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch) {
      if (change.before().isEmpty() && change.document() instanceof Job) jobs();
      if (change.before().isEmpty() && change.document() instanceof Cluster) clusters();
      if (change.before().isPresent()
          && change.after().isEmpty()
          && change.document() instanceof Job j)
        throw new InvariantViolation(ID, j.uid() + " was deleted");
    }
  }

  private void jobs() {
    var jobs = groundTruth.all(Job.class);
    if (jobs.size() > submissions.size())
      throw new InvariantViolation(
          ID, jobs.size() + " jobs of " + submissions.size() + " submissions");
    var live = new TreeMap<String, String>();
    for (var job : jobs) {
      if (job.state().ended() || isStoppedEarly(job)) continue;
      var other = live.put(job.cluster() + "/" + job.spec().address(), job.uid());
      if (other != null)
        throw new InvariantViolation(
            ID, job.spec().address() + " is the name of both " + other + " and " + job.uid());
    }
  }

  /** A job that was stopped before it arrived never had its name. */
  private static boolean isStoppedEarly(Job job) {
    return job.state() instanceof JobState.Finishing f
        && f.unstarted().filter(u -> u.result() == JobState.Result.STOPPED).isPresent();
  }

  private void clusters() {
    var names = new TreeSet<String>();
    for (var cluster : groundTruth.all(Cluster.class))
      if (cluster.phase() != Cluster.Phase.GONE && !names.add(cluster.spec().name()))
        throw new InvariantViolation(ID, cluster.spec().name() + " is the name of two clusters");
  }
}
