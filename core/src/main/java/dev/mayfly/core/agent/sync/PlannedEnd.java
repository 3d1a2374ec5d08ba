package dev.mayfly.core.agent.sync;

import dev.mayfly.core.agent.lease.LeaseTable;
import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.loop.Grace;
import dev.mayfly.core.agent.loop.TimerQueue;
import dev.mayfly.core.agent.task.HeldLease;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The end of all tasks of this machine by a deadline. Each is asked to end its job's grace before
 * the deadline, at which it is killed; results in transit have all the time until then.
 */
final class PlannedEnd {
  private final AgentContext agentContext;
  private final LeaseTable leaseTable;
  private final Cause cause;
  private final long deadline;
  private final Set<LeaseRef> asked = new HashSet<>();
  private Optional<TimerQueue.Timer> alarm = Optional.empty();
  private boolean over;

  /**
   * Who ends the tasks.
   *
   * @param evidence in words for people
   * @param atOnce whether tasks are asked now, because the machine may be gone before the deadline
   * @param storing how long the last checkpoints may take after the deadline
   */
  record Cause(FailureCause failureCause, String evidence, boolean atOnce, Duration storing) {}

  /**
   * @param left the time until the deadline
   */
  PlannedEnd(AgentContext agentContext, LeaseTable leaseTable, Cause cause, Duration left) {
    this.agentContext = agentContext;
    this.leaseTable = leaseTable;
    this.cause = cause;
    deadline = TimerQueue.after(agentContext.now(), left);
  }

  /** Asks or kills the tasks that are due. Call it after each event. */
  void advance() {
    alarm.ifPresent(agentContext.timerQueue::cancel);
    alarm = Optional.empty();
    if (over) return;
    var left = Duration.ofNanos(deadline - agentContext.now().monotonicNanos());
    if (!left.isPositive()) {
      over = true;
      var given = Grace.none(Grace.Without.GIVEN);
      for (var lease : leaseTable.all())
        leaseTable.end(lease, cause.failureCause(), cause.evidence(), given, true);
      return;
    }
    var next = left;
    for (var lease : leaseTable.all()) {
      var waiting = left.minus(grace(lease, left));
      if (waiting.isPositive()) next = shorter(next, waiting);
      else if (asked.add(lease.ref)) ask(lease, left);
    }
    // The event of the alarm itself needs no action: this is called after each.
    alarm = Optional.of(agentContext.timerQueue.set(agentContext.now(), next, () -> {}));
  }

  void cancel() {
    over = true;
    alarm.ifPresent(agentContext.timerQueue::cancel);
  }

  private void ask(HeldLease lease, Duration left) {
    var time = lease.jobInfo().map(s -> shorter(s.spec().run().grace(), left)).orElse(left);
    leaseTable.end(
        lease,
        cause.failureCause(),
        cause.evidence(),
        Grace.of(time).storing(cause.storing()),
        false);
  }

  /** How long before the deadline the lease's tasks are asked. */
  private Duration grace(HeldLease lease, Duration left) {
    if (cause.atOnce()) return left;
    return lease.jobInfo().map(s -> s.spec().run().grace()).orElse(Duration.ZERO);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
