package dev.mayfly.core.agent.sync;

import dev.mayfly.core.agent.lease.LeaseTable;
import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.SyncTimer;
import dev.mayfly.core.agent.loop.TimerQueue;
import dev.mayfly.core.model.FailureCause;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The worker is to end: by an order to drain, by the cloud's notice, or because somebody ends the
 * agent's process. Nothing new begins; when nothing runs any more the logs are flushed, and then it
 * says so.
 */
public final class GracefulShutdown {
  private static final Duration FAREWELL = Duration.ofSeconds(10);

  private final AgentContext agentContext;
  private final LeaseTable book;
  private final SyncTimer sync;
  private Optional<Instant> notice = Optional.empty();
  private Optional<Instant> drainBy = Optional.empty();
  private Optional<TimerQueue.Timer> drain = Optional.empty();
  private boolean going;
  private boolean impatient;
  private Flush flush = Flush.NOT_ASKED;
  private Optional<Long> farewell = Optional.empty();
  private boolean quit;

  private enum Flush {
    NOT_ASKED,
    ASKED,
    DONE
  }

  public GracefulShutdown(AgentContext agentContext, LeaseTable book, SyncTimer sync) {
    this.agentContext = agentContext;
    this.book = book;
    this.sync = sync;
  }

  boolean shuttingDown() {
    return drain.isPresent() || notice.isPresent() || going;
  }

  /** The machine or the process will be gone in seconds. */
  public boolean urgent() {
    return notice.isPresent() || going;
  }

  Optional<Instant> notice() {
    return notice;
  }

  /** Somebody waits for this process to end. */
  boolean stopRequested() {
    return going;
  }

  /** It is to end, by an order or because it was told to: nothing runs and every log is out. */
  boolean drained() {
    return (drain.isPresent() || going) && flush == Flush.DONE && !book.atWork();
  }

  /** The machine will be taken: a second notice is the same one. */
  public void preemptionNoticed(Instant at) {
    if (notice.isPresent()) return;
    notice = Optional.of(at);
    sync.forceSync();
    // Whatever is printed from now on may not get out: the machine can be gone sooner than it says.
    if (book.atWork()) agentContext.emit(new AgentEffect.FlushLogs());
    endWithin(FailureCause.PREEMPTED, "the cloud takes the machine", remainingGrace(at));
  }

  /** What tasks still have of the notice's time: it ran while nobody here could act on it. */
  private Duration remainingGrace(Instant noticed) {
    var late = Duration.between(noticed, agentContext.now().wall());
    var left = agentContext.settings.noticeGrace().minus(late.isNegative() ? Duration.ZERO : late);
    return left.isNegative() ? Duration.ZERO : left;
  }

  public void stop() {
    if (going) return;
    going = true;
    sync.forceSync();
    var most = book.atWork() ? agentContext.settings.noticeGrace() : Duration.ZERO;
    endWithin(FailureCause.RETURNED, "the agent was told to end", most);
    var last = most.plus(FAREWELL);
    agentContext.timerQueue.set(
        agentContext.now(), last, () -> quit("told to end; not all is given back"));
  }

  /** Nobody waits for logs and answers any more. */
  public void stopNow() {
    stop();
    impatient = true;
    endNow(FailureCause.RETURNED, "the agent was told to end at once");
  }

  /**
   * Tasks may clean up for as long as their job's grace, and no longer than there is time; results
   * on their way have all of it to arrive.
   */
  private void endWithin(FailureCause failureCause, String evidence, Duration most) {
    for (var lease : book.all()) {
      var grace = lease.jobInfo().map(s -> s.spec().run().grace()).orElse(most);
      book.end(lease, failureCause, evidence, grace.compareTo(most) < 0 ? grace : most, false);
    }
    agentContext.timerQueue.set(agentContext.now(), most, () -> endNow(failureCause, evidence));
  }

  private void endNow(FailureCause failureCause, String evidence) {
    for (var lease : book.all()) book.end(lease, failureCause, evidence, Duration.ZERO, true);
  }

  /**
   * The order to drain as of now; without one the worker stays.
   *
   * @return whether this is news
   */
  public boolean drain(Optional<Instant> deadline, Instant ledgerNow) {
    if (deadline.equals(drainBy)) return false;
    drainBy = deadline;
    drain.ifPresent(agentContext.timerQueue::cancel);
    drain =
        deadline.map(at ->
            agentContext.timerQueue.set(
                agentContext.now(), Duration.between(ledgerNow, at), this::drainNow));
    if (!shuttingDown()) flush = Flush.NOT_ASKED;
    return true;
  }

  private void drainNow() {
    endNow(FailureCause.RETURNED, "the worker's time to drain was over");
  }

  /** After each event. */
  public void advance() {
    if (!shuttingDown()) return;
    book.endAll();
    if (book.atWork()) return;
    if (impatient) quit("told to end at once");
    if (flush == Flush.NOT_ASKED) {
      flush = Flush.ASKED;
      agentContext.emit(new AgentEffect.FlushLogs());
    }
  }

  public void logsFlushed() {
    if (flush != Flush.ASKED || book.atWork()) return;
    flush = Flush.DONE;
    sync.forceSync();
    if (going) farewell = Optional.of(sync.nextSeq());
  }

  /** A sync was answered: when it was the last word, or a repeat of it, all is done. */
  public void answered(long seq) {
    if (farewell.isPresent() && seq >= farewell.get())
      quit("told to end; everything is given back");
  }

  private void quit(String why) {
    if (quit) return;
    quit = true;
    agentContext.emit(new AgentEffect.Quit(why));
  }
}
