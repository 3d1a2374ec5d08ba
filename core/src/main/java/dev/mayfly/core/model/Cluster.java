package dev.mayfly.core.model;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * {@code clusters/{uid}}: a cluster as it is stored.
 *
 * @param uid the immutable identity; every resource in the cloud carries it as a label
 * @param generation raised by each accepted change of {@code spec}
 * @param launches raised by each commit that launches machines, so that two rounds cannot launch
 *     twice
 * @param endedAt when the last machine of a cluster that was taken down was proved gone
 * @param versions by pool, the newest change that only new machines follow; none: never changed
 * @param slices when the newest command about each slice by hand was published, those of deleted
 *     ones too: an older command comes too late and changes nothing
 * @param applied the hash of {@code spec} as messages left it; another one says that somebody
 *     changed the document by hand. Empty: nobody can tell
 */
public record Cluster(
    String uid,
    ClusterSpec spec,
    Phase phase,
    long generation,
    long launches,
    Instant createdAt,
    Optional<Instant> endedAt,
    Map<String, Version> versions,
    Map<String, Instant> slices,
    Optional<String> applied)
    implements Document {
  public Cluster {
    versions = Map.copyOf(versions);
    slices = Map.copyOf(slices);
  }

  /** A cluster none of whose pools has changed. */
  public Cluster(
      String uid,
      ClusterSpec spec,
      Phase phase,
      long generation,
      long launches,
      Instant createdAt,
      Optional<Instant> endedAt) {
    this(
        uid,
        spec,
        phase,
        generation,
        launches,
        createdAt,
        endedAt,
        Map.of(),
        Map.of(),
        Optional.empty());
  }

  /** A cluster without slices by hand. */
  public Cluster(
      String uid,
      ClusterSpec spec,
      Phase phase,
      long generation,
      long launches,
      Instant createdAt,
      Optional<Instant> endedAt,
      Map<String, Version> versions) {
    this(
        uid,
        spec,
        phase,
        generation,
        launches,
        createdAt,
        endedAt,
        versions,
        Map.of(),
        Optional.empty());
  }

  /**
   * The newest change of a pool that only new machines follow.
   *
   * @param generation the cluster's that began with it
   * @param what changed, in words
   */
  public record Version(long generation, Instant at, String what) {}

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
    return new Cluster(
        uid, spec, next, generation, launches, createdAt, endedAt, versions, slices, applied);
  }

  /** The same with another spec; {@link #applied} says of the old one what it said. */
  public Cluster changed(ClusterSpec next, long number, Map<String, Version> then) {
    return new Cluster(
        uid, next, phase, number, launches, createdAt, endedAt, then, slices, applied);
  }

  /** With the hash of its spec, which is as a message asked for. */
  public Cluster applied(String hash) {
    return new Cluster(
        uid,
        spec,
        phase,
        generation,
        launches,
        createdAt,
        endedAt,
        versions,
        slices,
        Optional.of(hash));
  }

  /** Nothing of it is left. */
  public Cluster gone(Instant at) {
    return new Cluster(
        uid,
        spec,
        Phase.GONE,
        generation,
        launches,
        createdAt,
        Optional.of(at),
        versions,
        slices,
        applied);
  }

  /** Having heard of slices by hand at those times. */
  public Cluster slicing(Map<String, Instant> told) {
    return new Cluster(
        uid, spec, phase, generation, launches, createdAt, endedAt, versions, told, applied);
  }

  public Cluster launching(int machines) {
    return new Cluster(
        uid,
        spec,
        phase,
        generation,
        launches + machines,
        createdAt,
        endedAt,
        versions,
        slices,
        applied);
  }
}
