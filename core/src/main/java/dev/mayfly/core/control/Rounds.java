package dev.mayfly.core.control;

import dev.mayfly.core.model.Hint;
import dev.mayfly.core.port.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes true what is wanted: looks at a cluster, does again what was committed and not done, plans,
 * commits, and acts. From any state ticks alone reach the goal.
 *
 * <p>A process begins at most one round of a cluster in {@link Rules#roundPause}, the first at
 * once. What is asked meanwhile becomes one round at the end of the pause, inside the call that
 * asked first or whose round was running: a process may have no time between its calls. The other
 * calls return at once, for that round begins after they asked. Two processes may run rounds of one
 * cluster side by side: every change is conditional, and the one that loses stops.
 */
public final class Rounds {
  /** A call that was to go on and is so late may have ended; another takes its place. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Ports ports;
  private final Rules rules;
  private final Round round;
  private final TroubleLog log = new TroubleLog();
  private final Map<String, Gate> gates = new HashMap<>();

  /** What this process knows of its rounds of one cluster. */
  private static final class Gate {
    private Instant last = Instant.MIN;
    private boolean running;

    /** When the call that waits goes on. */
    private Optional<Instant> waiter = Optional.empty();

    private Optional<LookRequest> asked = Optional.empty();

    private boolean taken(Instant now) {
      return running || waiter.filter(at -> at.plus(PATIENCE).isAfter(now)).isPresent();
    }
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
  public Looked tick() {
    var visit = new Visit();
    for (var stored :
        ports.ledger().query(new Query.Clusters(false)).readable(visit.troubles::unreadable))
      visit.enter(stored.value().uid(), stored.value().spec().name(), LookRequest.TICK);
    return visit.looked();
  }

  /** A round of one cluster, now or at the end of the pause; troubles as in {@link #tick}. */
  public Looked look(Hint.Look hint) {
    var visit = new Visit();
    visit.enter(hint.cluster(), hint.cluster(), LookRequest.of(hint));
    return visit.looked();
  }

  /** The rounds that a call waited for. */
  public Looked resume(Looked.Later later) {
    var visit = new Visit();
    for (var cluster : later.clusters()) visit.goOn(cluster);
    return visit.looked();
  }

  /** A call that cannot wait any longer leaves its rounds to a message. */
  public void passOn(Looked.Later later) {
    for (var cluster : later.clusters())
      left(cluster).ifPresent(asked -> ports.bus().send(asked.hint(cluster)));
  }

  private synchronized Optional<LookRequest> left(String cluster) {
    var gate = gate(cluster);
    var asked = gate.asked;
    gate.waiter = Optional.empty();
    gate.asked = Optional.empty();
    return asked;
  }

  /** One call, with what it did and what it has to wait for. */
  private final class Visit {
    private final Troubles troubles = new Troubles(log, ports);
    private final List<String> waiting = new ArrayList<>();
    private Instant at = Instant.MAX;

    void enter(String cluster, String name, LookRequest request) {
      follow(cluster, name, ask(cluster, request));
    }

    void goOn(String cluster) {
      follow(cluster, cluster, next(cluster));
    }

    private void follow(String cluster, String name, Turn turn) {
      switch (turn) {
        case Turn.Others _ -> {}
        case Turn.Wait wait -> {
          waiting.add(cluster);
          if (wait.at.isBefore(at)) at = wait.at;
        }
        case Turn.Run run -> {
          try {
            troubles.guard(
                "cluster " + name,
                () -> {
                  if (round.run(cluster, run.asked, troubles)) add(cluster, run.asked.again());
                });
          } finally {
            follow(cluster, name, ended(cluster));
          }
        }
      }
    }

    Looked looked() {
      var later =
          waiting.isEmpty()
              ? Optional.<Looked.Later>empty()
              : Optional.of(new Looked.Later(at, waiting));
      return new Looked(troubles.told(), later);
    }
  }

  /** What a call is to do about a cluster. */
  private sealed interface Turn {
    /** Another call of this process sees to it. */
    record Others() implements Turn {}

    record Wait(Instant at) implements Turn {}

    record Run(LookRequest asked) implements Turn {}
  }

  private synchronized Turn ask(String cluster, LookRequest request) {
    add(cluster, request);
    var gate = gate(cluster);
    return gate.taken(ports.clock().instant()) ? new Turn.Others() : turn(gate);
  }

  private synchronized void add(String cluster, LookRequest request) {
    var gate = gate(cluster);
    gate.asked = Optional.of(gate.asked.map(request::and).orElse(request));
  }

  /** For the call that waited. */
  private synchronized Turn next(String cluster) {
    var gate = gate(cluster);
    // It was so late that another took its place.
    if (gate.running) return new Turn.Others();
    gate.waiter = Optional.empty();
    return turn(gate);
  }

  private synchronized Turn ended(String cluster) {
    var gate = gate(cluster);
    gate.running = false;
    if (gate.asked.isEmpty()) return new Turn.Others();
    return await(gate);
  }

  private Turn turn(Gate gate) {
    var asked = gate.asked;
    if (asked.isEmpty()) return new Turn.Others();
    var now = ports.clock().instant();
    var free = gate.last.equals(Instant.MIN) || !gate.last.plus(rules.roundPause()).isAfter(now);
    if (!free) return await(gate);
    gate.running = true;
    gate.asked = Optional.empty();
    gate.last = now;
    return new Turn.Run(asked.get());
  }

  private Turn await(Gate gate) {
    var at = gate.last.plus(rules.roundPause());
    gate.waiter = Optional.of(at);
    return new Turn.Wait(at);
  }

  private Gate gate(String cluster) {
    return gates.computeIfAbsent(cluster, _ -> new Gate());
  }
}
