package dev.mayfly.core.model.job;

/**
 * A job's tasks by state, added up over its shards.
 *
 * @param done with a sentinel
 * @param failed for good
 * @param ready neither, in shards that nobody holds
 * @param leased neither, in shards that a worker holds
 * @param shards documents that were added up
 */
public record TaskTotals(long done, long failed, long ready, long leased, long shards) {
  public long tasks() {
    return done + failed + ready + leased;
  }

  public long open() {
    return ready + leased;
  }
}
