package dev.mayfly.core.agent;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When to sync: at once when work runs out, a task failed or something came free; once a second
 * while tasks end; otherwise by keeping one call waiting.
 *
 * <p>A call that only waits is abandoned for news that the control plane acts on, never for a task
 * that ended well while others are queued: the function does not see that a caller went away.
 */
final class SyncTimer {
  private final Moment moment;
  private final AgentSettings.Syncing times;
  private @Nullable Call call;
  private long seq;
  private long lastSent;
  private long failureNews;
  private Clocks heard;
  private int failures;
  private long next = Timers.NEVER;
  private long breakAt = Timers.NEVER;
  private long retryAt;
  private boolean force;

  /** A call without an answer yet. */
  private record Call(long seq, Clocks sent, Duration waiting) {}

  SyncTimer(Moment moment) {
    this.moment = moment;
    this.times = moment.settings.sync();
    this.heard = moment.now();
    this.lastSent = moment.nanos() - times.report().toNanos();
    this.failureNews = lastSent;
  }

  /** A task ended well: to be told within a second. */
  void soon() {
    next = Math.min(next, lastSent + times.report().toNanos());
  }

  /** News to act on, which more news will follow at once. */
  void almostNow() {
    hurry(moment.nanos() + times.settle().toNanos());
  }

  /** News to act on. */
  void now() {
    hurry(moment.nanos());
  }

  /** A task failed: told at once, but a row of failures at most once a second. */
  void failure() {
    if (failureNews <= moment.nanos())
      failureNews = Math.max(moment.nanos(), failureNews + times.report().toNanos());
    hurry(failureNews);
  }

  /** News that does not wait for a call on its way, nor for the end of a pause. */
  void whateverHappens() {
    force = true;
  }

  private void hurry(long at) {
    next = Math.min(next, at);
    breakAt = Math.min(breakAt, at);
  }

  /** Not before this, whatever was asked for. */
  void notBefore(Duration sinceLast) {
    next = lastSent + sinceLast.toNanos();
    breakAt = Timers.NEVER;
    force = false;
  }

  boolean due() {
    return moment.nanos() >= at();
  }

  /** When to look again, on the monotonic clock. */
  long at() {
    var earliest = lastSent + times.gap().toNanos();
    if (force) return earliest;
    if (call == null) return Math.max(Math.max(next, earliest), failures > 0 ? retryAt : earliest);
    return call.waiting.isZero() ? Timers.NEVER : Math.max(breakAt, earliest);
  }

  /** When the call on its way has taken too long. */
  long limitAt() {
    return call == null ? Timers.NEVER : Timers.after(call.sent, limit(call.waiting));
  }

  Duration limit(Duration waiting) {
    return waiting.plus(times.limit());
  }

  /** By either clock: an answer after this tells of a past in which we may have been given up. */
  boolean overdue() {
    return call != null && moment.now().since(call.sent).compareTo(limit(call.waiting)) >= 0;
  }

  long sent(Duration waiting) {
    seq++;
    call = new Call(seq, moment.now(), waiting);
    lastSent = moment.nanos();
    next = Timers.NEVER;
    breakAt = Timers.NEVER;
    force = false;
    return seq;
  }

  long nextSeq() {
    return seq + 1;
  }

  boolean awaits(long answer) {
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
  void answered(boolean granted, boolean changed, boolean busy, Duration untilDue) {
    // A call after a failure only looks whether anybody is there; one that waits follows it.
    var waited = failing() || (call != null && !call.waiting.isZero());
    call = null;
    failures = 0;
    heard = moment.now();
    next = Math.min(next, reopen(granted, changed, waited, busy));
    next = Math.min(next, moment.nanos() + Math.max(0, untilDue.toNanos() / 2));
  }

  private long reopen(boolean granted, boolean changed, boolean waited, boolean busy) {
    if (granted) return moment.nanos() + times.settle().toNanos();
    if (!waited) return lastSent + (busy ? times.report() : times.beat()).toNanos();
    // A function that answers at once without a reason must not be called in a loop.
    return changed ? moment.nanos() : Math.max(moment.nanos(), lastSent + times.report().toNanos());
  }

  /**
   * The pause counts from the call: one that got no answer for long is followed by another soon.
   */
  void failed(boolean hasLeases) {
    call = null;
    failures++;
    var most = hasLeases ? times.retryWithLeases() : times.retryIdle();
    var afterCall = lastSent + moment.pause(times.retryFirst(), failures, most).toNanos();
    var soonest = moment.nanos() + moment.pause(times.retryFirst(), 1, most).toNanos();
    retryAt = Math.max(afterCall, soonest);
    next = Math.min(next, retryAt);
  }

  /**
   * The machine stood still or its wall clock was set: what we know is old, and so is a call on its
   * way.
   */
  void stoodStill() {
    call = null;
    failures = 0;
    force = true;
  }

  /** How long nobody was reached, by the clock that says more. */
  Duration silence() {
    return moment.now().since(heard);
  }

  Clocks heard() {
    return heard;
  }

  /** Since the clocks last disagreed, a call failed: silence is not only our own absence. */
  boolean failing() {
    return failures > 0;
  }
}
