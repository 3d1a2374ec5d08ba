package dev.mayfly.core.control;

import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Creations;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.plan.TpuTypes;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.time.Instant;
import java.util.Optional;

/**
 * What is left of the project's TPU creations a minute, as one round read it. What the round takes
 * is committed with its launches: of two clusters that took the same, one loses and looks again.
 */
final class Budget {
  private final Instant now;
  private final boolean counts;
  private Renewable<Creations> stored;
  private Creations next;

  private Budget(Instant now, boolean counts, Renewable<Creations> stored) {
    this.now = now;
    this.counts = counts;
    this.stored = stored;
    next = stored.value().orElse(Creations.NONE);
  }

  /** A cluster without TPUs reads nothing. */
  static Budget of(Ports ports, ClusterSpec spec) {
    var counts = spec.pools().stream().anyMatch(Budget::isTpu);
    return new Budget(
        ports.clock().instant(),
        counts,
        counts
            ? Renewable.read(ports.ledger(), new Key.OfCreations())
            : new Renewable<>(Optional.empty(), false));
  }

  int left() {
    return counts ? next.left(now) : Creations.A_MINUTE;
  }

  /** The write that has to be committed, last of its batch, with launches of the pool. */
  Optional<Write> take(PoolSpec pool, int count) {
    if (!isTpu(pool)) return Optional.empty();
    next = next.with(count, now);
    return Optional.of(stored.next(next));
  }

  /** It was committed. */
  void taken(String version) {
    stored = new Renewable<>(Optional.of(new Stored<>(next, version)), false);
  }

  private static boolean isTpu(PoolSpec pool) {
    return TpuTypes.of(pool.machineType()).isPresent();
  }
}
