package dev.mayfly.core.control;

import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.port.Write;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;

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
    var stored = ports.ledger().read(new Key.OfPulse(cluster));
    if (stored.isEmpty() || stored.get().value().workers().size() <= MANY) return;
    var pulse = stored.get().value();
    var young = new HashMap<>(pulse.workers());
    var since = ports.clock().instant().minus(OLD);
    young.values().removeIf(at -> at.isBefore(since));
    if (young.size() == pulse.workers().size()) return;
    var next = new Pulse(cluster, pulse.work(), young);
    ports.ledger().commit(List.of(new Write.Update(next, stored.get().version())));
  }
}
