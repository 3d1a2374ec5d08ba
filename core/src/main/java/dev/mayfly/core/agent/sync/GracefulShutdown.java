package dev.mayfly.core.agent.sync;

import dev.mayfly.core.agent.lease.LeaseTable;
import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentSettings;
import dev.mayfly.core.agent.loop.Grace;
import dev.mayfly.core.agent.loop.SyncTimer;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Ends the worker after a drain order, a preemption notice or a signal to the agent's process.
 * Nothing new starts, and running tasks have a {@link PlannedEnd}. When no task runs any more, the
 * logs are flushed and the worker reports that it is drained.
 */
public final class GracefulShutdown {
  private static final Duration FINAL_SYNC_LIMIT = Duration.ofSeconds(10);

  /** The time of a task whose drain order came late; the control plane waits longer. */
  private static final Duration LATE = Duration.ofSeconds(10);

  /** For an older control plane, which does not say why. */
  private static final DrainReason UNKNOWN = new DrainReason(DrainCause.USER, "its worker ends");

  private final AgentContext agentContext;
  private final LeaseTable leaseTable;
  private final SyncTimer sync;
  private Optional<Instant> notice = Optional.empty();
  private Optional<Instant> drainBy = Optional.empty();
  private Optional<PlannedEnd> drain = Optional.empty();
  private final List<PlannedEnd> others = new ArrayList<>(2);
  private boolean stopRequested;
  private boolean stopNow;
  private Flush flush = Flush.NOT_ASKED;
  private Optional<Long> finalSync = Optional.empty();
  private boolean quit;

  private enum Flush {
    NOT_ASKED,
    ASKED,
    DONE
  }

  public GracefulShutdown(AgentContext agentContext, LeaseTable leaseTable, SyncTimer sync) {
    this.agentContext = agentContext;
    this.leaseTable = leaseTable;
    this.sync = sync;
  }

  public boolean shuttingDown() {
    return drain.isPresent() || notice.isPresent() || stopRequested;
  }

  /** Whether the machine or the process will be gone in seconds. */
  public boolean urgent() {
    return notice.isPresent() || stopRequested;
  }

  Optional<Instant> notice() {
    return notice;
  }

  /** Whether this process was asked to stop. */
  boolean stopRequested() {
    return stopRequested;
  }

  /** A drain or a stop is complete: nothing runs and every log is in the store. */
  boolean drained() {
    return (drain.isPresent() || stopRequested) && flush == Flush.DONE && !leaseTable.atWork();
  }

  /** The machine will be preempted; a second notice changes nothing. */
  public void preemptionNoticed(Instant at) {
    if (notice.isPresent()) return;
    notice = Optional.of(at);
    sync.forceSync();
    // Flush now: the machine can be gone sooner than announced, and later output may be lost.
    if (leaseTable.atWork()) agentContext.emit(new AgentEffect.FlushLogs());
    endWithin(FailureCause.PREEMPTED, "the cloud takes the machine", remainingGrace(at));
  }

  /** The rest of the notice's time; part of it may have passed before this agent could act. */
  private Duration remainingGrace(Instant noticed) {
    var late = Duration.between(noticed, agentContext.now().wall());
    var left = agentContext.settings.noticeGrace().minus(late.isNegative() ? Duration.ZERO : late);
    return left.isNegative() ? Duration.ZERO : left;
  }

  public void stop() {
    if (stopRequested) return;
    stopRequested = true;
    // The last report of a worker that was drained before is the one after this.
    if (flush == Flush.DONE) flush = Flush.NOT_ASKED;
    sync.forceSync();
    var most = leaseTable.atWork() ? agentContext.settings.noticeGrace() : Duration.ZERO;
    endWithin(FailureCause.DRAINED, "the machine's agent was asked to stop", most);
    var last = most.plus(FINAL_SYNC_LIMIT);
    agentContext.timerQueue.set(
        agentContext.now(), last, () -> quit("stopped before everything was returned"));
  }

  /** A stop that waits neither for logs nor for answers. */
  public void stopNow() {
    stop();
    stopNow = true;
    for (var lease : leaseTable.all())
      leaseTable.end(
          lease,
          FailureCause.DRAINED,
          "the machine's agent was asked to stop at once",
          Grace.none(Grace.Without.ASKED_TWICE),
          true);
  }

  /** The machine or the agent may be gone before the deadline: tasks are asked to end now. */
  private void endWithin(FailureCause failureCause, String evidence, Duration most) {
    var cause = new PlannedEnd.Cause(failureCause, evidence, true, Duration.ZERO);
    others.add(new PlannedEnd(agentContext, leaseTable, cause, most));
  }

  /**
   * Applies the current drain order; without one the worker stays.
   *
   * @return whether the order changed
   */
  public boolean drain(
      Optional<Instant> deadline, Optional<DrainReason> reason, Instant ledgerNow) {
    if (deadline.equals(drainBy)) return false;
    drainBy = deadline;
    drain.ifPresent(PlannedEnd::cancel);
    drain = deadline.map(at -> drainEnd(Duration.between(ledgerNow, at), reason.orElse(UNKNOWN)));
    if (!shuttingDown()) flush = Flush.NOT_ASKED;
    return true;
  }

  private PlannedEnd drainEnd(Duration left, DrainReason reason) {
    var cause =
        new PlannedEnd.Cause(
            reason.cause().failureCause(), reason.text(), false, AgentSettings.CHECKPOINT_TIME);
    return new PlannedEnd(agentContext, leaseTable, cause, left.compareTo(LATE) < 0 ? LATE : left);
  }

  /** Called after each event. */
  public void advance() {
    if (!shuttingDown()) return;
    leaseTable.endAll();
    drain.ifPresent(PlannedEnd::advance);
    others.forEach(PlannedEnd::advance);
    if (leaseTable.atWork()) return;
    if (stopNow) quit("stopped at once");
    if (flush == Flush.NOT_ASKED) {
      flush = Flush.ASKED;
      agentContext.emit(new AgentEffect.FlushLogs());
    }
  }

  public void logsFlushed() {
    if (flush != Flush.ASKED || leaseTable.atWork()) return;
    flush = Flush.DONE;
    sync.forceSync();
    if (stopRequested) finalSync = Optional.of(sync.nextSeq());
  }

  /**
   * Handles an answered sync: the answer to the final report, or to a repeat of it, ends the agent.
   */
  public void answered(long seq) {
    if (finalSync.isPresent() && seq >= finalSync.get()) quit("stopped; everything was returned");
  }

  private void quit(String why) {
    if (quit) return;
    quit = true;
    agentContext.emit(new AgentEffect.Quit(why));
  }
}
