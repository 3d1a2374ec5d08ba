package dev.mayfly.core.agent.loop;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides when to sync: at once when work runs out, a task fails or resources are freed; once a
 * second while tasks end; otherwise with one pending sync.
 *
 * <p>A pending sync is abandoned for changes that the control plane acts on, but never for a task
 * that ended well while others are queued, because the function does not notice that a caller has
 * disconnected.
 */
public final class SyncTimer {
  private final AgentContext agentContext;
  private final AgentSettings.Syncing times;
  private @Nullable Call call;
  private long seq;
  private long lastSent;
  private long failureReportAt;
  private ClockReading lastAnswer;
  private int failures;
  private long next = TimerQueue.NEVER;
  private long breakAt = TimerQueue.NEVER;
  private long retryAt;
  private boolean force;

  private record Call(long seq, ClockReading sent, Duration waiting) {}

  public SyncTimer(AgentContext agentContext) {
    this.agentContext = agentContext;
    this.times = agentContext.settings.sync();
    this.lastAnswer = agentContext.now();
    this.lastSent = agentContext.monotonicNanos() - times.report().toNanos();
    this.failureReportAt = lastSent;
  }

  /** A task ended well: report it within a second. */
  public void syncSoon() {
    next = Math.min(next, lastSent + times.report().toNanos());
  }

  /** A change to act on; more will follow at once. */
  public void syncAfterSettling() {
    syncBy(agentContext.monotonicNanos() + times.settle().toNanos());
  }

  /** A change to act on. */
  public void syncNow() {
    syncBy(agentContext.monotonicNanos());
  }

  /** A task failed: report it at once, but report repeated failures at most once a second. */
  public void taskFailed() {
    if (failureReportAt <= agentContext.monotonicNanos())
      failureReportAt =
          Math.max(agentContext.monotonicNanos(), failureReportAt + times.report().toNanos());
    syncBy(failureReportAt);
  }

  /** A change that waits neither for the current call nor for the end of a pause. */
  public void forceSync() {
    force = true;
  }

  private void syncBy(long at) {
    next = Math.min(next, at);
    breakAt = Math.min(breakAt, at);
  }

  /** Schedules the next sync for this time after the last one, whatever was requested before. */
  public void notBefore(Duration sinceLast) {
    next = lastSent + sinceLast.toNanos();
    breakAt = TimerQueue.NEVER;
    force = false;
  }

  public boolean due() {
    return agentContext.monotonicNanos() >= at();
  }

  /** When to check again, on the monotonic clock. */
  public long at() {
    var earliest = lastSent + times.gap().toNanos();
    if (force) return earliest;
    if (call == null) return Math.max(Math.max(next, earliest), failures > 0 ? retryAt : earliest);
    return call.waiting.isZero() ? TimerQueue.NEVER : Math.max(breakAt, earliest);
  }

  /** When the current call has taken too long. */
  public long limitAt() {
    return call == null ? TimerQueue.NEVER : TimerQueue.after(call.sent, limit(call.waiting));
  }

  public Duration limit(Duration waiting) {
    return waiting.plus(times.limit());
  }

  /**
   * By either clock. A later answer describes a past state; this worker may have been given up
   * since.
   */
  public boolean overdue() {
    return call != null && agentContext.now().since(call.sent).compareTo(limit(call.waiting)) >= 0;
  }

  public long sent(Duration waiting) {
    seq++;
    call = new Call(seq, agentContext.now(), waiting);
    lastSent = agentContext.monotonicNanos();
    next = TimerQueue.NEVER;
    breakAt = TimerQueue.NEVER;
    force = false;
    return seq;
  }

  public long nextSeq() {
    return seq + 1;
  }

  public boolean awaits(long answer) {
    return call != null && call.seq == answer;
  }

  /**
   * The call was answered.
   *
   * @param granted whether there is new work: changes will follow
   * @param changed whether the answer ordered anything
   * @param busy whether running tasks end soon
   * @param untilDue how long until the ledger expects the next sync, at the latest
   */
  public void answered(boolean granted, boolean changed, boolean busy, Duration untilDue) {
    // The call after a failure only tests the connection; a pending sync follows it.
    var waited = failing() || (call != null && !call.waiting.isZero());
    call = null;
    failures = 0;
    lastAnswer = agentContext.now();
    next = Math.min(next, reopen(granted, changed, waited, busy));
    next = Math.min(next, agentContext.monotonicNanos() + Math.max(0, untilDue.toNanos() / 2));
  }

  private long reopen(boolean granted, boolean changed, boolean waited, boolean busy) {
    if (granted) return agentContext.monotonicNanos() + times.settle().toNanos();
    if (!waited) return lastSent + (busy ? times.report() : times.syncInterval()).toNanos();
    // Avoids a tight loop when the function answers at once without a reason.
    return changed
        ? agentContext.monotonicNanos()
        : Math.max(agentContext.monotonicNanos(), lastSent + times.report().toNanos());
  }

  /**
   * The pause counts from the start of the call, so a call that timed out is soon followed by
   * another.
   */
  public void failed(boolean hasLeases) {
    call = null;
    failures++;
    var most = hasLeases ? times.retryWithLeases() : times.retryIdle();
    var afterCall = lastSent + agentContext.backoff(times.retryFirst(), failures, most).toNanos();
    var soonest =
        agentContext.monotonicNanos() + agentContext.backoff(times.retryFirst(), 1, most).toNanos();
    retryAt = Math.max(afterCall, soonest);
    next = Math.min(next, retryAt);
  }

  /**
   * The machine was suspended or its wall clock was set. The agent's knowledge is stale, and so is
   * the current call.
   */
  public void suspended() {
    call = null;
    failures = 0;
    force = true;
  }

  /** The time since the last answer, by the clock that shows more. */
  public Duration silence() {
    return agentContext.now().since(lastAnswer);
  }

  public ClockReading lastAnswer() {
    return lastAnswer;
  }

  /**
   * Whether a call failed since the clocks last disagreed: the silence is not only our suspension.
   */
  public boolean failing() {
    return failures > 0;
  }
}
