package dev.mayfly.core.model;

import java.time.Instant;
import java.util.Optional;

/**
 * {@code clusters/{uid}}: a cluster as it is stored.
 *
 * @param uid the immutable identity; every resource in the cloud carries it as a label
 * @param generation raised by each accepted change of {@code spec}
 * @param launches raised by each commit that launches machines, so that two rounds cannot launch
 *     twice
 * @param endedAt when the last machine of a cluster that was taken down was proved gone
 */
public record Cluster(
    String uid,
    ClusterSpec spec,
    Phase phase,
    long generation,
    long launches,
    Instant createdAt,
    Optional<Instant> endedAt)
    implements Document {
  /** UP until somebody takes it down; GOING until nothing of it is left in the cloud; then GONE. */
  public enum Phase {
    UP,
    GOING,
    GONE
  }

  @Override
  public Key.OfCluster key() {
    return new Key.OfCluster(uid);
  }

  public Cluster with(Phase next) {
    return new Cluster(uid, spec, next, generation, launches, createdAt, endedAt);
  }

  public Cluster launching(int machines) {
    return new Cluster(uid, spec, phase, generation, launches + machines, createdAt, endedAt);
  }
}
