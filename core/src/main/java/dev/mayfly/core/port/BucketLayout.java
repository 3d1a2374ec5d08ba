package dev.mayfly.core.port;

import dev.mayfly.core.model.document.Job;

/**
 * Where Mayfly keeps its own objects in a cluster's bucket: all under {@code mayfly/.jobs/<job
 * uid>/}.
 *
 * @param bucket the cluster's, for example {@code gs://lab-us-central2}
 */
public record BucketLayout(ObjectUrl bucket) {
  public static BucketLayout of(String bucket) {
    return new BucketLayout(ObjectUrl.of(bucket));
  }

  /** What all of Mayfly's own objects begin with: a folder, or the first letters of several. */
  public String ownPrefix() {
    return bucket.resolve("mayfly/") + ".";
  }

  /** The task list object that has the task; {@link Job#CHUNK} tasks in each. */
  public ObjectUrl tasks(String job, long task) {
    return job(job).resolve("tasks/%07d.jsonl".formatted(task / Job.CHUNK));
  }

  public ObjectUrl logs(String job) {
    return job(job).resolve("logs/");
  }

  /** One numbered piece of one attempt's log. Created once. */
  public ObjectUrl log(String job, long task, String attempt, int piece) {
    return job(job).resolve("logs/%08d/%s/%05d.log".formatted(task, attempt, piece));
  }

  /** A numbered outcome object: {@code piece} has the tasks from {@code piece * 10,000} on. */
  public ObjectUrl outcome(String job, int piece) {
    return job(job).resolve("outcome/%05d.jsonl".formatted(piece));
  }

  /** A zip of a working tree, by its content hash. */
  public ObjectUrl code(String sha256) {
    return bucket.resolve("mayfly/.code/" + sha256 + ".zip");
  }

  private ObjectUrl job(String job) {
    return bucket.resolve("mayfly/.jobs/" + job);
  }
}
