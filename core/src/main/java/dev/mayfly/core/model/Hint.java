package dev.mayfly.core.model;

/**
 * A message from Mayfly to itself: a place to look at. Never the truth; it may be lost, doubled or
 * late.
 */
public sealed interface Hint {
  /** Look at everything. */
  record Tick() implements Hint {}

  /** Compare the cloud with the ledger. */
  record Sweep() implements Hint {}

  record Look(String cluster) implements Hint {}

  /** Go on listing the job's tasks. */
  record Expand(String cluster, String job) implements Hint {}

  /** Go on ending the job. */
  record Audit(String cluster, String job) implements Hint {}
}
