package dev.mayfly.core.reconcile;

import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.state.Ports;
import dev.mayfly.core.state.RebuildableDocument;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Takes old news out of a cluster's pulse, which news is only ever merged into. */
final class ChangeSignalPruner {
  private static final int MANY = 100;
  private static final Duration OLD = Duration.ofMinutes(10);

  private final Ports ports;

  ChangeSignalPruner(Ports ports) {
    this.ports = ports;
  }

  /**
   * Conditional on what was read: news that comes meanwhile is not overwritten, and the next tick
   * tries again.
   */
  void prune(String cluster) {
    var stored = RebuildableDocument.read(ports.ledger(), new DocumentKey.OfChangeSignal(cluster));
    if (stored.broken()) {
      // As if work had appeared: whatever was told in it is looked at.
      var now = ports.clock().instant();
      ports.ledger().commit(List.of(stored.replaceWith(new ChangeSignal(cluster, now, Map.of()))));
      return;
    }
    var changeSignal =
        stored.value().orElseGet(() -> new ChangeSignal(cluster, Instant.EPOCH, Map.of()));
    if (changeSignal.workers().size() <= MANY) return;
    var young = new HashMap<>(changeSignal.workers());
    var since = ports.clock().instant().minus(OLD);
    young.values().removeIf(at -> at.isBefore(since));
    if (young.size() == changeSignal.workers().size()) return;
    var next = new ChangeSignal(cluster, changeSignal.work(), young);
    ports.ledger().commit(List.of(stored.replaceWith(next)));
  }
}
