package dev.mayfly.core.model;

/**
 * One lease: the shard, and the epoch that its grant gave it.
 *
 * @param start the first index of the shard: its name
 */
public record LeaseRef(String job, long start, long epoch) {
  /** Names the attempts made under this lease, which starts each task at most once. */
  public String attempt() {
    return "s" + start + "e" + epoch;
  }
}
