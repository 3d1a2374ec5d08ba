package dev.mayfly.cli.page;

import dev.mayfly.cli.client.JobUse;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.core.query.cost.ClusterCost;
import dev.mayfly.core.query.estimate.JobEstimate;
import dev.mayfly.core.query.task.TaskStatus;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * All that the file of a simulation has, as its page reads it: what the simulated control plane
 * answers at the end of a run. A simulation has no environment, no secrets and no logs, so that the
 * answers are whole.
 *
 * @param at when it ends, in its own time
 * @param cut what was too much for the file, a sentence each
 * @param leftOut what a simulation does not do, a sentence each
 * @param workers those that are gone too
 * @param jobs newest first
 * @param why by uid, like all that is of one job
 * @param estimates of those that have not ended
 * @param attempts tasks with all their failed attempts, of those that have several
 * @param events newest first
 * @param costs by what was asked: a grouping, a space, and a first day or a job's uid
 */
public record ExportedSimulation(
    Instant at,
    String cluster,
    List<String> cut,
    List<String> leftOut,
    Simulated simulation,
    List<ClusterStatus> clusters,
    List<WorkerStatus> workers,
    List<JobStatus> jobs,
    Map<String, JobExplanation> why,
    Map<String, JobEstimate> estimates,
    Map<String, JobUse> uses,
    Map<String, List<TaskStatus>> tasks,
    Map<String, List<TaskStatus>> attempts,
    List<EventRecord> events,
    Map<String, ClusterCost> costs) {
  /**
   * What was simulated, and what came of it.
   *
   * @param scenario as its user names it
   * @param version of the Mayfly that ran it
   * @param runs how many there were, of which this is the middle one
   * @param from when its time begins
   * @param since the day of that
   * @param end when jobs have ended, and for how much
   * @param said why jobs waited and attempts had no result, a sentence each
   * @param waits for what the tasks of a job waited, by its address
   */
  public record Simulated(
      String scenario,
      String version,
      long seed,
      int runs,
      Instant from,
      LocalDate since,
      String end,
      List<String> said,
      Map<String, List<String>> waits) {
    /** One that this Mayfly ran. */
    public static Simulated of(
        String scenario,
        long seed,
        int runs,
        Instant from,
        LocalDate since,
        String end,
        List<String> said,
        Map<String, List<String>> waits) {
      return new Simulated(
          scenario, ExportedPage.version(), seed, runs, from, since, end, said, waits);
    }
  }

  /**
   * The page with it, as one file.
   *
   * @param env of the command, for paths of this computer's user
   */
  public byte[] page(Map<String, String> env) {
    return ExportedPage.of(this, new HomePaths(env));
  }
}
