package dev.mayfly.core.model.document;

/** {@code names/cluster.NAME}: the cluster that has the name now. */
public record ClusterName(String name, String uid) implements LedgerDocument {
  @Override
  public DocumentKey.OfClusterName key() {
    return new DocumentKey.OfClusterName(name);
  }
}
