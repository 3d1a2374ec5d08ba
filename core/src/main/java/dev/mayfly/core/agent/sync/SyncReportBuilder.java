package dev.mayfly.core.agent.sync;

import dev.mayfly.core.agent.lease.LeaseTable;
import dev.mayfly.core.agent.lease.TaskScheduler;
import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.task.HeldLease;
import dev.mayfly.core.agent.task.LocalGangState;
import dev.mayfly.core.agent.task.TaskDurations;
import dev.mayfly.core.agent.task.TaskRun;
import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskMetrics;
import dev.mayfly.core.model.gang.GangReport;
import dev.mayfly.core.model.sync.FailedFolder;
import dev.mayfly.core.model.sync.GpuUse;
import dev.mayfly.core.model.sync.MachineUse;
import dev.mayfly.core.model.sync.MountUse;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.HostId;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.WorkerInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Builds the report of a sync: the agent's whole state. */
public final class SyncReportBuilder {
  private final AgentContext agentContext;
  private final WorkerInfo workerInfo;
  private final Incarnation incarnation;
  private final LeaseTable leaseTable;
  private final TaskScheduler taskScheduler;
  private final GracefulShutdown gracefulShutdown;
  private final TaskDurations taskDurations;
  private final MachineProblems machineProblems;
  private Supplier<Resources> total;
  private Supplier<List<SyncReport.Pulled>> images = List::of;
  private Supplier<Optional<List<FailedFolder>>> failedFolders = Optional::empty;
  private List<SyncReport.BootStep> boot = List.of();
  private List<MountUse> mounts = List.of();
  private List<GpuUse> gpuUses = List.of();
  private Optional<MachineUse> machineUse = Optional.empty();
  private Optional<SyncReport> last = Optional.empty();

  public SyncReportBuilder(
      AgentContext agentContext,
      WorkerInfo workerInfo,
      Incarnation incarnation,
      LeaseTable leaseTable,
      TaskScheduler taskScheduler,
      GracefulShutdown gracefulShutdown,
      TaskDurations taskDurations,
      MachineProblems machineProblems) {
    this.agentContext = agentContext;
    this.workerInfo = workerInfo;
    this.incarnation = incarnation;
    this.leaseTable = leaseTable;
    this.taskScheduler = taskScheduler;
    this.gracefulShutdown = gracefulShutdown;
    this.taskDurations = taskDurations;
    this.machineProblems = machineProblems;
    this.total = workerInfo::visible;
  }

  /** The resources that tasks may use here, once they are known. */
  public void totalResources(Supplier<Resources> amounts) {
    total = amounts;
  }

  public void failedFolders(Supplier<Optional<List<FailedFolder>>> all) {
    failedFolders = all;
  }

  public void pulledImages(Supplier<List<SyncReport.Pulled>> all) {
    images = all;
  }

  public void bootSteps(List<SyncReport.BootStep> steps) {
    boot = steps;
  }

  /** Known with the next report; none is made for it. */
  public void mounts(List<MountUse> uses) {
    mounts = uses;
  }

  /** Known with the next report; none is made for it. */
  public void gpuUses(List<GpuUse> uses) {
    gpuUses = uses;
  }

  /** Known with the next report; none is made for it. */
  public void machineUse(MachineUse use) {
    machineUse = Optional.of(use);
  }

  /** The last report once more, if nothing has changed since but the time. */
  public SyncReport again(long seq, Duration waiting) {
    return last.isEmpty() ? build(seq, waiting) : last.get().again(seq, (int) waiting.toSeconds());
  }

  public SyncReport build(long seq, Duration waiting) {
    var report = state(seq, waiting);
    last = Optional.of(report);
    return report;
  }

  private SyncReport state(long seq, Duration waiting) {
    var shuttingDown = gracefulShutdown.shuttingDown();
    var room = shuttingDown ? FreeResources.of(Resources.ZERO) : taskScheduler.room();
    return new SyncReport(
        workerInfo.cluster(),
        workerInfo.worker(),
        agentContext.settings.host(),
        incarnation,
        workerInfo.nonce(),
        seq,
        total.get(),
        room.amounts(),
        shuttingDown ? Map.of() : taskScheduler.prefetch(),
        leases(),
        leaseTable.jobHashes(),
        boot,
        gracefulShutdown.notice(),
        gracefulShutdown.drained(),
        (int) waiting.toSeconds(),
        taskScheduler.problem().or(machineProblems::current),
        gang(),
        images.get(),
        taskScheduler.gpus(room),
        metrics(),
        mounts,
        gpuUses,
        machineUse,
        failedFolders.get());
  }

  private List<TaskMetrics> metrics() {
    var all = new ArrayList<TaskMetrics>();
    for (var lease : leaseTable.all())
      for (var run : lease.runs.values())
        if (!run.running().isEmpty())
          all.add(new TaskMetrics(lease.ref.job(), run.taskAttempt.index(), run.running()));
    return TaskMetrics.capped(all);
  }

  /** Released leases report their failures first, and are absent from the next report. */
  private List<SyncReport.Lease> leases() {
    var ordinary = leaseTable.all().stream().filter(l -> l.gang().isEmpty()).toList();
    var reporting = new HashSet<HeldLease>();
    var sum = 0;
    for (var released : List.of(true, false))
      for (var lease : ordinary) {
        if (lease.released() != released) continue;
        if (sum > 0 && sum + lease.failures() > SyncReport.FAILURES) continue;
        sum += lease.failures();
        reporting.add(lease);
      }
    return ordinary.stream().map(l -> l.report(reporting.contains(l))).toList();
  }

  private List<GangReport> gang() {
    var host = new HostId(workerInfo.worker(), agentContext.settings.host());
    return leaseTable.all().stream()
        .flatMap(l -> l.gang().map(part -> report(l, part, host)).stream())
        .toList();
  }

  private GangReport report(HeldLease lease, LocalGangState part, HostId host) {
    var address = agentContext.settings.address();
    var report = part.member().report(lease.ref, host, incarnation, address, part.contact());
    return part.keptUntil().map(report::keptUntil).orElse(report);
  }

  /**
   * How long a call may wait: whole seconds, and not past the expected end of the next task. While
   * there is work to lose, at most one heartbeat interval: then the call is abandoned before its
   * silence could pass for the machine's.
   *
   * @param failing whether the last call failed; the next one only tests the connection
   */
  public Duration maxWait(boolean failing) {
    if (failing) return Duration.ZERO;
    var times = agentContext.settings.sync();
    var most = leaseTable.isEmpty() ? times.waiting() : times.busyWaiting();
    if (gracefulShutdown.stopRequested()
        || (gracefulShutdown.shuttingDown() && leaseTable.atWork())) return Duration.ZERO;
    for (var lease : leaseTable.all()) {
      // A gang's next step arrives with the answer to a pending sync.
      if (lease.gang().isPresent()) continue;
      for (var run : lease.runs.values()) {
        var left = remaining(run);
        if (left.compareTo(most) < 0) most = left;
      }
    }
    var whole = Duration.ofSeconds(most.toSeconds());
    // With nothing queued, a short wait costs nothing and brings new work sooner.
    var queueEmpty =
        leaseTable.unstarted() == 0
            && agentContext.settings.sync().waiting().compareTo(Duration.ofSeconds(1)) >= 0;
    return whole.isZero() && queueEmpty ? Duration.ofSeconds(1) : whole;
  }

  /**
   * The remaining run time by the job's mean; for a task that is past it, half of its time so far.
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
