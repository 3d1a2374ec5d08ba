package dev.mayfly.core.reconcile;

import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.Ports;
import dev.mayfly.core.state.ReportedFailures;
import dev.mayfly.core.state.Timings;
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
 * <p>A process begins at most one round of a cluster in {@link Timings#roundPause}, the first at
 * once. What is asked meanwhile becomes one round at the end of the pause, inside the call that
 * asked first or whose round was running: a process may have no time between its calls. The other
 * calls return at once, for that round begins after they asked. Two processes may run rounds of one
 * cluster side by side: every change is conditional, and the one that loses stops.
 */
public final class ReconcileLoop {
  /** A call that was to go on and is so late may have ended; another takes its place. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Ports ports;
  private final Timings timings;
  private final ClusterReconciler clusterReconciler;
  private final ReportedFailures log = new ReportedFailures();
  private final Map<String, Gate> gates = new HashMap<>();

  /** What this process knows of its rounds of one cluster. */
  private static final class Gate {
    private Instant last = Instant.MIN;
    private boolean running;

    /** When the call that waits goes on. */
    private Optional<Instant> waiter = Optional.empty();

    private Optional<ReconcileRequest> asked = Optional.empty();

    private boolean taken(Instant now) {
      return running || waiter.filter(at -> at.plus(PATIENCE).isAfter(now)).isPresent();
    }
  }

  /**
   * @param workersUrl where agents sync, without {@code /v1/sync}
   */
  public ReconcileLoop(Ports ports, Timings timings, String workersUrl) {
    this.ports = ports;
    this.timings = timings;
    clusterReconciler = new ClusterReconciler(ports, timings, workersUrl);
  }

  /**
   * A round of every cluster that is not gone. What went wrong with one thing is told, a line each,
   * and did not stop the others; the next tick does it again. Throws {@link
   * dev.mayfly.core.error.UnavailableException} only if not even the clusters could be listed.
   */
  public ReconcileResult tick() {
    var callPass = new CallPass();
    for (var versionedDocument :
        ports
            .ledger()
            .query(new LedgerQuery.Clusters(false))
            .readable(callPass.failureLog::unreadable))
      callPass.enter(
          versionedDocument.value().uid(),
          versionedDocument.value().spec().name(),
          ReconcileRequest.TICK);
    return callPass.looked();
  }

  /** A round of one cluster, now or at the end of the pause; troubles as in {@link #tick}. */
  public ReconcileResult reconcile(Trigger.Look hint) {
    var callPass = new CallPass();
    callPass.enter(hint.cluster(), hint.cluster(), ReconcileRequest.of(hint));
    return callPass.looked();
  }

  /** The rounds that a call waited for. */
  public ReconcileResult resume(ReconcileResult.Later later) {
    var callPass = new CallPass();
    for (var cluster : later.clusters()) callPass.goOn(cluster);
    return callPass.looked();
  }

  /** A call that cannot wait any longer leaves its rounds to a message. */
  public void passOn(ReconcileResult.Later later) {
    for (var cluster : later.clusters())
      takeRequest(cluster).ifPresent(asked -> ports.bus().send(asked.trigger(cluster)));
  }

  private synchronized Optional<ReconcileRequest> takeRequest(String cluster) {
    var gate = gate(cluster);
    var asked = gate.asked;
    gate.waiter = Optional.empty();
    gate.asked = Optional.empty();
    return asked;
  }

  /** One call, with what it did and what it has to wait for. */
  private final class CallPass {
    private final FailureLog failureLog = new FailureLog(log, ports);
    private final List<String> waiting = new ArrayList<>();
    private Instant at = Instant.MAX;

    void enter(String cluster, String name, ReconcileRequest request) {
      follow(cluster, name, ask(cluster, request));
    }

    void goOn(String cluster) {
      follow(cluster, cluster, next(cluster));
    }

    private void follow(String cluster, String name, NextStep nextStep) {
      switch (nextStep) {
        case NextStep.Others _ -> {}
        case NextStep.Wait wait -> {
          waiting.add(cluster);
          if (wait.at.isBefore(at)) at = wait.at;
        }
        case NextStep.Run run -> {
          try {
            failureLog.guard(
                "cluster " + name,
                () -> {
                  if (clusterReconciler.run(cluster, run.asked, failureLog))
                    add(cluster, run.asked.withoutTick());
                });
          } finally {
            follow(cluster, name, ended(cluster));
          }
        }
      }
    }

    ReconcileResult looked() {
      var later =
          waiting.isEmpty()
              ? Optional.<ReconcileResult.Later>empty()
              : Optional.of(new ReconcileResult.Later(at, waiting));
      return new ReconcileResult(failureLog.lines(), later);
    }
  }

  /** What a call is to do about a cluster. */
  private sealed interface NextStep {
    /** Another call of this process sees to it. */
    record Others() implements NextStep {}

    record Wait(Instant at) implements NextStep {}

    record Run(ReconcileRequest asked) implements NextStep {}
  }

  private synchronized NextStep ask(String cluster, ReconcileRequest request) {
    add(cluster, request);
    var gate = gate(cluster);
    return gate.taken(ports.clock().instant()) ? new NextStep.Others() : turn(gate);
  }

  private synchronized void add(String cluster, ReconcileRequest request) {
    var gate = gate(cluster);
    gate.asked = Optional.of(gate.asked.map(request::merge).orElse(request));
  }

  /** For the call that waited. */
  private synchronized NextStep next(String cluster) {
    var gate = gate(cluster);
    // It was so late that another took its place.
    if (gate.running) return new NextStep.Others();
    gate.waiter = Optional.empty();
    return turn(gate);
  }

  private synchronized NextStep ended(String cluster) {
    var gate = gate(cluster);
    gate.running = false;
    if (gate.asked.isEmpty()) return new NextStep.Others();
    return await(gate);
  }

  private NextStep turn(Gate gate) {
    var asked = gate.asked;
    if (asked.isEmpty()) return new NextStep.Others();
    var now = ports.clock().instant();
    var free = gate.last.equals(Instant.MIN) || !gate.last.plus(timings.roundPause()).isAfter(now);
    if (!free) return await(gate);
    gate.running = true;
    gate.asked = Optional.empty();
    gate.last = now;
    return new NextStep.Run(asked.get());
  }

  private NextStep await(Gate gate) {
    var at = gate.last.plus(timings.roundPause());
    gate.waiter = Optional.of(at);
    return new NextStep.Wait(at);
  }

  private Gate gate(String cluster) {
    return gates.computeIfAbsent(cluster, _ -> new Gate());
  }
}
