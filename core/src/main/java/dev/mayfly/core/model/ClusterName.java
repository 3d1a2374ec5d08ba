package dev.mayfly.core.model;

/** {@code names/cluster.NAME}: which cluster has the name now. */
public record ClusterName(String name, String uid) implements Document {
  @Override
  public Key.OfClusterName key() {
    return new Key.OfClusterName(name);
  }
}
