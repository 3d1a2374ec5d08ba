package dev.mayfly.core.port;

import dev.mayfly.core.model.document.Job;

/**
 * The paths of Mayfly's own objects in a cluster's bucket: {@code mayfly/.jobs/<job uid>/}, {@code
 * mayfly/.code/} and {@code mayfly/.setups/}.
 *
 * @param bucket the cluster's bucket, for example {@code gs://lab-us-central2}
 */
public record BucketLayout(ObjectUrl bucket) {
  /** How the name of a setup's log begins; the name of its attempt follows. */
  public static final String SETUP_LOG = "setup-";

  public static BucketLayout of(String bucket) {
    return new BucketLayout(ObjectUrl.of(bucket));
  }

  /** The common prefix of all of Mayfly's own objects; not a whole folder name. */
  public String ownPrefix() {
    return bucket.resolve("mayfly/") + ".";
  }

  /** The task list object that holds the task; each holds {@link Job#CHUNK} tasks. */
  public ObjectUrl tasks(String job, long task) {
    return job(job).resolve("tasks/%07d.jsonl".formatted(task / Job.CHUNK));
  }

  /** The list of what the job's only task reads as a folder. Created once. */
  public ObjectUrl gathered(String job) {
    return job(job).resolve("tasks/gathered.json");
  }

  public ObjectUrl logs(String job) {
    return job(job).resolve("logs/");
  }

  /** Those of one task. */
  public ObjectUrl logs(String job, long task) {
    return logs(job).append("%08d/".formatted(task));
  }

  /** A numbered piece of an attempt's log. Created once. */
  public ObjectUrl log(String job, long task, String attempt, int piece) {
    return job(job).resolve("logs/%08d/%s/%05d.log".formatted(task, attempt, piece));
  }

  /**
   * Where the histories of metrics of a job's attempts are: beside the logs, where agents may
   * create objects, and after all of them in a listing.
   */
  public ObjectUrl metrics(String job) {
    return logs(job).append("metrics/");
  }

  /** Those of one task. */
  public ObjectUrl metrics(String job, long task) {
    return metrics(job).append("%08d/".formatted(task));
  }

  /** An attempt's whole history so far; of several that with the highest number. Created once. */
  public ObjectUrl metrics(String job, long task, String attempt, int number) {
    return metrics(job, task).append("%s/%05d.metrics.jsonl".formatted(attempt, number));
  }

  /** A numbered outcome object: {@code piece} holds the tasks from {@code piece * 10,000} on. */
  public ObjectUrl outcome(String job, int piece) {
    return job(job).resolve("outcome/%05d.jsonl".formatted(piece));
  }

  /** The sentinels that the job does not accept, while it runs. */
  public ObjectUrl superseded(String job) {
    return job(job).resolve("superseded/");
  }

  /** That of one task. */
  public ObjectUrl superseded(String job, long task) {
    return superseded(job).resolve("%08d.COMPLETE".formatted(task));
  }

  /**
   * Where the sentinels of a job with one object for many tasks are: where agents may create
   * objects, and replace none.
   */
  public ObjectUrl sharedSentinels(String job) {
    return bucket.resolve("mayfly/" + job + "/sentinels/");
  }

  /** What the names of a block's objects begin with. */
  public ObjectUrl sharedSentinels(String job, long firstTask) {
    return sharedSentinels(job).append("%08d".formatted(firstTask));
  }

  /** A numbered object with sentinels of a block's tasks. Created once. */
  public ObjectUrl sharedSentinel(String job, long firstTask, int number) {
    return sharedSentinels(job, firstTask).append("-%05d.COMPLETE".formatted(number));
  }

  /** The zip of a working tree, named by its content hash. */
  public ObjectUrl code(String sha256) {
    return bucket.resolve("mayfly/.code/" + sha256 + ".zip");
  }

  /** The tasks of a file of items, named by its content hash. */
  public ObjectUrl items(String sha256) {
    return bucket.resolve("mayfly/.code/" + sha256 + ".jsonl");
  }

  /** A finished setup, named by all that it depends on. */
  public ObjectUrl setup(String sha256) {
    return bucket.resolve("mayfly/.setups/" + sha256 + ".tar.gz");
  }

  /** The folder of what Mayfly keeps of jobs: their tasks, logs and outcomes. */
  public ObjectUrl jobs() {
    return bucket.resolve("mayfly/.jobs/");
  }

  private ObjectUrl job(String job) {
    return jobs().resolve(job);
  }
}
