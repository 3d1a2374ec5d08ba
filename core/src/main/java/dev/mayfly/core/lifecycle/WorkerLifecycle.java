package dev.mayfly.core.lifecycle;

import static dev.mayfly.core.lifecycle.Transition.stale;
import static dev.mayfly.core.lifecycle.Transition.to;

import dev.mayfly.core.lifecycle.WorkerEffect.DeleteMachine;
import dev.mayfly.core.lifecycle.WorkerEffect.LeaseScope;
import dev.mayfly.core.lifecycle.WorkerEffect.OrderMachine;
import dev.mayfly.core.lifecycle.WorkerEffect.RequestReconcile;
import dev.mayfly.core.lifecycle.WorkerEffect.ReturnLeases;
import dev.mayfly.core.lifecycle.WorkerEvent.AgentLeft;
import dev.mayfly.core.lifecycle.WorkerEvent.AgentSynced;
import dev.mayfly.core.lifecycle.WorkerEvent.DeadlinePassed;
import dev.mayfly.core.lifecycle.WorkerEvent.DeclaredLost;
import dev.mayfly.core.lifecycle.WorkerEvent.DrainConfirmed;
import dev.mayfly.core.lifecycle.WorkerEvent.DrainRequested;
import dev.mayfly.core.lifecycle.WorkerEvent.Granted;
import dev.mayfly.core.lifecycle.WorkerEvent.HostsAwaited;
import dev.mayfly.core.lifecycle.WorkerEvent.Joined;
import dev.mayfly.core.lifecycle.WorkerEvent.MachineMissing;
import dev.mayfly.core.lifecycle.WorkerEvent.MachineSeen;
import dev.mayfly.core.lifecycle.WorkerEvent.MachineStopped;
import dev.mayfly.core.lifecycle.WorkerEvent.Ordered;
import dev.mayfly.core.lifecycle.WorkerEvent.PreemptionNoticed;
import dev.mayfly.core.lifecycle.WorkerEvent.Queued;
import dev.mayfly.core.lifecycle.WorkerEvent.Refused;
import dev.mayfly.core.lifecycle.WorkerEvent.StillStarting;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.Ending;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.model.worker.WorkerState.Booting;
import dev.mayfly.core.model.worker.WorkerState.CloudQueue;
import dev.mayfly.core.model.worker.WorkerState.Drained;
import dev.mayfly.core.model.worker.WorkerState.Draining;
import dev.mayfly.core.model.worker.WorkerState.Gone;
import dev.mayfly.core.model.worker.WorkerState.Launching;
import dev.mayfly.core.model.worker.WorkerState.Lost;
import dev.mayfly.core.model.worker.WorkerState.Ready;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The only table of a worker's life: every state with every event.
 *
 * <p><b>Must:</b> a machine is deleted only when its agent has never synced and it is no longer
 * wanted, when its agent confirmed that nothing runs, or when it was given up; a worker becomes
 * GONE only by a 404 or by a refusal that a lookup confirmed; late, repeated and impossible events
 * have rows too and change nothing.
 */
public final class WorkerLifecycle {
  /** Why a static worker ends when its owner takes the machine back. */
  public static final String LEFT = "left: its agent was stopped on the machine";

  private static final DrainReason NOTICE =
      new DrainReason(DrainCause.PREEMPTED, "the cloud takes the machine back");

  private static final WorkerEffect ORDER = new OrderMachine();
  private static final WorkerEffect DELETE = new DeleteMachine();
  private static final WorkerEffect RECONCILE = new RequestReconcile();
  private static final WorkerEffect RETURN = new ReturnLeases(LeaseScope.ORDINARY);
  private static final WorkerEffect RETURN_ALL = new ReturnLeases(LeaseScope.ALL);

  private WorkerLifecycle() {}

  private record On(WorkerState state, WorkerEvent event) {}

  /** Applies {@code event} to {@code state}. */
  public static Transition<WorkerState> on(WorkerState state, WorkerEvent event) {
    return switch (new On(state, event)) {
      case On(Launching s, Joined _) -> stale(s, ORDER);
      case On(Launching s, StillStarting _) -> stale(s, ORDER);
      case On(Launching s, HostsAwaited _) -> stale(s, ORDER);
      case On(Launching s, Queued _) -> stale(s, ORDER);
      case On(Launching s, Granted _) -> stale(s, ORDER);
      case On(Launching s, Ordered e) -> to(new Booting(e.at(), s.deadline(), e.operation()));
      case On(Launching _, Refused e) -> refused(e);
      case On(Launching _, AgentSynced e) -> ready(e);
      case On(Launching _, PreemptionNoticed e) -> taken(e);
      // Its agent has never synced, so nothing can run there and no confirmation is needed.
      case On(Launching _, DrainRequested e) -> to(new Drained(e.at(), e.reason().text()), DELETE);
      case On(Launching s, DeadlinePassed e) -> late(s, s.deadline(), e);
      case On(Launching s, MachineSeen e) -> to(new Booting(e.at(), s.deadline(), ""));
      case On(Launching _, MachineStopped e) -> stopped(e);
      // The order may still be in progress.
      case On(Launching s, MachineMissing _) -> stale(s, ORDER);
      case On(Launching _, DeclaredLost e) -> lost(e);
      case On(Launching s, DrainConfirmed _) -> stale(s, ORDER);
      case On(Launching s, AgentLeft _) -> stale(s, ORDER);

      case On(Booting s, Joined _) -> stale(s);
      case On(Booting s, StillStarting e) -> longer(s, e.deadline());
      case On(Booting s, HostsAwaited e) -> hosts(s, e.until());
      case On(Booting s, Queued e) -> queued(s, e);
      case On(Booting s, Granted e) -> granted(s, e);
      case On(Booting _, Refused e) -> refused(e);
      case On(Booting _, AgentSynced e) -> ready(e);
      case On(Booting _, PreemptionNoticed e) -> taken(e);
      case On(Booting _, DrainRequested e) -> to(new Drained(e.at(), e.reason().text()), DELETE);
      case On(Booting s, DeadlinePassed e) -> late(s, s.deadline(), e);
      case On(Booting _, MachineStopped e) -> stopped(e);
      case On(Booting s, MachineMissing e) -> vanished(s, e);
      case On(Booting _, DeclaredLost e) -> lost(e);
      case On(Booting s, Ordered _) -> stale(s);
      case On(Booting s, MachineSeen _) -> stale(s);
      case On(Booting s, DrainConfirmed _) -> stale(s);
      case On(Booting s, AgentLeft _) -> stale(s);

      case On(Ready s, Joined _) -> stale(s);
      case On(Ready s, StillStarting _) -> stale(s);
      case On(Ready s, HostsAwaited _) -> stale(s);
      case On(Ready s, Queued _) -> stale(s);
      case On(Ready s, Granted _) -> stale(s);
      case On(Ready _, PreemptionNoticed e) -> taken(e);
      case On(Ready _, DrainRequested e) -> to(new Draining(e.at(), e.reason(), e.deadline()));
      case On(Ready _, MachineStopped e) -> stopped(e);
      case On(Ready _, MachineMissing e) -> unknown(e);
      case On(Ready _, DeclaredLost e) -> lost(e);
      case On(Ready _, AgentLeft e) -> to(new Drained(e.at(), LEFT), DELETE, RECONCILE);
      case On(Ready s, Ordered _) -> stale(s);
      case On(Ready s, Refused _) -> stale(s);
      case On(Ready s, AgentSynced _) -> stale(s);
      case On(Ready s, DrainConfirmed _) -> stale(s);
      case On(Ready s, DeadlinePassed _) -> stale(s);
      case On(Ready s, MachineSeen _) -> stale(s);

      case On(Draining _, Joined e) -> joined(e);
      case On(Draining s, StillStarting _) -> stale(s);
      case On(Draining s, HostsAwaited _) -> stale(s);
      case On(Draining s, Queued _) -> stale(s);
      case On(Draining s, Granted _) -> stale(s);
      case On(Draining s, PreemptionNoticed e) -> sooner(s, NOTICE, e.deadline());
      case On(Draining s, DrainRequested e) -> sooner(s, e.reason(), e.deadline());
      case On(Draining s, DrainConfirmed e) ->
          to(new Drained(e.at(), s.reason()), DELETE, RECONCILE);
      case On(Draining s, AgentLeft e) -> to(new Drained(e.at(), s.reason()), DELETE, RECONCILE);
      case On(Draining s, DeadlinePassed e) -> overdue(s, e);
      case On(Draining _, MachineStopped e) -> stopped(e);
      case On(Draining _, MachineMissing e) -> unknown(e);
      case On(Draining _, DeclaredLost e) -> lost(e);
      case On(Draining s, Ordered _) -> stale(s);
      case On(Draining s, Refused _) -> stale(s);
      case On(Draining s, AgentSynced _) -> stale(s);
      case On(Draining s, MachineSeen _) -> stale(s);

      case On(Drained _, Joined e) -> joined(e);
      case On(Drained s, MachineMissing e) ->
          to(new Gone(e.at(), s.reason()), RETURN_ALL, RECONCILE);
      case On(Drained s, _) -> owing(s);

      case On(Lost _, Joined e) -> joined(e);
      case On(Lost s, MachineMissing e) -> to(new Gone(e.at(), s.reason()), RETURN_ALL, RECONCILE);
      case On(Lost s, _) -> owing(s);

      case On(Gone _, Joined e) -> joined(e);
      // A machine that was given up is back, or came late: delete it, or it is billed for ever.
      case On(Gone s, Ordered _) -> stale(s, DELETE);
      case On(Gone s, AgentSynced _) -> stale(s, DELETE);
      case On(Gone s, MachineSeen _) -> stale(s, DELETE);
      case On(Gone s, MachineStopped _) -> stale(s, DELETE);
      case On(Gone s, StillStarting _) -> stale(s, DELETE);
      case On(Gone s, HostsAwaited _) -> stale(s, DELETE);
      case On(Gone s, Queued _) -> stale(s, DELETE);
      case On(Gone s, Granted _) -> stale(s, DELETE);
      case On(Gone s, PreemptionNoticed _) -> stale(s);
      case On(Gone s, Refused _) -> stale(s);
      case On(Gone s, DrainRequested _) -> stale(s);
      case On(Gone s, DrainConfirmed _) -> stale(s);
      case On(Gone s, AgentLeft _) -> stale(s);
      case On(Gone s, DeadlinePassed _) -> stale(s);
      case On(Gone s, MachineMissing _) -> stale(s);
      case On(Gone s, DeclaredLost _) -> stale(s);
    };
  }

  /**
   * The effects that a stored state still requires, even after a crash. Every pass repeats them.
   */
  public static List<WorkerEffect> owed(WorkerState state) {
    return switch (state) {
      case Launching _ -> List.of(ORDER);
      case Booting _ -> List.of();
      case Ready _ -> List.of();
      case Draining _ -> List.of();
      case Drained _ -> List.of(DELETE);
      case Lost _ -> List.of(RETURN, DELETE);
      case Gone _ -> List.of(RETURN_ALL);
    };
  }

  private static Transition<WorkerState> owing(WorkerState state) {
    return new Transition<>(state, owed(state), false);
  }

  private static Transition<WorkerState> refused(Refused e) {
    return to(new Gone(e.at(), e.reason(), Optional.of(Ending.REFUSED)), RECONCILE);
  }

  private static Transition<WorkerState> ready(AgentSynced e) {
    return to(new Ready(e.at(), Optional.of(e.at())));
  }

  private static Transition<WorkerState> joined(Joined e) {
    return to(new Booting(e.at(), e.deadline(), ""), RECONCILE);
  }

  private static Transition<WorkerState> taken(PreemptionNoticed e) {
    return to(new Draining(e.at(), NOTICE, e.deadline()), RECONCILE);
  }

  /** The reason is that of the earliest deadline: nothing else ends the tasks. */
  private static Transition<WorkerState> sooner(Draining s, DrainReason reason, Instant deadline) {
    return deadline.isBefore(s.deadline())
        ? to(new Draining(s.since(), reason, deadline))
        : stale(s);
  }

  private static Transition<WorkerState> longer(Booting s, Instant deadline) {
    if (!deadline.isAfter(s.deadline())) return stale(s);
    return to(new Booting(s.since(), deadline, s.operation(), s.queue(), s.hostsUntil()));
  }

  private static Transition<WorkerState> hosts(Booting s, Instant until) {
    if (s.hostsUntil().filter(before -> !until.isAfter(before)).isPresent()) return stale(s);
    return to(new Booting(s.since(), s.deadline(), s.operation(), s.queue(), Optional.of(until)));
  }

  private static Transition<WorkerState> queued(Booting s, Queued e) {
    var since = s.queue().map(CloudQueue::since).orElse(e.at());
    var queue = Optional.of(new CloudQueue(since, e.state()));
    if (s.queue().equals(queue)) return stale(s);
    return to(new Booting(s.since(), s.deadline(), s.operation(), queue, s.hostsUntil()));
  }

  private static Transition<WorkerState> granted(Booting s, Granted e) {
    if (s.queue().isEmpty()) return stale(s);
    return to(new Booting(e.at(), e.deadline(), s.operation()));
  }

  private static Transition<WorkerState> lost(DeclaredLost e) {
    return lost(e.at(), e.cause(), e.reason());
  }

  private static Transition<WorkerState> stopped(MachineStopped e) {
    return lost(e.at(), e.cause(), e.reason());
  }

  private static Transition<WorkerState> unknown(MachineMissing e) {
    return lost(e.at(), FailureCause.LOST, "the cloud no longer knows the machine");
  }

  private static Transition<WorkerState> lost(
      Instant at, FailureCause failureCause, String reason) {
    return to(new Lost(at, failureCause, reason), RETURN, DELETE, RECONCILE);
  }

  private static Transition<WorkerState> late(WorkerState s, Instant deadline, DeadlinePassed e) {
    var queued = s instanceof Booting booting && booting.queue().isPresent();
    if (queued || e.at().isBefore(deadline)) return new Transition<>(s, owed(s), false);
    return lost(e.at(), FailureCause.LOST, "its agent did not report before the boot deadline");
  }

  /** Not LOST: who set the deadline is the cause. */
  private static Transition<WorkerState> overdue(Draining s, DeadlinePassed e) {
    if (e.at().isBefore(s.deadline())) return stale(s);
    return lost(
        e.at(),
        s.why().cause().failureCause(),
        s.reason() + "; it did not end before the drain deadline");
  }

  private static Transition<WorkerState> vanished(Booting s, MachineMissing e) {
    if (!e.settled()) return stale(s);
    return to(new Gone(e.at(), "the machine was gone before its agent reported"), RECONCILE);
  }
}
