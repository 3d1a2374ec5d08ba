package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.document.Worker;

/**
 * How many shards a worker may hold: its document and theirs are committed together, also when it
 * is lost, and a commit has at most 500 writes. With more, whatever room it has, it takes no tasks
 * until the last one of some shard has ended; small shards on large machines come near.
 */
public final class HeldLimit {
  public static final int SHARDS = 300;

  private HeldLimit() {}

  public static boolean isReached(Worker worker) {
    return worker.held().size() >= SHARDS;
  }
}
