package dev.mayfly.core.reconcile;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.ReportedFailures;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.worker.WorkerTransitions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Brings a cluster's stored and real state to the wanted one: observes, repeats what was committed
 * and not done, plans, commits, and acts. From any state, ticks alone reach the goal.
 *
 * <p>A process starts at most one reconcile of a cluster per {@link Timings#reconcilePause}, the
 * first at once. Requests that arrive during the pause become one reconcile at its end, inside the
 * call that asked first or whose reconcile was running, because a process may get no CPU between
 * its calls. The other calls return at once: that reconcile starts after they asked. Two processes
 * may reconcile one cluster concurrently: every change is conditional, and the loser stops.
 */
public final class ReconcileLoop {
  /** A waiting call that is this late may have ended; another takes its place. */
  private static final Duration MAX_DELAY = Duration.ofSeconds(10);

  private final Context context;
  private final ClusterReconciler clusterReconciler;
  private final ReportedFailures log = new ReportedFailures();
  private final Map<String, ClusterState> clusterStates = new HashMap<>();

  /** The state of one cluster's reconciles in this process. */
  private static final class ClusterState {
    private Instant last = Instant.MIN;
    private boolean running;

    /** When the waiting call continues. */
    private Optional<Instant> waiter = Optional.empty();

    private Optional<ReconcileRequest> requested = Optional.empty();

    private boolean isBusy(Instant now) {
      return running || waiter.filter(at -> at.plus(MAX_DELAY).isAfter(now)).isPresent();
    }
  }

  /**
   * @param workersUrl where agents sync, without {@code /v1/sync}
   */
  public ReconcileLoop(Context context, String workersUrl, WorkerTransitions workerTransitions) {
    this.context = context;
    clusterReconciler = new ClusterReconciler(context, workersUrl, workerTransitions);
  }

  /**
   * Reconciles every cluster that is not gone. Failures of single things are reported, a line each,
   * and do not stop the others; the next tick repeats them. Throws {@link
   * dev.mayfly.core.error.UnavailableException} only if the clusters could not be listed.
   */
  public ReconcileResult tick() {
    var callPass = new CallPass();
    for (var stored :
        context
            .ledger()
            .query(new LedgerQuery.Clusters(false))
            .readable(callPass.failureLog::unreadable)) {
      if (stored.value().hasDue(context.clock().instant()))
        TriggerSender.send(context.bus(), new Trigger.RunSchedules(stored.value().uid()));
      callPass.enter(stored.value().uid(), stored.value().spec().name(), ReconcileRequest.TICK);
    }
    return callPass.result();
  }

  /** Reconciles one cluster, now or at the end of the pause; failures as in {@link #tick}. */
  public ReconcileResult reconcile(Trigger.Reconcile trigger) {
    var callPass = new CallPass();
    callPass.enter(trigger.cluster(), trigger.cluster(), ReconcileRequest.of(trigger));
    return callPass.result();
  }

  /** Runs the reconciles that a call waited for. */
  public ReconcileResult resume(ReconcileResult.Later later) {
    var callPass = new CallPass();
    for (var cluster : later.clusters()) callPass.resume(cluster);
    return callPass.result();
  }

  /** Turns the reconciles of a call that cannot wait any longer into triggers. */
  public void passOn(ReconcileResult.Later later) {
    for (var cluster : later.clusters())
      takeRequest(cluster).ifPresent(requested -> context.bus().send(requested.trigger(cluster)));
  }

  private synchronized Optional<ReconcileRequest> takeRequest(String cluster) {
    var state = stateOf(cluster);
    var requested = state.requested;
    state.waiter = Optional.empty();
    state.requested = Optional.empty();
    return requested;
  }

  /** One call: what it did and what it must wait for. */
  private final class CallPass {
    private final FailureLog failureLog = new FailureLog(log, context);
    private final List<String> waiting = new ArrayList<>();
    private Instant at = Instant.MAX;

    void enter(String cluster, String name, ReconcileRequest request) {
      follow(cluster, name, ask(cluster, request));
    }

    void resume(String cluster) {
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
                  if (clusterReconciler.run(cluster, run.requested, failureLog))
                    add(cluster, run.requested.withoutTick());
                });
          } finally {
            follow(cluster, name, ended(cluster));
          }
        }
      }
    }

    ReconcileResult result() {
      var later =
          waiting.isEmpty()
              ? Optional.<ReconcileResult.Later>empty()
              : Optional.of(new ReconcileResult.Later(at, waiting));
      return new ReconcileResult(failureLog.lines(), later);
    }
  }

  /** What a call must do about a cluster. */
  private sealed interface NextStep {
    /** Another call of this process handles it. */
    record Others() implements NextStep {}

    record Wait(Instant at) implements NextStep {}

    record Run(ReconcileRequest requested) implements NextStep {}
  }

  private synchronized NextStep ask(String cluster, ReconcileRequest request) {
    add(cluster, request);
    var state = stateOf(cluster);
    return state.isBusy(context.clock().instant()) ? new NextStep.Others() : runOrWait(state);
  }

  private synchronized void add(String cluster, ReconcileRequest request) {
    var state = stateOf(cluster);
    state.requested = Optional.of(state.requested.map(request::merge).orElse(request));
  }

  /** The next step of the call that waited. */
  private synchronized NextStep next(String cluster) {
    var state = stateOf(cluster);
    // It was so late that another call took its place.
    if (state.running) return new NextStep.Others();
    state.waiter = Optional.empty();
    return runOrWait(state);
  }

  private synchronized NextStep ended(String cluster) {
    var state = stateOf(cluster);
    state.running = false;
    if (state.requested.isEmpty()) return new NextStep.Others();
    return await(state);
  }

  private NextStep runOrWait(ClusterState state) {
    var requested = state.requested;
    if (requested.isEmpty()) return new NextStep.Others();
    var now = context.clock().instant();
    var last = state.last;
    var free =
        last.equals(Instant.MIN) || !last.plus(context.timings().reconcilePause()).isAfter(now);
    if (!free) return await(state);
    state.running = true;
    state.requested = Optional.empty();
    state.last = now;
    return new NextStep.Run(requested.get());
  }

  private NextStep await(ClusterState state) {
    var at = state.last.plus(context.timings().reconcilePause());
    state.waiter = Optional.of(at);
    return new NextStep.Wait(at);
  }

  private ClusterState stateOf(String cluster) {
    return clusterStates.computeIfAbsent(cluster, _ -> new ClusterState());
  }
}
