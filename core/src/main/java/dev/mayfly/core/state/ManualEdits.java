package dev.mayfly.core.state;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.port.Codec;
import java.util.Map;

/**
 * Detects manual edits of a cluster's spec. The document can be edited in the console and is then
 * followed, but no file contains the edit and the next {@code up} undoes it.
 */
public final class ManualEdits {
  private final Codec codec;

  public ManualEdits(Codec codec) {
    this.codec = codec;
  }

  /** The cluster with a complete spec from a message. */
  public Cluster applied(Cluster cluster) {
    return cluster.applied(codec.hash(cluster.spec()));
  }

  /** The cluster with a partly changed spec; earlier manual edits still count as such. */
  public Cluster changed(Cluster was, ClusterSpec next, Map<String, Cluster.Version> versions) {
    var changed = was.withSpec(next, was.generation() + 1, versions);
    return isEdited(was) ? changed : applied(changed);
  }

  public boolean isEdited(Cluster cluster) {
    return cluster.applied().filter(h -> !h.equals(codec.hash(cluster.spec()))).isPresent();
  }

  public String describe(Cluster cluster) {
    return "its document was changed by hand after generation %d: it is in effect; mayfly up with its file reverts it"
        .formatted(cluster.generation());
  }
}
