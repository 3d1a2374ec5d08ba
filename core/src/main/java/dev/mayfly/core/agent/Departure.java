package dev.mayfly.core.agent;

import dev.mayfly.core.model.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The worker is to end: by an order to drain, by the cloud's notice, or because somebody ends the
 * agent's process. Nothing new begins; when nothing runs any more the logs are flushed, and then it
 * says so.
 */
final class Departure {
  private static final Duration FAREWELL = Duration.ofSeconds(10);

  private final Moment moment;
  private final LeaseBook book;
  private final SyncTimer sync;
  private Optional<Instant> notice = Optional.empty();
  private Optional<Instant> drainBy = Optional.empty();
  private Optional<Timers.Timer> drain = Optional.empty();
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

  Departure(Moment moment, LeaseBook book, SyncTimer sync) {
    this.moment = moment;
    this.book = book;
    this.sync = sync;
  }

  boolean leaving() {
    return drain.isPresent() || notice.isPresent() || going;
  }

  /** The machine or the process will be gone in seconds. */
  boolean inAHurry() {
    return notice.isPresent() || going;
  }

  Optional<Instant> notice() {
    return notice;
  }

  /** Somebody waits for this process to end. */
  boolean awaited() {
    return going;
  }

  /** It is to end, by an order or because it was told to: nothing runs and every log is out. */
  boolean drained() {
    return (drain.isPresent() || going) && flush == Flush.DONE && !book.atWork();
  }

  /** The machine will be taken: a second notice is the same one. */
  void noticeCame(Instant at) {
    if (notice.isPresent()) return;
    notice = Optional.of(at);
    sync.whateverHappens();
    // Whatever is printed from now on may not get out: the machine can be gone sooner than it says.
    if (book.atWork()) moment.ask(new AgentEffect.FlushLogs());
    hurry(Cause.PREEMPTED, "the cloud takes the machine", left(at));
  }

  /** What tasks still have of the notice's time: it ran while nobody here could act on it. */
  private Duration left(Instant noticed) {
    var late = Duration.between(noticed, moment.now().wall());
    var left = moment.settings.noticeGrace().minus(late.isNegative() ? Duration.ZERO : late);
    return left.isNegative() ? Duration.ZERO : left;
  }

  void timeToGo() {
    if (going) return;
    going = true;
    sync.whateverHappens();
    var most = book.atWork() ? moment.settings.noticeGrace() : Duration.ZERO;
    hurry(Cause.RETURNED, "the agent was told to end", most);
    var last = most.plus(FAREWELL);
    moment.timers.set(moment.now(), last, () -> quit("told to end; not all is given back"));
  }

  /** Nobody waits for logs and answers any more. */
  void goNow() {
    timeToGo();
    impatient = true;
    endNow(Cause.RETURNED, "the agent was told to end at once");
  }

  /**
   * Tasks may clean up for as long as their job's grace, and no longer than there is time; results
   * on their way have all of it to arrive.
   */
  private void hurry(Cause cause, String evidence, Duration most) {
    for (var lease : book.all()) {
      var grace = lease.sheet().map(s -> s.spec().run().grace()).orElse(most);
      book.end(lease, cause, evidence, grace.compareTo(most) < 0 ? grace : most, false);
    }
    moment.timers.set(moment.now(), most, () -> endNow(cause, evidence));
  }

  private void endNow(Cause cause, String evidence) {
    for (var lease : book.all()) book.end(lease, cause, evidence, Duration.ZERO, true);
  }

  /**
   * The order to drain as of now; without one the worker stays.
   *
   * @return whether this is news
   */
  boolean drain(Optional<Instant> deadline, Instant ledgerNow) {
    if (deadline.equals(drainBy)) return false;
    drainBy = deadline;
    drain.ifPresent(moment.timers::cancel);
    drain =
        deadline.map(
            at -> moment.timers.set(moment.now(), Duration.between(ledgerNow, at), this::drainNow));
    if (!leaving()) flush = Flush.NOT_ASKED;
    return true;
  }

  private void drainNow() {
    endNow(Cause.RETURNED, "the worker's time to drain was over");
  }

  /** After each event. */
  void look() {
    if (!leaving()) return;
    book.endAll();
    if (book.atWork()) return;
    if (impatient) quit("told to end at once");
    if (flush == Flush.NOT_ASKED) {
      flush = Flush.ASKED;
      moment.ask(new AgentEffect.FlushLogs());
    }
  }

  void logsFlushed() {
    if (flush != Flush.ASKED || book.atWork()) return;
    flush = Flush.DONE;
    sync.whateverHappens();
    if (going) farewell = Optional.of(sync.nextSeq());
  }

  /** A sync was answered: when it was the last word, or a repeat of it, all is done. */
  void answered(long seq) {
    if (farewell.isPresent() && seq >= farewell.get())
      quit("told to end; everything is given back");
  }

  private void quit(String why) {
    if (quit) return;
    quit = true;
    moment.ask(new AgentEffect.Quit(why));
  }
}
