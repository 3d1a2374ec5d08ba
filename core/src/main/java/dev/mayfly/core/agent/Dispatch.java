package dev.mayfly.core.agent;

import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.FreeRoom;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.SyncReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Starts tasks: leases of the highest priority first, then of the owner that runs fewest here, then
 * in the order of their grants; tasks in the order of their indexes, the first that fits. Knows how
 * much work is leased ahead, and says when it runs low.
 */
final class Dispatch {
  /** For so many beats a lease may wait for room before it is given back. */
  private static final int STUCK_BEATS = 6;

  private final Moment moment;
  private final LeaseBook book;
  private final Tasks tasks;
  private final Capacity capacity;
  private final Paces paces;
  private final SyncTimer sync;
  private boolean closed;
  private final Set<String> hungry = new HashSet<>();

  /** Leases of which nothing runs, because there is no room; each has a timer. */
  private final Map<LeaseRef, Timers.Timer> stuck = new HashMap<>();

  Dispatch(
      Moment moment, LeaseBook book, Tasks tasks, Capacity capacity, Paces paces, SyncTimer sync) {
    this.moment = moment;
    this.book = book;
    this.tasks = tasks;
    this.capacity = capacity;
    this.paces = paces;
    this.sync = sync;
  }

  /** Whether the machine may take no task: it is not prepared, or cannot be. */
  void closed(boolean is) {
    closed = is;
  }

  void start() {
    var leases = book.all().stream().filter(HeldLease::mayStart).toList();
    for (var lease : inTurn(leases))
      if (lease.mayStart()) {
        if (tasks.starts().paused()) elsewhere(lease);
        else if (closed()) noRoom(lease);
        else start(lease);
      }
  }

  /** Leases are granted ahead, so that one whose turn is first may come behind others. */
  private List<HeldLease> inTurn(List<HeldLease> leases) {
    if (leases.size() < 2) return leases;
    var running = new HashMap<String, Integer>();
    for (var lease : book.all()) running.merge(lease.owner(), lease.runs.size(), Integer::sum);
    return leases.stream()
        .sorted(
            Comparator.comparing(HeldLease::priority, Comparator.reverseOrder())
                .thenComparing(lease -> running.getOrDefault(lease.owner(), 0)))
        .toList();
  }

  private void start(HeldLease lease) {
    var sheet = lease.sheet().orElseThrow();
    var began = false;
    while (lease.mayStart() && tasks.publisher().keepsUp() && !closed()) {
      var gpus = capacity.fit(sheet.spec().resources());
      if (gpus.isEmpty()) {
        noRoom(lease);
        break;
      }
      var index = lease.next();
      began = true;
      book.items()
          .item(sheet, index)
          .ifPresentOrElse(
              item -> tasks.begin(lease, sheet, item, gpus.get()), () -> unlisted(lease, index));
    }
    if (!began) return;
    var timer = stuck.remove(lease.ref);
    if (timer != null) moment.timers.cancel(timer);
    lookAhead(lease.ref.job());
  }

  /**
   * What others use may be used for hours, and what the machine lacks may never come: a lease of
   * which nothing runs is given back then, for there may be room elsewhere.
   */
  private void noRoom(HeldLease lease) {
    if (!lease.runs.isEmpty() || stuck.containsKey(lease.ref)) return;
    var most = moment.settings.sync().beat().multipliedBy(STUCK_BEATS);
    stuck.put(lease.ref, moment.timers.set(moment.now(), most, () -> handBack(lease)));
  }

  /** No attempt can start here for now. */
  private void elsewhere(HeldLease lease) {
    if (lease.runs.isEmpty()) lease.end(false);
  }

  private void handBack(HeldLease lease) {
    stuck.remove(lease.ref);
    if (!lease.mayStart() || !lease.runs.isEmpty()) return;
    var need = lease.sheet().orElseThrow().spec().resources();
    if (closed() || capacity.fit(need).isEmpty()) lease.end(false);
  }

  private void unlisted(HeldLease lease, long index) {
    var attempt = new Attempt(lease.ref, index);
    lease.failed(
        tasks.failure(
            attempt, Cause.INFRASTRUCTURE, -1, "the job's task list has no line for this task"));
    sync.failure();
  }

  /** Says once that the queue is below half of what it should be; again after it was fuller. */
  private void lookAhead(String job) {
    var target = target(job);
    if (2 * book.left(job) >= target) hungry.remove(job);
    else if (hungry.add(job)) sync.now();
    hungry.retainAll(paces.all().keySet());
  }

  /**
   * A task's share of the machine came free: news at once when nothing that is leased can take it.
   */
  void look(AgentEvent.OfAttempt event) {
    switch (event) {
      case AgentEvent.Exited exited -> cameFree();
      case AgentEvent.StartFailed failed -> cameFree();
      case AgentEvent.Killed killed -> cameFree();
      default -> {}
    }
  }

  private void cameFree() {
    if (book.left() == 0) sync.almostNow();
  }

  private long target(String job) {
    return paces
        .of(job)
        .map(p -> p.target(capacity.total().slots(p.need), moment.settings.ahead()))
        .orElse(0L);
  }

  /** Why nothing starts here, though the machine is prepared. */
  Optional<String> trouble() {
    return tasks.starts().trouble();
  }

  boolean closed() {
    return closed || tasks.starts().closed();
  }

  /** What is free for tasks that are granted now: nothing, of any device, while there is none. */
  FreeRoom room() {
    if (closed() || book.inGang()) return FreeRoom.of(Resources.ZERO);
    var room = book.unspoken(capacity.room());
    return new FreeRoom(Capacity.atLeastZero(room.amounts()), room.gpus());
  }

  /** What is used and free of each GPU; {@code free} is the room as it is told. */
  List<SyncReport.Gpu> gpus(FreeRoom free) {
    var used = capacity.gpusUsed();
    var gpus = new ArrayList<SyncReport.Gpu>();
    for (var i = 0; i < used.size(); i++)
      gpus.add(new SyncReport.Gpu(used.get(i), i < free.gpus().size() ? free.gpus().get(i) : 0));
    return gpus;
  }

  /**
   * How many tasks of each job are wanted beyond those that are leased and those that fit in the
   * room. Of short tasks much is taken at once when there is too little: each lease costs the same,
   * however long it lasts.
   */
  Map<String, Long> appetite() {
    if (closed || book.inGang()) return Map.of();
    var room = room();
    var appetite = new HashMap<String, Long>();
    for (var job : Set.copyOf(paces.all().keySet())) {
      var pace = paces.of(job).orElseThrow();
      var free = room.slots(pace.need);
      // Where others have the machine there is nothing to lease ahead for.
      if (free == 0 && !book.runs(job)) continue;
      var left = book.left(job);
      var low = left <= target(job) && (free > 0 || left < target(job));
      var more = (low ? Math.max(target(job), stock(pace)) : target(job)) - left - free;
      if (more > 0) appetite.put(job, more);
    }
    return appetite;
  }

  private long stock(Paces.Pace pace) {
    return pace.stock(capacity.total().slots(pace.need));
  }
}
