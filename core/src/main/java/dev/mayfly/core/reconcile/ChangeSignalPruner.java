package dev.mayfly.core.reconcile;

import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.RebuildableDocument;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Removes old entries from a cluster's change signal, into which writers only merge. */
final class ChangeSignalPruner {
  private static final int MAX_WORKERS = 100;
  private static final Duration OLD = Duration.ofMinutes(10);

  private final Context context;

  ChangeSignalPruner(Context context) {
    this.context = context;
  }

  /**
   * Conditional on the version read: entries added in between are not overwritten, and the next
   * tick tries again.
   */
  void prune(String cluster) {
    var stored =
        RebuildableDocument.read(context.ledger(), new DocumentKey.OfChangeSignal(cluster));
    if (stored.broken()) {
      // Signals new work, so that everything the lost entries named is checked.
      var now = context.clock().instant();
      context
          .ledger()
          .commit(List.of(stored.replaceWith(new ChangeSignal(cluster, now, Map.of()))));
      return;
    }
    var changeSignal =
        stored.value().orElseGet(() -> new ChangeSignal(cluster, Instant.EPOCH, Map.of()));
    if (changeSignal.workers().size() <= MAX_WORKERS) return;
    var recent = new HashMap<>(changeSignal.workers());
    var since = context.clock().instant().minus(OLD);
    recent.values().removeIf(at -> at.isBefore(since));
    if (recent.size() == changeSignal.workers().size()) return;
    var next = new ChangeSignal(cluster, changeSignal.work(), recent);
    context.ledger().commit(List.of(stored.replaceWith(next)));
  }
}
