package dev.mayfly.core.dispatch;

import dev.mayfly.core.model.document.Shard;
import java.util.List;

/** Receives changes of a worker's leases, so that its next orders name them. */
public interface GrantListener {
  /** The worker now holds these shards, as stored. */
  void granted(String worker, List<Shard> shards);

  /** The worker's shards may have changed and must be read again. */
  void invalidate(String worker);
}
