package dev.mayfly.core.model.document;

import dev.mayfly.core.model.KeptTask;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Outranked;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.sync.MeasuredGpus;
import dev.mayfly.core.model.sync.MeasuredMachine;
import dev.mayfly.core.model.sync.MeasuredMounts;
import dev.mayfly.core.model.sync.StalledTask;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.model.worker.HeldParts;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.LaunchedFor;
import dev.mayfly.core.model.worker.MachineShares;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.RunningMetrics;
import dev.mayfly.core.model.worker.WorkerState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * {@code clusters/{uid}/workers/{worker}}: one schedulable machine.
 *
 * @param name also the machine's name; derived from the intent, never reused
 * @param epoch raised by every new incarnation and by loss; reports of an older one change nothing
 * @param seq the newest sync that was written here
 * @param nonceHash hex SHA-256 of the random value in its metadata; repeated orders add others
 * @param instanceId the cloud's own number of the machine, once known
 * @param machineProblem the newest problem that its agent or the cloud reported
 * @param provisioning how the machine was bought; a static one is never ordered or deleted
 * @param gpusUsed thousandths of each GPU in use when its leases were last written; empty if none
 * @param launchedFor the job that it was launched for; empty for a warm minimum
 * @param gpuMemoryUsed bytes of each GPU, by index; empty if the memory of its GPUs is not known
 * @param usage what its machine's time went to; absent in older documents
 * @param cordon the newest one, perhaps over; empty if it was ended by hand, or never was
 * @param machineUse how busy and full it is; absent while its agent does not say
 */
public record Worker(
    String cluster,
    String name,
    String pool,
    String zone,
    String machineType,
    WorkerState state,
    long epoch,
    long seq,
    String nonceHash,
    Optional<Incarnation> incarnation,
    Resources total,
    List<Held> held,
    Optional<Instant> notice,
    Optional<String> instanceId,
    long generation,
    Instant createdAt,
    Optional<Instant> firstSyncAt,
    Optional<MachineProblem> machineProblem,
    Provisioning provisioning,
    List<Integer> gpusUsed,
    Optional<Instant> lastCommandAt,
    Optional<RunningMetrics> metrics,
    Optional<MeasuredMounts> mounts,
    Map<String, String> labels,
    Optional<LaunchedFor> launchedFor,
    List<Long> gpuMemoryUsed,
    Optional<MeasuredGpus> gpuUses,
    Optional<Duration> life,
    Optional<MachineUsage> usage,
    Optional<Cordon> cordon,
    Optional<MeasuredMachine> machineUse)
    implements LedgerDocument {
  public Worker {
    labels = Map.copyOf(labels);
    held = List.copyOf(held);
    gpusUsed = List.copyOf(gpusUsed);
    gpuMemoryUsed = List.copyOf(gpuMemoryUsed);
  }

  public static final int MOST_RUNNING = 64;

  /**
   * A lease of the worker.
   *
   * @param need of one task
   * @param running the tasks that were running when this was last written, 64 at most
   * @param gang whether its task runs together with other hosts; it is then the worker's only lease
   * @param slots for how many of its tasks there was room at the grant
   * @param startedAt when each of the running tasks began, in their order; empty if that is unknown
   * @param stalled some of its tasks that do not go on
   * @param partOf the lease by which its agent knows it, if that was parted; absent otherwise
   * @param kept those of the running tasks that have stored a checkpoint; absent without any
   * @param outranked of its tasks those that end for a higher priority; absent without any
   * @param lostBefore what a task, the most of them, lost so before; absent if none did
   */
  public record Held(
      String job,
      long start,
      long epoch,
      Resources need,
      Instant since,
      List<Long> running,
      boolean gang,
      long slots,
      List<Instant> startedAt,
      List<StalledTask> stalled,
      Optional<LeaseRef> partOf,
      Optional<List<KeptTask>> kept,
      Optional<List<Outranked>> outranked,
      Optional<Duration> lostBefore) {
    public Held {
      kept = kept.map(List::copyOf);
      outranked = outranked.map(List::copyOf);
      stalled = List.copyOf(stalled);
      running = List.copyOf(running);
      startedAt = List.copyOf(startedAt);
    }

    /** A lease that its agent knows as it is. */
    public Held(
        String job,
        long start,
        long epoch,
        Resources need,
        Instant since,
        List<Long> running,
        boolean gang,
        long slots,
        List<Instant> startedAt,
        List<StalledTask> stalled) {
      this(
          job,
          start,
          epoch,
          need,
          since,
          running,
          gang,
          slots,
          startedAt,
          stalled,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }

    /** A copy with what runs of it, as its agent reports. */
    public Held with(SyncReport.Lease report) {
      var now = report.running().stream().limit(MOST_RUNNING).toList();
      var known = report.startedAt().size() == report.running().size();
      var began = report.startedAt().stream().limit(known ? MOST_RUNNING : 0).toList();
      var stored = report.kept().map(all -> KeptTask.of(all, now)).filter(all -> !all.isEmpty());
      return new Held(
          job,
          start,
          epoch,
          need,
          since,
          now,
          gang,
          slots,
          began,
          report.stalled(),
          partOf,
          stored,
          Outranked.without(outranked, report.done()),
          lostBefore);
    }

    /** How many tasks run at once, one at least; before the first report, as many as granted. */
    public long atOnce() {
      return Math.max(1, running.isEmpty() ? slots : running.size());
    }

    public HeldParts.Lease asPart() {
      return new HeldParts.Lease(job, need, atOnce(), gang || !running.isEmpty(), gang);
    }

    public LeaseRef ref() {
      return new LeaseRef(job, start, epoch);
    }

    /** The lease as its agent knows it, which names the attempts. */
    public LeaseRef known() {
      return partOf.orElseGet(this::ref);
    }
  }

  /** Whether it runs a task of a gang, alone or as one of its members. */
  public boolean inGang() {
    return held.stream().anyMatch(Held::gang);
  }

  /** The job that it serves first, by uid, until it had its first lease; empty without one. */
  public Optional<String> nominee() {
    return launchedFor.filter(_ -> state.isNew()).flatMap(LaunchedFor::nominee);
  }

  public boolean mayRun(Placement placement) {
    return placement.allowsPool(pool) && placement.allowsMachine(zone, name, labels);
  }

  public boolean mayRunFallback(Placement placement) {
    return placement.allowsFallbackPool(pool) && placement.allowsMachine(zone, name, labels);
  }

  /** Why it can run no task, for example a missing driver or mount. */
  public Optional<String> unfit() {
    return machineProblem.filter(p -> !p.runsTasks()).map(MachineProblem::what);
  }

  public boolean has(MachineProblem.Kind kind) {
    return machineProblem.filter(p -> p.is(kind)).isPresent();
  }

  @Override
  public DocumentKey.OfWorker key() {
    return new DocumentKey.OfWorker(cluster, name);
  }

  /** The time until the new state begins is counted as the old one's. */
  public Worker with(WorkerState next) {
    return edit(e -> e.usage = usage.map(u -> MachineShares.begun(u, state, next)))
        .counted(next.since())
        .edit(e -> e.state = next);
  }

  /** What each of its leases takes of it, in their order; together perhaps more than all of it. */
  public List<MachineUsage.Part> parts() {
    return HeldParts.of(held.stream().map(Held::asPart).toList(), total);
  }

  public Worker counted(Instant now) {
    var kept = cordon.flatMap(Cordon::kept);
    return edit(e -> e.usage = usage.map(u -> MachineShares.counted(u, state, parts(), kept, now)));
  }

  public Worker withUsage(MachineUsage next) {
    return edit(e -> e.usage = Optional.of(next));
  }

  /** The time until now is counted for the leases before. */
  public Worker withLeases(List<Held> next, Instant now) {
    return counted(now).edit(e -> e.held = next);
  }

  public Worker withLeases(List<Held> next, List<Integer> gpus, List<Long> gpuMemory, Instant now) {
    return counted(now)
        .edit(e -> {
          e.held = next;
          e.gpusUsed = gpus;
          e.gpuMemoryUsed = gpuMemory;
        });
  }

  public Worker withGpuUses(Optional<MeasuredGpus> measured) {
    return edit(e -> e.gpuUses = measured);
  }

  public Worker withMachineUse(Optional<MeasuredMachine> measured) {
    return edit(e -> e.machineUse = measured);
  }

  public Worker withMounts(MeasuredMounts measured) {
    return edit(e -> e.mounts = Optional.of(measured));
  }

  public Worker withEpoch(long next) {
    return edit(e -> e.epoch = next);
  }

  /** Applies a sync: incarnation, sequence number and resources. */
  public Worker withSync(Incarnation who, long number, Resources has, Instant at) {
    return edit(e -> {
      e.seq = number;
      e.incarnation = Optional.of(who);
      e.total = has;
      e.instanceId = Optional.of(instanceId.orElse(who.instanceId()));
      e.firstSyncAt = Optional.of(firstSyncAt.orElse(at));
    });
  }

  public Worker withNotice(Instant at) {
    return edit(e -> e.notice = Optional.of(at));
  }

  public Worker withProblem(Optional<MachineProblem> next) {
    return edit(e -> e.machineProblem = next);
  }

  public Worker withInstanceId(String instance) {
    return edit(e -> e.instanceId = Optional.of(instance));
  }

  public Worker withNonceHash(String hash) {
    return edit(e -> e.nonceHash = nonceHash + "," + hash);
  }

  public Worker withLastCommandAt(Instant at) {
    return edit(e -> e.lastCommandAt = Optional.of(at));
  }

  public Worker withMetrics(Optional<RunningMetrics> next) {
    return edit(e -> e.metrics = next);
  }

  public Worker withCordon(Optional<Cordon> next) {
    return edit(e -> e.cordon = next);
  }

  public Worker withLabels(Map<String, String> next) {
    return edit(e -> e.labels = next);
  }

  private Worker edit(Consumer<WorkerEdit> change) {
    return WorkerEdit.of(this, change);
  }
}
