package dev.mayfly.core.agent.lease;

import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.SyncTimer;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.loop.TimerQueue;
import dev.mayfly.core.agent.task.HeldLease;
import dev.mayfly.core.agent.task.ResourceAllocator;
import dev.mayfly.core.agent.task.TaskDurations;
import dev.mayfly.core.agent.task.TaskLifecycle;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.sync.SyncReport;
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
public final class TaskScheduler {
  /** For so many beats a lease may wait for room before it is given back. */
  private static final int STUCK_BEATS = 6;

  private final AgentContext agentContext;
  private final LeaseTable book;
  private final TaskLifecycle taskLifecycle;
  private final ResourceAllocator resourceAllocator;
  private final TaskDurations taskDurations;
  private final SyncTimer sync;
  private boolean closed;
  private final Set<String> hungry = new HashSet<>();

  /** Leases of which nothing runs, because there is no room; each has a timer. */
  private final Map<LeaseRef, TimerQueue.Timer> stuck = new HashMap<>();

  public TaskScheduler(
      AgentContext agentContext,
      LeaseTable book,
      TaskLifecycle taskLifecycle,
      ResourceAllocator resourceAllocator,
      TaskDurations taskDurations,
      SyncTimer sync) {
    this.agentContext = agentContext;
    this.book = book;
    this.taskLifecycle = taskLifecycle;
    this.resourceAllocator = resourceAllocator;
    this.taskDurations = taskDurations;
    this.sync = sync;
  }

  /** Whether the machine may take no task: it is not prepared, or cannot be. */
  public void blocked(boolean is) {
    closed = is;
  }

  public void start() {
    var leases = book.all().stream().filter(HeldLease::mayStart).toList();
    for (var lease : inPriorityOrder(leases))
      if (lease.mayStart()) {
        if (taskLifecycle.starts().paused()) giveBackIdle(lease);
        else if (blocked()) noRoom(lease);
        else start(lease);
      }
  }

  /** Leases are granted ahead, so that one whose turn is first may come behind others. */
  private List<HeldLease> inPriorityOrder(List<HeldLease> leases) {
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
    var sheet = lease.jobInfo().orElseThrow();
    var began = false;
    while (lease.mayStart() && taskLifecycle.publisher().hasRoom() && !blocked()) {
      var gpus = resourceAllocator.fit(sheet.spec().resources());
      if (gpus.isEmpty()) {
        noRoom(lease);
        break;
      }
      var index = lease.next();
      began = true;
      book.items()
          .item(sheet, index)
          .ifPresentOrElse(
              item -> taskLifecycle.begin(lease, sheet, item, gpus.get()),
              () -> unlisted(lease, index));
    }
    if (!began) return;
    var timer = stuck.remove(lease.ref);
    if (timer != null) agentContext.timerQueue.cancel(timer);
    checkQueue(lease.ref.job());
  }

  /**
   * What others use may be used for hours, and what the machine lacks may never come: a lease of
   * which nothing runs is given back then, for there may be room elsewhere.
   */
  private void noRoom(HeldLease lease) {
    if (!lease.runs.isEmpty() || stuck.containsKey(lease.ref)) return;
    var most = agentContext.settings.sync().beat().multipliedBy(STUCK_BEATS);
    stuck.put(
        lease.ref,
        agentContext.timerQueue.set(agentContext.now(), most, () -> giveBackStuck(lease)));
  }

  /** No attempt can start here for now. */
  private void giveBackIdle(HeldLease lease) {
    if (lease.runs.isEmpty()) lease.end(false);
  }

  private void giveBackStuck(HeldLease lease) {
    stuck.remove(lease.ref);
    if (!lease.mayStart() || !lease.runs.isEmpty()) return;
    var need = lease.jobInfo().orElseThrow().spec().resources();
    if (blocked() || resourceAllocator.fit(need).isEmpty()) lease.end(false);
  }

  private void unlisted(HeldLease lease, long index) {
    var taskAttempt = new TaskAttempt(lease.ref, index);
    lease.failed(
        taskLifecycle.failure(
            taskAttempt,
            FailureCause.INFRASTRUCTURE,
            -1,
            "the job's task list has no line for this task"));
    sync.taskFailed();
  }

  /** Says once that the queue is below half of what it should be; again after it was fuller. */
  private void checkQueue(String job) {
    var target = target(job);
    if (2 * book.unstarted(job) >= target) hungry.remove(job);
    else if (hungry.add(job)) sync.syncNow();
    hungry.retainAll(taskDurations.all().keySet());
  }

  /**
   * A task's share of the machine came free: news at once when nothing that is leased can take it.
   */
  public void attemptChanged(AgentEvent.AttemptEvent event) {
    switch (event) {
      case AgentEvent.Exited exited -> resourcesFreed();
      case AgentEvent.StartFailed failed -> resourcesFreed();
      case AgentEvent.Killed killed -> resourcesFreed();
      default -> {}
    }
  }

  private void resourcesFreed() {
    if (book.unstarted() == 0) sync.syncAfterSettling();
  }

  private long target(String job) {
    return taskDurations
        .of(job)
        .map(p -> p.target(resourceAllocator.total().slots(p.need), agentContext.settings.ahead()))
        .orElse(0L);
  }

  /** Why nothing starts here, though the machine is prepared. */
  public Optional<String> problem() {
    return taskLifecycle.starts().problem();
  }

  public boolean blocked() {
    return closed || taskLifecycle.starts().blocked();
  }

  /** What is free for tasks that are granted now: nothing, of any device, while there is none. */
  public FreeResources room() {
    if (blocked() || book.inGang()) return FreeResources.of(Resources.ZERO);
    var room = book.unreserved(resourceAllocator.room());
    return new FreeResources(ResourceAllocator.atLeastZero(room.amounts()), room.gpus());
  }

  /** What is used and free of each GPU; {@code free} is the room as it is told. */
  public List<SyncReport.Gpu> gpus(FreeResources free) {
    var used = resourceAllocator.gpusUsed();
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
  public Map<String, Long> appetite() {
    if (closed || book.inGang()) return Map.of();
    var room = room();
    var appetite = new HashMap<String, Long>();
    for (var job : Set.copyOf(taskDurations.all().keySet())) {
      var jobStats = taskDurations.of(job).orElseThrow();
      var free = room.slots(jobStats.need);
      // Where others have the machine there is nothing to lease ahead for.
      if (free == 0 && !book.runs(job)) continue;
      var left = book.unstarted(job);
      var low = left <= target(job) && (free > 0 || left < target(job));
      var more = (low ? Math.max(target(job), stock(jobStats)) : target(job)) - left - free;
      if (more > 0) appetite.put(job, more);
    }
    return appetite;
  }

  private long stock(TaskDurations.JobStats jobStats) {
    return jobStats.stock(resourceAllocator.total().slots(jobStats.need));
  }
}
