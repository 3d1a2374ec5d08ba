package dev.mayfly.core.agent;

import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Resources;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Starts tasks: leases in the order of their grants, tasks in the order of their indexes, the first
 * that fits. Knows how much work is leased ahead, and says when it runs low.
 */
final class Dispatch {
  private final Moment moment;
  private final LeaseBook book;
  private final Tasks tasks;
  private final Capacity capacity;
  private final Paces paces;
  private final SyncTimer sync;
  private boolean closed;
  private final Set<String> hungry = new HashSet<>();

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
    if (closed) return;
    for (var lease : book.all()) if (lease.mayStart()) start(lease);
  }

  private void start(HeldLease lease) {
    var sheet = lease.sheet().orElseThrow();
    var began = false;
    while (lease.mayStart() && tasks.publisher().keepsUp()) {
      var gpus = capacity.fit(sheet.spec().resources());
      if (gpus.isEmpty()) break;
      var index = lease.next();
      began = true;
      book.items()
          .item(sheet, index)
          .ifPresentOrElse(
              item -> tasks.begin(lease, sheet, item, gpus.get()), () -> unlisted(lease, index));
    }
    if (began) lookAhead(lease.ref.job());
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

  boolean closed() {
    return closed;
  }

  Resources room() {
    if (closed || book.inGang()) return Resources.ZERO;
    return Capacity.atLeastZero(capacity.free().minus(book.spokenFor()));
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
