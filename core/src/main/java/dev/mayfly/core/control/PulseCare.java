package dev.mayfly.core.control;

import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Pulse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Takes old news out of a cluster's pulse, which news is only ever merged into. */
final class PulseCare {
  private static final int MANY = 100;
  private static final Duration OLD = Duration.ofMinutes(10);

  private final Ports ports;

  PulseCare(Ports ports) {
    this.ports = ports;
  }

  /**
   * Conditional on what was read: news that comes meanwhile is not overwritten, and the next tick
   * tries again.
   */
  void look(String cluster) {
    var stored = Renewable.read(ports.ledger(), new Key.OfPulse(cluster));
    if (stored.broken()) {
      // As if work had appeared: whatever was told in it is looked at.
      var now = ports.clock().instant();
      ports.ledger().commit(List.of(stored.next(new Pulse(cluster, now, Map.of()))));
      return;
    }
    var pulse = stored.value().orElseGet(() -> new Pulse(cluster, Instant.EPOCH, Map.of()));
    if (pulse.workers().size() <= MANY) return;
    var young = new HashMap<>(pulse.workers());
    var since = ports.clock().instant().minus(OLD);
    young.values().removeIf(at -> at.isBefore(since));
    if (young.size() == pulse.workers().size()) return;
    var next = new Pulse(cluster, pulse.work(), young);
    ports.ledger().commit(List.of(stored.next(next)));
  }
}
