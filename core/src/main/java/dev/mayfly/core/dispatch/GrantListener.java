package dev.mayfly.core.dispatch;

import dev.mayfly.core.model.document.Shard;
import java.util.List;

/** Is told which leases of a worker changed, so that its orders name them at once. */
public interface GrantListener {
  /** The worker has these shards now, as they were stored. */
  void granted(String worker, List<Shard> shards);

  /** The worker's shards may have changed: what is known of them is read again. */
  void invalidate(String worker);
}
