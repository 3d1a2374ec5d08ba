package dev.mayfly.core.plan.veto;

/** Why no more tasks of a job may be leased, whatever room there is. */
public sealed interface LimitVeto extends Veto {
  /**
   * The job's own limit.
   *
   * @param leased how many of its tasks are
   */
  record OfJob(String job, int concurrency, long leased) implements LimitVeto {}

  /**
   * The limit of its owner, over all jobs.
   *
   * @param owner empty for jobs without one
   * @param leased how many tasks of the owner are
   * @param before how many more may go to jobs before it in the queue
   * @param enough the least limit with which the job gets one whichever job comes first: a later
   *     one may have its machine earlier
   */
  record OfOwner(String owner, String cluster, long most, long leased, long before, long enough)
      implements LimitVeto {}
}
