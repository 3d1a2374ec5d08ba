package dev.mayfly.core.model;

/** Limits on the number of documents changed together. */
public final class BatchSize {
  /** The most writes of one commit. */
  public static final int MAX_WRITES = 400;

  /**
   * The most workers that run one task together: each changes in the commits that grant and end the
   * task, along with the shard, the change signal and a few more documents.
   */
  public static final int GANG = MAX_WRITES - 10;

  private BatchSize() {}
}
