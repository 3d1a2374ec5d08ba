package dev.mayfly.core.agent;

import dev.mayfly.core.model.Incarnation;
import dev.mayfly.core.model.MachineSheet;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * One worker's agent: pulls leases, runs their tasks within the machine's resources, publishes
 * results, and tells the control plane all of it at each sync.
 *
 * <p><b>Driving it.</b> Give it {@link AgentEvent.Started}, perform the effects that {@link #on}
 * returns, and give it every answer as an event, with both clocks read at that moment. Events come
 * one at a time; the executor's threads share one queue. It reads no clock of its own and needs
 * none: {@link AgentEffect.WakeAt} says when to call it next.
 *
 * <p><b>Must:</b> never start a task that another may run; never give a task's share of the machine
 * to another before the first one's processes are gone; never report a task as done without a
 * sentinel; never publish exclusive work in doubt. <b>Goals:</b> never an idle slot while work is
 * leased; few calls.
 */
public final class Agent {
  private final Moment moment;
  private final SyncTimer sync;
  private final LeaseBook book;
  private final Tasks tasks;
  private final Capacity capacity;
  private final Dispatch dispatch;
  private final GangWork gangs;
  private final Departure departure;
  private final CutOff cutOff;
  private final Reports reports;
  private final Troubles troubles = new Troubles();
  private final Images images = new Images();
  private Clocks due;
  private List<String> followed = List.of();
  private boolean fenced;
  private long armed = Timers.NEVER;

  /**
   * @param now when the agent began
   * @param random for pauses; one seed gives one trace
   */
  public Agent(
      MachineSheet machine,
      Incarnation incarnation,
      AgentSettings settings,
      RandomGenerator random,
      Clocks now) {
    moment = new Moment(settings, random, machine.worker(), now);
    due = now;
    var paces = new Paces();
    capacity = new Capacity(machine.visible());
    sync = new SyncTimer(moment);
    tasks = new Tasks(moment, capacity, paces, sync);
    book = new LeaseBook(moment, tasks);
    dispatch = new Dispatch(moment, book, tasks, capacity, paces, sync);
    gangs = new GangWork(moment, book, tasks, capacity, sync);
    departure = new Departure(moment, book, sync);
    cutOff = new CutOff(moment, book, sync);
    reports = new Reports(moment, machine, incarnation, book, dispatch, departure, paces, troubles);
    reports.offers(capacity::total);
    reports.pulled(() -> images.of(book.all()));
    tasks.publisher().doubts(run -> cutOff.doubt(run, due));
  }

  /** What is to be done after {@code event}, in this order. */
  public List<AgentEffect> on(AgentEvent event, Clocks now) {
    var stoodStill = now.disagreement(moment.now()).compareTo(moment.settings.clockSlack()) > 0;
    moment.begin(now);
    if (stoodStill) sync.stoodStill();
    if (sync.overdue()) sync.failed(!book.isEmpty());
    troubles.note(event);
    handle(event);
    moment.timers.run(now);
    cutOff.look();
    departure.look();
    if (!fenced) dispatch.start();
    gangs.look(dispatch.closed());
    if (book.settle()) released();
    speak();
    arm();
    return moment.effects();
  }

  private void handle(AgentEvent event) {
    switch (event) {
      case AgentEvent.Started started -> {
        reports.booted(started.boot());
        sync.whateverHappens();
      }
      case AgentEvent.Equipped equipped -> equipped(equipped);
      case AgentEvent.Woke woke -> armed = Timers.NEVER;
      case AgentEvent.OrdersCame came -> ordersCame(came.orders());
      case AgentEvent.SyncFailed failed -> syncFailed(failed.seq());
      case AgentEvent.ItemsFetched fetched -> book.fetched(fetched);
      case AgentEvent.FetchFailed failed -> book.opening().fetchFailed(failed, book.all());
      case AgentEvent.Surveyed surveyed -> book.surveyed(surveyed);
      case AgentEvent.SurveyFailed failed -> book.surveyFailed(failed);
      case AgentEvent.ImagePulled pulled -> {
        if (images.pulled(pulled)) sync.now();
      }
      case AgentEvent.OfAttempt of -> {
        book.run(of.attempt()).ifPresent(run -> tasks.on(run, of));
        dispatch.look(of);
      }
      case AgentEvent.LogsFlushed flushed -> departure.logsFlushed();
      case AgentEvent.NoticeCame notice -> departure.noticeCame(notice.at());
      case AgentEvent.DeviceTrouble trouble -> {
        if (troubles.device(trouble.text())) sync.now();
      }
      case AgentEvent.Unlimited unlimited -> {
        if (troubles.unlimited(unlimited.why())) sync.now();
      }
      case AgentEvent.TimeToGo going -> departure.timeToGo();
      case AgentEvent.GoNow now -> departure.goNow();
    }
  }

  private void equipped(AgentEvent.Equipped equipped) {
    reports.booted(equipped.boot());
    switch (equipped.fitness()) {
      case Fitness.Preparing preparing -> {
        dispatch.closed(true);
        troubles.machine(Optional.of(SyncReport.PREPARING + preparing.what()));
      }
      case Fitness.Unfit unfit -> {
        dispatch.closed(true);
        troubles.machine(Optional.of(SyncReport.UNFIT + unfit.why()));
        sync.now();
      }
      case Fitness.Fit fit -> {
        dispatch.closed(false);
        capacity.offer(fit.offered());
        troubles.machine(Optional.empty());
        sync.now();
      }
    }
  }

  private void syncFailed(long seq) {
    if (sync.awaits(seq)) sync.failed(!book.isEmpty());
  }

  private void ordersCame(SyncOrders orders) {
    if (!sync.awaits(orders.seq())) return;
    var change = orders.fenced() ? fence() : book.apply(orders);
    var drainNews = departure.drain(orders.drain(), orders.now());
    var untilDue = Duration.between(orders.now(), orders.due());
    due = moment.now().plus(untilDue);
    sync.answered(change.granted(), change.any() || drainNews, book.atWork(), untilDue);
    cutOff.heard();
    departure.answered(orders.seq());
    if (!orders.followed().equals(followed)) {
      followed = orders.followed();
      moment.ask(new AgentEffect.Follow(followed));
    }
    // Given up with nothing left to kill: ask again at leisure, not in a loop.
    if (fenced && book.isEmpty()) sync.notBefore(moment.settings.sync().beat());
  }

  private LeaseBook.Change fence() {
    fenced = true;
    book.abandonAll();
    return new LeaseBook.Change(false, false);
  }

  /**
   * Somebody waits for it; a machine that is about to vanish does not wait for an answer to what it
   * said before.
   */
  private void released() {
    if (departure.inAHurry()) sync.whateverHappens();
    else sync.now();
  }

  /** A fenced agent kills first and speaks when nothing of the past is left. */
  private void speak() {
    if (fenced && book.isEmpty()) fenced = false;
    if (fenced || !sync.due()) return;
    var waiting = reports.waiting(sync.failing());
    var report = reports.write(sync.sent(waiting), waiting);
    moment.ask(new AgentEffect.Sync(report, sync.limit(waiting)));
  }

  private void arm() {
    var next = Math.min(moment.timers.next(), Math.min(sync.limitAt(), cutOff.next()));
    if (!fenced) next = Math.min(next, sync.at());
    if (next == Timers.NEVER || next >= armed) return;
    armed = next;
    moment.ask(new AgentEffect.WakeAt(next));
  }
}
