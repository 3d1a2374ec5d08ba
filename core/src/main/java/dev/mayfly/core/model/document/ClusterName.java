package dev.mayfly.core.model.document;

import java.time.Instant;
import java.util.Optional;

/**
 * {@code names/cluster.NAME}: the cluster that has the name, and a down that arrived before its
 * cluster.
 *
 * @param uid of the newest cluster of that name, live or gone; empty if there is only a down
 * @param downBefore when the newest down that found no live cluster was published: files of the
 *     name published until then create no cluster; empty once a later file created one
 */
public record ClusterName(String name, Optional<String> uid, Optional<Instant> downBefore)
    implements LedgerDocument {
  /** For the name of a new cluster. */
  public ClusterName(String name, String uid) {
    this(name, Optional.of(uid), Optional.empty());
  }

  public static ClusterName unused(String name) {
    return new ClusterName(name, Optional.empty(), Optional.empty());
  }

  @Override
  public DocumentKey.OfClusterName key() {
    return new DocumentKey.OfClusterName(name);
  }

  public Optional<DocumentKey.OfCluster> cluster() {
    return uid.map(DocumentKey.OfCluster::new);
  }

  public ClusterName withDown(Instant at) {
    return new ClusterName(name, uid, Optional.of(at));
  }

  /** The remembered down, if a file published then must create no cluster because of it. */
  public Optional<Instant> downSince(Instant filePublishedAt) {
    return downBefore.filter(down -> !filePublishedAt.isAfter(down));
  }
}
