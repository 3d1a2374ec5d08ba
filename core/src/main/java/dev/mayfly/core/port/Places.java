package dev.mayfly.core.port;

import dev.mayfly.core.model.Job;

/**
 * Where Mayfly keeps its own objects in a cluster's bucket: all under {@code mayfly/.jobs/<job
 * uid>/}.
 *
 * @param bucket the cluster's, for example {@code gs://lab-us-central2}
 */
public record Places(Url bucket) {
  public static Places of(String bucket) {
    return new Places(Url.of(bucket));
  }

  /** What all of Mayfly's own objects begin with: a folder, or the first letters of several. */
  public String own() {
    return bucket.in("mayfly/") + ".";
  }

  /** The task list object that has the task; {@link Job#CHUNK} tasks in each. */
  public Url tasks(String job, long task) {
    return job(job).in("tasks/%07d.jsonl".formatted(task / Job.CHUNK));
  }

  public Url logs(String job) {
    return job(job).in("logs/");
  }

  /** One numbered piece of one attempt's log. Created once. */
  public Url log(String job, long task, String attempt, int piece) {
    return job(job).in("logs/%08d/%s/%05d.log".formatted(task, attempt, piece));
  }

  /** A numbered outcome object: {@code piece} has the tasks from {@code piece * 10,000} on. */
  public Url outcome(String job, int piece) {
    return job(job).in("outcome/%05d.jsonl".formatted(piece));
  }

  /** A zip of a working tree, by its content hash. */
  public Url code(String sha256) {
    return bucket.in("mayfly/.code/" + sha256 + ".zip");
  }

  private Url job(String job) {
    return bucket.in("mayfly/.jobs/" + job);
  }
}
