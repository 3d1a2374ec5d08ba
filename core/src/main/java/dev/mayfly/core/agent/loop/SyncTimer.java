package dev.mayfly.core.agent.loop;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When to sync: at once when work runs out, a task failed or something came free; once a second
 * while tasks end; otherwise by keeping one call waiting.
 *
 * <p>A call that only waits is abandoned for news that the control plane acts on, never for a task
 * that ended well while others are queued: the function does not see that a caller went away.
 */
public final class SyncTimer {
  private final AgentContext agentContext;
  private final AgentSettings.Syncing times;
  private @Nullable Call call;
  private long seq;
  private long lastSent;
  private long failureNews;
  private ClockReading heard;
  private int failures;
  private long next = TimerQueue.NEVER;
  private long breakAt = TimerQueue.NEVER;
  private long retryAt;
  private boolean force;

  /** A call without an answer yet. */
  private record Call(long seq, ClockReading sent, Duration waiting) {}

  public SyncTimer(AgentContext agentContext) {
    this.agentContext = agentContext;
    this.times = agentContext.settings.sync();
    this.heard = agentContext.now();
    this.lastSent = agentContext.monotonicNanos() - times.report().toNanos();
    this.failureNews = lastSent;
  }

  /** A task ended well: to be told within a second. */
  public void syncSoon() {
    next = Math.min(next, lastSent + times.report().toNanos());
  }

  /** News to act on, which more news will follow at once. */
  public void syncAfterSettling() {
    hurry(agentContext.monotonicNanos() + times.settle().toNanos());
  }

  /** News to act on. */
  public void syncNow() {
    hurry(agentContext.monotonicNanos());
  }

  /** A task failed: told at once, but a row of failures at most once a second. */
  public void taskFailed() {
    if (failureNews <= agentContext.monotonicNanos())
      failureNews = Math.max(agentContext.monotonicNanos(), failureNews + times.report().toNanos());
    hurry(failureNews);
  }

  /** News that does not wait for a call on its way, nor for the end of a pause. */
  public void forceSync() {
    force = true;
  }

  private void hurry(long at) {
    next = Math.min(next, at);
    breakAt = Math.min(breakAt, at);
  }

  /** Not before this, whatever was asked for. */
  public void notBefore(Duration sinceLast) {
    next = lastSent + sinceLast.toNanos();
    breakAt = TimerQueue.NEVER;
    force = false;
  }

  public boolean due() {
    return agentContext.monotonicNanos() >= at();
  }

  /** When to look again, on the monotonic clock. */
  public long at() {
    var earliest = lastSent + times.gap().toNanos();
    if (force) return earliest;
    if (call == null) return Math.max(Math.max(next, earliest), failures > 0 ? retryAt : earliest);
    return call.waiting.isZero() ? TimerQueue.NEVER : Math.max(breakAt, earliest);
  }

  /** When the call on its way has taken too long. */
  public long limitAt() {
    return call == null ? TimerQueue.NEVER : TimerQueue.after(call.sent, limit(call.waiting));
  }

  public Duration limit(Duration waiting) {
    return waiting.plus(times.limit());
  }

  /** By either clock: an answer after this tells of a past in which we may have been given up. */
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
   * @param granted whether there is new work: news will follow
   * @param changed whether the answer ordered anything at all
   * @param busy whether tasks are running that end soon
   * @param untilDue when the ledger wants to hear of us again, at the latest
   */
  public void answered(boolean granted, boolean changed, boolean busy, Duration untilDue) {
    // A call after a failure only looks whether anybody is there; one that waits follows it.
    var waited = failing() || (call != null && !call.waiting.isZero());
    call = null;
    failures = 0;
    heard = agentContext.now();
    next = Math.min(next, reopen(granted, changed, waited, busy));
    next = Math.min(next, agentContext.monotonicNanos() + Math.max(0, untilDue.toNanos() / 2));
  }

  private long reopen(boolean granted, boolean changed, boolean waited, boolean busy) {
    if (granted) return agentContext.monotonicNanos() + times.settle().toNanos();
    if (!waited) return lastSent + (busy ? times.report() : times.beat()).toNanos();
    // A function that answers at once without a reason must not be called in a loop.
    return changed
        ? agentContext.monotonicNanos()
        : Math.max(agentContext.monotonicNanos(), lastSent + times.report().toNanos());
  }

  /**
   * The pause counts from the call: one that got no answer for long is followed by another soon.
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
   * The machine stood still or its wall clock was set: what we know is old, and so is a call on its
   * way.
   */
  public void suspended() {
    call = null;
    failures = 0;
    force = true;
  }

  /** How long nobody was reached, by the clock that says more. */
  public Duration silence() {
    return agentContext.now().since(heard);
  }

  public ClockReading lastAnswer() {
    return heard;
  }

  /** Since the clocks last disagreed, a call failed: silence is not only our own absence. */
  public boolean failing() {
    return failures > 0;
  }
}
