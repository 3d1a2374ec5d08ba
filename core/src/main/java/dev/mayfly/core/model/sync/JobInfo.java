package dev.mayfly.core.model.sync;

import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskItem;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an agent needs to know about a job.
 *
 * @param hash names this content
 * @param bucket the cluster's bucket
 * @param env the cluster's environment; the job's own is added to it
 * @param tasks how many the job has
 * @param items its tasks if they are few
 * @param since when the job was submitted, or retried last: an output of before is none of its own
 */
public record JobInfo(
    String job,
    String hash,
    JobSpec spec,
    String bucket,
    Map<String, String> env,
    long tasks,
    Optional<List<TaskItem>> items,
    Optional<Instant> since) {
  public JobInfo {
    env = Map.copyOf(env);
    items = items.map(List::copyOf);
  }

  /** The same info if the spec is the same object. */
  @SuppressWarnings("ReferenceEquality") // the same spec is common, and comparing two is long
  public JobInfo withSpec(JobSpec other) {
    return other == spec ? this : new JobInfo(job, hash, other, bucket, env, tasks, items, since);
  }
}
