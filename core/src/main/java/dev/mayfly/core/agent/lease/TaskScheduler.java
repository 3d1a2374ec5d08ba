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
import dev.mayfly.core.model.ProcessEnd;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.sync.MachineProblem;
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
 * Starts tasks: leases of the highest priority first, then of the owner with the fewest tasks here,
 * then in the order of their grants; tasks in the order of their indexes, the first that fits.
 * Tracks how much work is leased ahead, and requests a sync when it runs low.
 */
public final class TaskScheduler {
  /** How many heartbeats a lease may wait for resources before it is returned. */
  private static final int STUCK_HEARTBEATS = 6;

  private final AgentContext agentContext;
  private final LeaseTable leaseTable;
  private final TaskLifecycle taskLifecycle;
  private final ResourceAllocator resourceAllocator;
  private final TaskDurations taskDurations;
  private final SyncTimer sync;
  private boolean closed;
  private final Set<String> belowTarget = new HashSet<>();

  /** Leases without runs that lack resources; each has a timer. */
  private final Map<LeaseRef, TimerQueue.Timer> stuck = new HashMap<>();

  public TaskScheduler(
      AgentContext agentContext,
      LeaseTable leaseTable,
      TaskLifecycle taskLifecycle,
      ResourceAllocator resourceAllocator,
      TaskDurations taskDurations,
      SyncTimer sync) {
    this.agentContext = agentContext;
    this.leaseTable = leaseTable;
    this.taskLifecycle = taskLifecycle;
    this.resourceAllocator = resourceAllocator;
    this.taskDurations = taskDurations;
    this.sync = sync;
  }

  /** Whether the machine may accept no task: it is not prepared, or cannot be. */
  public void blocked(boolean is) {
    closed = is;
  }

  public void start() {
    var leases = leaseTable.all().stream().filter(HeldLease::mayStart).toList();
    for (var lease : inPriorityOrder(leases))
      if (lease.mayStart()) {
        if (taskLifecycle.starts().paused()) giveBackIdle(lease);
        else if (blocked()) noRoom(lease);
        else start(lease);
      }
  }

  /** Leases are granted ahead, so the next lease to run may be behind others. */
  private List<HeldLease> inPriorityOrder(List<HeldLease> leases) {
    if (leases.size() < 2) return leases;
    var running = new HashMap<String, Integer>();
    for (var lease : leaseTable.all())
      running.merge(lease.owner(), lease.runs.size(), Integer::sum);
    return leases.stream()
        .sorted(
            Comparator.comparing(HeldLease::priority, Comparator.reverseOrder())
                .thenComparing(lease -> running.getOrDefault(lease.owner(), 0)))
        .toList();
  }

  private void start(HeldLease lease) {
    var jobInfo = lease.jobInfo().orElseThrow();
    var began = false;
    while (lease.mayStart() && taskLifecycle.publisher().hasRoom() && !blocked()) {
      var gpus = resourceAllocator.fit(jobInfo.spec().resources());
      if (gpus.isEmpty()) {
        noRoom(lease);
        break;
      }
      var index = lease.next();
      began = true;
      leaseTable
          .items()
          .item(jobInfo, index)
          .ifPresentOrElse(
              item -> taskLifecycle.begin(lease, jobInfo, item, gpus.get()),
              () -> unlisted(lease, index));
    }
    if (!began) return;
    var timer = stuck.remove(lease.ref);
    if (timer != null) agentContext.timerQueue.cancel(timer);
    checkQueue(lease.ref.job());
  }

  /**
   * Returns a lease without runs after a while. Resources may stay in use for hours, or never be
   * found on this machine, while another worker may have them.
   */
  private void noRoom(HeldLease lease) {
    if (!lease.runs.isEmpty() || stuck.containsKey(lease.ref)) return;
    var most = agentContext.settings.sync().syncInterval().multipliedBy(STUCK_HEARTBEATS);
    stuck.put(
        lease.ref,
        agentContext.timerQueue.set(agentContext.now(), most, () -> giveBackStuck(lease)));
  }

  /** No attempt can start here for now, so a lease without runs is returned. */
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
        agentContext.failure(
            taskAttempt,
            FailureCause.INFRASTRUCTURE,
            ProcessEnd.none(),
            "the job's task list has no line for this task"));
    sync.taskFailed();
  }

  /** Syncs once when the queue falls below half of its target; again only after it was fuller. */
  private void checkQueue(String job) {
    var target = target(job);
    if (2 * leaseTable.unstarted(job) >= target) belowTarget.remove(job);
    else if (belowTarget.add(job)) sync.syncNow();
    belowTarget.retainAll(taskDurations.all().keySet());
  }

  /** An attempt freed its resources: sync soon if no leased task can take them. */
  public void attemptChanged(AgentEvent.AttemptEvent event) {
    switch (event) {
      case AgentEvent.Exited exited -> resourcesFreed();
      case AgentEvent.StartFailed failed -> resourcesFreed();
      case AgentEvent.Killed killed -> resourcesFreed();
      default -> {}
    }
  }

  private void resourcesFreed() {
    if (leaseTable.unstarted() == 0) sync.syncAfterSettling();
  }

  private long target(String job) {
    return taskDurations
        .of(job)
        .map(p -> p.target(resourceAllocator.total().slots(p.need), agentContext.settings.ahead()))
        .orElse(0L);
  }

  /** Why nothing starts here, although the machine is prepared. */
  public Optional<MachineProblem> problem() {
    return taskLifecycle.starts().problem().or(() -> taskLifecycle.resultCheck().problem());
  }

  public boolean blocked() {
    return closed
        || taskLifecycle.starts().blocked()
        || taskLifecycle.resultCheck().problem().isPresent();
  }

  /** The free resources for new grants; all zero, devices included, while tasks are blocked. */
  public FreeResources room() {
    if (blocked() || leaseTable.inGang()) return FreeResources.of(Resources.ZERO);
    var room = leaseTable.unreserved(resourceAllocator.room());
    return new FreeResources(
        ResourceAllocator.atLeastZero(room.amounts()), room.gpus(), room.gpuMemory());
  }

  /** The used and free part of each GPU; {@code free} is the free room as reported. */
  public List<SyncReport.Gpu> gpus(FreeResources free) {
    var used = resourceAllocator.gpusUsed();
    var usedMemory = resourceAllocator.gpuMemoryUsed();
    var known = resourceAllocator.total().gpuMemoryBytes() > 0;
    var gpus = new ArrayList<SyncReport.Gpu>();
    for (var i = 0; i < used.size(); i++)
      gpus.add(
          new SyncReport.Gpu(
              used.get(i),
              at(free.gpus(), i).orElse(0),
              known ? Optional.of(usedMemory.get(i)) : Optional.empty(),
              known ? at(free.gpuMemory(), i).or(() -> Optional.of(0L)) : Optional.empty()));
    return gpus;
  }

  private static <T> Optional<T> at(List<T> list, int index) {
    return index < list.size() ? Optional.of(list.get(index)) : Optional.empty();
  }

  /**
   * How many tasks of each job are wanted beyond those that are leased and those that fit in the
   * free room. Many short tasks are requested at once when the queue is low, because each lease
   * costs the same, however long it lasts.
   */
  public Map<String, Long> prefetch() {
    if (closed || leaseTable.inGang()) return Map.of();
    var room = room();
    var prefetch = new HashMap<String, Long>();
    for (var job : Set.copyOf(taskDurations.all().keySet())) {
      var jobStats = taskDurations.of(job).orElseThrow();
      var free = room.slots(jobStats.need);
      // Without a free slot or a running task of the job, leasing ahead is pointless.
      if (free == 0 && leaseTable.running(job) == 0) continue;
      var left = leaseTable.unstarted(job);
      var queueLow = left <= target(job) && (free > 0 || left < target(job));
      var more = (queueLow ? Math.max(target(job), stock(jobStats)) : target(job)) - left - free;
      if (more > 0) prefetch.put(job, more);
    }
    return prefetch;
  }

  private long stock(TaskDurations.JobStats jobStats) {
    return jobStats.stock(resourceAllocator.total().slots(jobStats.need));
  }
}
