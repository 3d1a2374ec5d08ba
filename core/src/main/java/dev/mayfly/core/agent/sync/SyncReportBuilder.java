package dev.mayfly.core.agent.sync;

import dev.mayfly.core.agent.lease.LeaseTable;
import dev.mayfly.core.agent.lease.TaskScheduler;
import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.task.HeldLease;
import dev.mayfly.core.agent.task.TaskDurations;
import dev.mayfly.core.agent.task.TaskRun;
import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.gang.GangReport;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.HostId;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.WorkerInfo;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Writes the report of a sync: all that the agent is and does. */
public final class SyncReportBuilder {
  private final AgentContext agentContext;
  private final WorkerInfo machine;
  private final Incarnation incarnation;
  private final LeaseTable book;
  private final TaskScheduler taskScheduler;
  private final GracefulShutdown gracefulShutdown;
  private final TaskDurations taskDurations;
  private final MachineProblems machineProblems;
  private Supplier<Resources> total;
  private Supplier<List<SyncReport.Pulled>> images = List::of;
  private List<SyncReport.BootStep> boot = List.of();

  public SyncReportBuilder(
      AgentContext agentContext,
      WorkerInfo machine,
      Incarnation incarnation,
      LeaseTable book,
      TaskScheduler taskScheduler,
      GracefulShutdown gracefulShutdown,
      TaskDurations taskDurations,
      MachineProblems machineProblems) {
    this.agentContext = agentContext;
    this.machine = machine;
    this.incarnation = incarnation;
    this.book = book;
    this.taskScheduler = taskScheduler;
    this.gracefulShutdown = gracefulShutdown;
    this.taskDurations = taskDurations;
    this.machineProblems = machineProblems;
    this.total = machine::visible;
  }

  /** What tasks may use here, once it is known. */
  public void totalResources(Supplier<Resources> amounts) {
    total = amounts;
  }

  /** What tags of images named here. */
  public void pulledImages(Supplier<List<SyncReport.Pulled>> all) {
    images = all;
  }

  public void bootSteps(List<SyncReport.BootStep> steps) {
    boot = steps;
  }

  public SyncReport build(long seq, Duration waiting) {
    var leaving = gracefulShutdown.shuttingDown();
    var room = leaving ? FreeResources.of(Resources.ZERO) : taskScheduler.room();
    return new SyncReport(
        machine.cluster(),
        machine.worker(),
        agentContext.settings.host(),
        incarnation,
        machine.nonce(),
        seq,
        total.get(),
        room.amounts(),
        leaving ? Map.of() : taskScheduler.appetite(),
        leases(),
        book.jobHashes(),
        boot,
        gracefulShutdown.notice(),
        gracefulShutdown.drained(),
        (int) waiting.toSeconds(),
        taskScheduler.problem().or(machineProblems::current),
        gang(),
        images.get(),
        taskScheduler.gpus(room));
  }

  /** Those that are over tell their failures first, and are gone from the next report. */
  private List<SyncReport.Lease> leases() {
    var some = book.all().stream().filter(l -> l.gang().isEmpty()).toList();
    var telling = new HashSet<HeldLease>();
    var sum = 0;
    for (var over : List.of(true, false))
      for (var lease : some) {
        if (lease.released() != over) continue;
        if (sum > 0 && sum + lease.failures() > SyncReport.FAILURES) continue;
        sum += lease.failures();
        telling.add(lease);
      }
    return some.stream().map(l -> l.report(telling.contains(l))).toList();
  }

  private List<GangReport> gang() {
    var host = new HostId(machine.worker(), agentContext.settings.host());
    return book.all().stream()
        .flatMap(l ->
            l
                .gang()
                .map(p ->
                    p.member().report(l.ref, host, incarnation, agentContext.settings.address()))
                .stream())
        .toList();
  }

  /**
   * For how long a call may be kept waiting: in whole seconds, and not past the next task's end.
   * While there is work to lose that is a beat at most: then the call is given up before anybody
   * could take its silence for the machine's.
   *
   * @param failing whether the last call failed: the next one is only to reach anybody
   */
  public Duration maxWait(boolean failing) {
    if (failing) return Duration.ZERO;
    var times = agentContext.settings.sync();
    var most = book.isEmpty() ? times.waiting() : times.busyWaiting();
    if (gracefulShutdown.stopRequested() || (gracefulShutdown.shuttingDown() && book.atWork()))
      return Duration.ZERO;
    for (var lease : book.all()) {
      // Whoever waits for others is told by the answer to a waiting call.
      if (lease.gang().isPresent()) continue;
      for (var run : lease.runs.values()) {
        var left = remaining(run);
        if (left.compareTo(most) < 0) most = left;
      }
    }
    var whole = Duration.ofSeconds(most.toSeconds());
    // With nothing queued a short wait costs nothing and brings new work sooner.
    var hungry =
        book.unstarted() == 0
            && agentContext.settings.sync().waiting().compareTo(Duration.ofSeconds(1)) >= 0;
    return whole.isZero() && hungry ? Duration.ofSeconds(1) : whole;
  }

  /**
   * What a task has left to run by the mean of its job; one that is past it, half of what it ran
   * already.
   */
  private Duration remaining(TaskRun run) {
    if (!run.state().onMachine()) return Duration.ZERO;
    var jobStats = taskDurations.of(run.taskAttempt.lease().job());
    if (jobStats.isEmpty()) return agentContext.settings.sync().waiting();
    var ran = agentContext.now().monotonicSince(run.began);
    var left = jobStats.get().mean().minus(ran);
    var half = ran.dividedBy(2);
    return left.compareTo(half) > 0 ? left : half;
  }
}
