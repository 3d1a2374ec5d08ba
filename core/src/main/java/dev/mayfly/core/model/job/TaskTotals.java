package dev.mayfly.core.model.job;

/**
 * A job's tasks by state, summed over its shards.
 *
 * @param done with a sentinel
 * @param failed for good
 * @param ready open, in shards that are not leased
 * @param leased open, in leased shards
 * @param shards how many documents were summed
 */
public record TaskTotals(long done, long failed, long ready, long leased, long shards) {
  public long tasks() {
    return done + failed + ready + leased;
  }

  public long open() {
    return ready + leased;
  }
}
