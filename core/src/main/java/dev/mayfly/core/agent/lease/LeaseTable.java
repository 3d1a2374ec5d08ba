package dev.mayfly.core.agent.lease;

import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.Grace;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.task.HeldLease;
import dev.mayfly.core.agent.task.RunState;
import dev.mayfly.core.agent.task.TaskLifecycle;
import dev.mayfly.core.agent.task.TaskRun;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Outranked;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.gang.GangOrder;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.model.sync.SyncOrders;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The leases in the order of their grants, and the effect of orders on them. */
public final class LeaseTable {
  private static final int JOB_INFOS = 64;
  private static final int PAST = 1_024;
  private static final Grace FENCED = Grace.none(Grace.Without.FENCED);

  private final Map<LeaseRef, HeldLease> leases = new LinkedHashMap<>();
  private final Map<String, JobInfo> jobInfos = new LinkedHashMap<>(16, 0.75f, true);
  private final Set<LeaseRef> past = new LinkedHashSet<>();
  private final TaskListCache items = new TaskListCache();
  private final AgentContext agentContext;
  private final TaskLifecycle taskLifecycle;
  private final LeaseStartup leaseStartup;

  /**
   * The effect of orders.
   *
   * @param granted whether a lease was added
   * @param any whether anything changed
   */
  public record Change(boolean granted, boolean any) {}

  public LeaseTable(AgentContext agentContext, TaskLifecycle taskLifecycle) {
    this.agentContext = agentContext;
    this.taskLifecycle = taskLifecycle;
    this.leaseStartup =
        new LeaseStartup(agentContext, items, hash -> Optional.ofNullable(jobInfos.get(hash)));
  }

  public Collection<HeldLease> all() {
    return leases.values();
  }

  public List<String> jobHashes() {
    return List.copyOf(jobInfos.keySet());
  }

  public LeaseStartup opening() {
    return leaseStartup;
  }

  TaskListCache items() {
    return items;
  }

  Optional<HeldLease> find(LeaseRef ref) {
    return Optional.ofNullable(leases.get(ref));
  }

  public Optional<TaskRun> run(TaskAttempt taskAttempt) {
    return find(taskAttempt.lease()).map(lease -> lease.runs.get(taskAttempt.index()));
  }

  /** Makes the leases match the orders. */
  public Change apply(SyncOrders orders) {
    for (var jobInfo : orders.specs()) jobInfos.put(jobInfo.hash(), jobInfo);
    var granted = false;
    var any = false;
    var named = new HashSet<LeaseRef>();
    for (var order : orders.leases()) {
      named.add(order.ref());
      var known = leases.get(order.ref());
      if (known == null) {
        granted = true;
        known = new HeldLease(order);
        leases.put(order.ref(), known);
        order.item().ifPresent(item -> items.add(order.ref(), item));
        // A lease starts each task at most once. One that returns after it was given up starts
        // nothing.
        if (past.contains(order.ref())) known.end(false);
      } else {
        known.updateJobHash(order.jobHash());
        any |= lower(known, order.end());
      }
      if (order.recall()) any |= recall(known);
      if (order.stop().isPresent())
        any |= stop(known, order.stop().get(), order.outranked().orElse(List.of()));
    }
    for (var order : orders.gang()) {
      named.add(order.lease());
      granted |= !leases.containsKey(order.lease());
      var known = leases.computeIfAbsent(order.lease(), r -> newGangLease(order));
      known.gang().ifPresent(part -> part.ordered(order));
    }
    for (var lease : leases.values()) if (!named.contains(lease.ref)) any |= abandon(lease);
    proceed();
    forgetJobInfo();
    return new Change(granted, any || granted);
  }

  /** Drops the oldest job infos that no lease needs. A needed one would be sent again and again. */
  private void forgetJobInfo() {
    if (jobInfos.size() <= JOB_INFOS) return;
    var needed = leases.values().stream().map(HeldLease::jobHash).collect(Collectors.toSet());
    for (var each = jobInfos.keySet().iterator(); jobInfos.size() > JOB_INFOS && each.hasNext(); )
      if (!needed.contains(each.next())) each.remove();
  }

  private HeldLease newGangLease(GangOrder order) {
    var lease = new HeldLease(order);
    order.item().ifPresent(item -> items.add(order.lease(), item));
    if (past.contains(order.lease())) lease.end(false);
    return lease;
  }

  /** The newest known info of the job. */
  Optional<JobInfo> jobInfo(String job) {
    return jobInfos.values().stream().filter(s -> s.job().equals(job)).reduce((_, b) -> b);
  }

  public void fetched(AgentEvent.TaskListFetched event) {
    if (!leaseStartup.fetched(event)) return;
    proceed();
    items.keepOnly(needed());
  }

  public void surveyed(AgentEvent.Surveyed event) {
    find(event.lease()).ifPresent(lease -> leaseStartup.surveyed(lease, event));
  }

  public void surveyFailed(AgentEvent.SurveyFailed event) {
    find(event.lease()).ifPresent(lease -> leaseStartup.surveyFailed(lease, event.reason(), all()));
  }

  private void proceed() {
    for (var lease : leases.values()) if (lease.gang().isEmpty()) leaseStartup.proceed(lease);
  }

  /** Tasks past the new end belong to another worker. */
  private boolean lower(HeldLease lease, long end) {
    if (end >= lease.end()) return false;
    lease.lower(end);
    List.copyOf(lease.runs.tailMap(end).values())
        .forEach(run ->
            taskLifecycle.kill(
                run, Optional.of(FailureCause.TAKEN), "another worker had been given it", FENCED));
    return true;
  }

  /**
   * Results in transit have as long to arrive as a task has to end. That a lease starts nothing
   * more, as on a worker that drains, asks no task to end.
   */
  private boolean recall(HeldLease lease) {
    if (!lease.newlyRecalled()) return false;
    var grace = lease.jobInfo().map(s -> s.spec().run().grace()).orElse(Duration.ZERO);
    end(lease, FailureCause.STOPPED, "stopped", Grace.of(grace), false);
    var late = "stopped before its output arrived";
    agentContext.timerQueue.set(
        agentContext.now(),
        grace,
        () -> end(lease, FailureCause.STOPPED, late, Grace.none(Grace.Without.GIVEN), true));
    return true;
  }

  /**
   * Ends single tasks, and does not start those that have not begun.
   *
   * @param outranked those of them that no user stopped
   */
  private boolean stop(HeldLease lease, TaskSet tasks, List<Outranked> outranked) {
    var why = new HashMap<Long, Outranked>();
    outranked.forEach(it -> why.put(it.index(), it));
    var any = false;
    for (var index : tasks.indexes().filter(i -> i < lease.end()).toArray()) {
      if (lease.mayBegin(index)) {
        taskLifecycle.stopUnstarted(lease, index);
        any = true;
        continue;
      }
      var by = Optional.ofNullable(why.get(index));
      var run = lease.runs.get(index);
      if (run == null || !(run.state() instanceof RunState.Running)) continue;
      taskLifecycle.kill(
          run,
          Optional.of(by.isEmpty() ? FailureCause.STOPPED : FailureCause.OUTRANKED),
          by.map(Outranked::why).orElse("stopped by a user"),
          Grace.of(run.jobInfo.spec().run().grace()));
      any = true;
    }
    return any;
  }

  /** No lease starts any more tasks. */
  public void endAll() {
    leases.values().forEach(lease -> lease.end(false));
  }

  /**
   * Kills the lease's running tasks.
   *
   * @param publishingToo whether results in transit are dropped as well
   */
  public void end(
      HeldLease lease,
      FailureCause failureCause,
      String evidence,
      Grace grace,
      boolean publishingToo) {
    lease.end(false);
    for (var run : List.copyOf(lease.runs.values()))
      if (publishingToo || run.state().onMachine())
        taskLifecycle.kill(run, Optional.of(failureCause), evidence, grace);
  }

  private boolean abandon(HeldLease lease) {
    if (lease.abandoned()) return false;
    lease.end(true);
    for (var run : List.copyOf(lease.runs.values()))
      taskLifecycle.kill(run, Optional.empty(), "its tasks were given to another worker", FENCED);
    return true;
  }

  public void abandonAll() {
    leases.values().forEach(this::abandon);
  }

  /**
   * Forgets leases that orders do not name and that have no runs left. Returns whether a lease was
   * newly released.
   */
  public boolean forgetEnded() {
    var released = false;
    var forgotten = false;
    for (var each = leases.values().iterator(); each.hasNext(); ) {
      var lease = each.next();
      released |= lease.newlyReleased();
      if (!lease.abandoned() || !lease.runs.isEmpty()) continue;
      each.remove();
      leaseStartup.forget(lease);
      items.remove(lease.ref);
      remember(lease.ref);
      forgotten = true;
    }
    if (forgotten) items.keepOnly(needed());
    return released;
  }

  private void remember(LeaseRef ref) {
    past.add(ref);
    if (past.size() > PAST) past.remove(past.iterator().next());
  }

  private Collection<TaskListCache.Chunk> needed() {
    return leases.values().stream()
        .flatMap(lease ->
            lease.jobInfo().stream()
                .flatMap(jobInfo ->
                    TaskListCache.needed(jobInfo, lease.ref.start(), lease.end()).stream()))
        .collect(Collectors.toSet());
  }

  /** Whether this host is in a gang; it then takes no other work. */
  public boolean inGang() {
    for (var lease : leases.values()) if (lease.gang().isPresent()) return true;
    return false;
  }

  public boolean isEmpty() {
    return leases.isEmpty();
  }

  /** Whether a task may have live processes or a result in transit. */
  public boolean atWork() {
    for (var lease : leases.values()) if (!lease.runs.isEmpty()) return true;
    return false;
  }

  /** How many attempts of the job run or publish. */
  public int running(String job) {
    var of = leases.values().stream().filter(lease -> lease.ref.job().equals(job));
    return of.mapToInt(lease -> lease.runs.size()).sum();
  }

  /** The job's leased tasks that have not started. */
  public long unstarted(String job) {
    var left = 0L;
    for (var lease : leases.values()) if (lease.ref.job().equals(job)) left += lease.unstarted();
    return left;
  }

  public long unstarted() {
    var left = 0L;
    for (var lease : leases.values()) left += lease.unstarted();
    return left;
  }

  /** {@code free} minus the needs of leased tasks that have not started. */
  FreeResources unreserved(FreeResources free) {
    var room = free;
    for (var lease : leases.values()) {
      if (lease.unstarted() == 0 || lease.jobInfo().isEmpty()) continue;
      room = room.without(lease.jobInfo().get().spec().resources(), lease.unstarted());
    }
    return room;
  }
}
