package dev.mayfly.core.reconcile;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.TpuCreateQuota;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.RebuildableDocument;
import java.time.Instant;
import java.util.Optional;

/**
 * The rest of the project's TPU creations per minute, as one reconcile read it. What the reconcile
 * takes is committed with its launches: of two clusters that took the same, one loses and
 * reconciles again.
 */
final class RemainingTpuQuota {
  private final Instant now;
  private final boolean counts;
  private RebuildableDocument<TpuCreateQuota> stored;
  private TpuCreateQuota next;

  private RemainingTpuQuota(
      Instant now, boolean counts, RebuildableDocument<TpuCreateQuota> stored) {
    this.now = now;
    this.counts = counts;
    this.stored = stored;
    next = stored.value().orElse(TpuCreateQuota.NONE);
  }

  /** A cluster without TPUs reads nothing. */
  static RemainingTpuQuota of(Context context, ClusterSpec spec) {
    var counts = spec.pools().stream().anyMatch(RemainingTpuQuota::isTpu);
    return new RemainingTpuQuota(
        context.clock().instant(),
        counts,
        counts
            ? RebuildableDocument.read(context.ledger(), new DocumentKey.OfTpuCreateQuota())
            : new RebuildableDocument<>(Optional.empty(), false));
  }

  int left() {
    return counts ? next.remaining(now) : TpuCreateQuota.A_MINUTE;
  }

  /** The write to commit, last of its batch, with launches of the pool. */
  Optional<LedgerWrite> take(PoolSpec pool, int count) {
    if (!isTpu(pool)) return Optional.empty();
    next = next.with(count, now);
    return Optional.of(stored.replaceWith(next));
  }

  /** The write was committed with this version. */
  void committed(String version) {
    stored = new RebuildableDocument<>(Optional.of(new VersionedDocument<>(next, version)), false);
  }

  private static boolean isTpu(PoolSpec pool) {
    return TpuTypes.of(pool.machineType()).isPresent();
  }
}
