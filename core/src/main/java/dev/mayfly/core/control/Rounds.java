package dev.mayfly.core.control;

import dev.mayfly.core.port.Query;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes true what is wanted: looks at a cluster, does again what was committed and not done, plans,
 * commits, and acts. From any state ticks alone reach the goal.
 *
 * <p>A process begins at most one round of a cluster in {@link Rules#roundPause}, the first at
 * once; what is asked meanwhile becomes one round at its end. Two processes may run rounds of one
 * cluster side by side: every change is conditional, and whoever loses stops.
 */
public final class Rounds {
  private final Ports ports;
  private final Rules rules;
  private final Round round;
  private final TroubleLog log = new TroubleLog();
  private final Map<String, Gate> gates = new HashMap<>();

  /** What this process knows of its rounds of one cluster. */
  private static final class Gate {
    private Instant last = Instant.MIN;
    private boolean running;
    private boolean asked;
    private boolean tick;
  }

  /**
   * @param workersUrl where agents sync, without {@code /v1/sync}
   */
  public Rounds(Ports ports, Rules rules, String workersUrl) {
    this.ports = ports;
    this.rules = rules;
    round = new Round(ports, rules, workersUrl);
  }

  /**
   * A round of every cluster that is not gone. What went wrong with one thing is told, a line each,
   * and did not stop the others; the next tick does it again. Throws {@link
   * dev.mayfly.core.error.Unavailable} only if not even the clusters could be listed.
   */
  public List<String> tick() {
    var troubles = troubles();
    for (var stored :
        ports.ledger().query(new Query.Clusters(false)).readable(troubles::unreadable))
      troubles.guard(
          "cluster " + stored.value().spec().name(),
          () -> enter(stored.value().uid(), true, troubles));
    return troubles.told();
  }

  /** A round of one cluster, now or at the end of the pause; troubles as in {@link #tick}. */
  public List<String> look(String cluster) {
    var troubles = troubles();
    troubles.guard("cluster " + cluster, () -> enter(cluster, false, troubles));
    return troubles.told();
  }

  private Troubles troubles() {
    return new Troubles(log, ports);
  }

  private void enter(String cluster, boolean tick, Troubles troubles) {
    var full = open(cluster, tick);
    if (full == Turn.LATER) return;
    try {
      round.run(cluster, full == Turn.TICK, troubles);
    } finally {
      leave(cluster);
    }
  }

  private enum Turn {
    LOOK,
    TICK,
    LATER
  }

  private synchronized Turn open(String cluster, boolean tick) {
    var gate = gate(cluster);
    gate.tick |= tick;
    var now = ports.clock().instant();
    var free = gate.last.equals(Instant.MIN) || !gate.last.plus(rules.roundPause()).isAfter(now);
    if (gate.running || !free) {
      if (!gate.asked && !gate.running) later(cluster, gate);
      gate.asked = true;
      return Turn.LATER;
    }
    var turn = gate.tick ? Turn.TICK : Turn.LOOK;
    gate.running = true;
    gate.asked = false;
    gate.tick = false;
    gate.last = now;
    return turn;
  }

  private synchronized void leave(String cluster) {
    var gate = gate(cluster);
    gate.running = false;
    if (gate.asked) later(cluster, gate);
  }

  private Gate gate(String cluster) {
    return gates.computeIfAbsent(cluster, _ -> new Gate());
  }

  private void later(String cluster, Gate gate) {
    ports.alarms().at(gate.last.plus(rules.roundPause()), () -> wake(cluster));
  }

  private void wake(String cluster) {
    synchronized (this) {
      var gate = gate(cluster);
      if (!gate.asked || gate.running) return;
      // An alarm that comes a moment too early asks for another one.
      gate.asked = false;
    }
    look(cluster);
  }
}
