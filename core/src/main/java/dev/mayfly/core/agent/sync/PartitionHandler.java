package dev.mayfly.core.agent.sync;

import dev.mayfly.core.agent.lease.LeaseTable;
import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.Grace;
import dev.mayfly.core.agent.loop.SyncTimer;
import dev.mayfly.core.agent.loop.TimerQueue;
import dev.mayfly.core.agent.task.HeldLease;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Handles a partition: the agent works on for the job's cut-off, by which that job's tasks have
 * ended, and later powers the machine off. They are asked to end their grace before, or after half
 * of the cut-off if that is later. This is a courtesy: only the control plane's delete is proof.
 */
public final class PartitionHandler {
  private final AgentContext agentContext;
  private final LeaseTable leaseTable;
  private final SyncTimer sync;
  private final Set<LeaseRef> asked = new HashSet<>();
  private final Set<LeaseRef> ended = new HashSet<>();
  private boolean poweredOff;

  public PartitionHandler(AgentContext agentContext, LeaseTable leaseTable, SyncTimer sync) {
    this.agentContext = agentContext;
    this.leaseTable = leaseTable;
    this.sync = sync;
  }

  public void contacted() {
    asked.clear();
    ended.clear();
    poweredOff = false;
  }

  /**
   * Called after each event. Requires a failed call: after a suspension, the silence was our own.
   */
  public void check() {
    if (!sync.failing()) return;
    var silence = sync.silence();
    for (var lease : leaseTable.all()) {
      var left = of(lease).minus(silence);
      if (!left.isPositive()) {
        asked.add(lease.ref);
        if (ended.add(lease.ref)) end(lease, silence, Grace.none(Grace.Without.GIVEN), true);
      } else if (left.compareTo(grace(lease)) <= 0 && asked.add(lease.ref))
        end(lease, silence, Grace.of(left), false);
    }
    if (poweredOff || silence.compareTo(powerOff()) < 0) return;
    poweredOff = true;
    agentContext.emit(new AgentEffect.PowerOff("no contact for " + silence.toSeconds() + " s"));
  }

  private void end(HeldLease lease, Duration silence, Grace grace, boolean publishingToo) {
    var evidence = "no contact with the control plane for " + silence.toSeconds() + " s";
    leaseTable.end(lease, FailureCause.LOST, evidence, grace, publishingToo);
  }

  private Duration grace(HeldLease lease) {
    var most = of(lease).dividedBy(2);
    return lease
        .jobInfo()
        .map(s -> s.spec().run().grace())
        .filter(grace -> grace.compareTo(most) < 0)
        .orElse(most);
  }

  private Duration of(HeldLease lease) {
    return lease
        .jobInfo()
        .map(s -> s.spec().run().cutOff())
        .orElse(agentContext.settings.silence().cutOff());
  }

  /** A lease released before the silence began does not keep the machine on: nothing of it runs. */
  private Duration powerOff() {
    return leaseTable.all().stream()
        .filter(lease -> !lease.released() || ended.contains(lease.ref))
        .map(this::of)
        .max(Duration::compareTo)
        .orElse(agentContext.settings.silence().cutOff())
        .plus(agentContext.settings.silence().powerOffAfter());
  }

  /** When to check again, on the monotonic clock. */
  public long next() {
    if (!sync.failing()) return TimerQueue.NEVER;
    var next = poweredOff ? TimerQueue.NEVER : at(powerOff());
    for (var lease : leaseTable.all())
      if (!asked.contains(lease.ref)) next = Math.min(next, at(of(lease).minus(grace(lease))));
      else if (!ended.contains(lease.ref)) next = Math.min(next, at(of(lease)));
    return next;
  }

  private long at(Duration silence) {
    return TimerQueue.after(sync.lastAnswer(), silence);
  }
}
