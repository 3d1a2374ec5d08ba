package dev.mayfly.core.model.document;

/** How many documents change together. */
public final class BatchSize {
  /** The most writes of one commit. */
  public static final int MOST = 400;

  /**
   * The most workers that take one task together: each of them changes in the commits that give and
   * end the task, and the shard, the pulse and a few documents more change with them.
   */
  public static final int GANG = MOST - 10;

  private BatchSize() {}
}
