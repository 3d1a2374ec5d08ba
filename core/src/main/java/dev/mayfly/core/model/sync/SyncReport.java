package dev.mayfly.core.model.sync;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.KeptTask;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskMetrics;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.gang.GangReport;
import dev.mayfly.core.model.job.PinnedImage;
import dev.mayfly.core.model.worker.HostId;
import dev.mayfly.core.model.worker.Incarnation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The full state of an agent, reported at each sync. It is never a delta: any report may be lost,
 * repeated or late.
 *
 * @param nonce the launch's random value from the machine's metadata
 * @param seq raised by one with each call of this incarnation
 * @param total what tasks may use here
 * @param room resources neither used by running tasks nor reserved for leased ones
 * @param prefetch by job, how many tasks beyond those that fit in {@code room} would give it 2 s of
 *     work
 * @param leases every lease that it knows, until orders no longer name it
 * @param knows the hashes of the job specs that it has
 * @param notice when the cloud announced the preemption
 * @param drained whether nothing runs any more, nothing will, and every log is stored: after a
 *     drain order, or because the agent was asked to stop
 * @param waitSeconds how long the call may be kept waiting
 * @param machineProblem the newest problem with the machine
 * @param gang every gang lease that it knows, until orders no longer name it
 * @param images what it pulled by a tag, for jobs of which it has a lease
 * @param gpus the used and free part of each GPU, by index
 * @param metrics of running tasks, as many as {@link TaskMetrics#capped} keeps
 * @param mounts how full they are; empty until they are measured
 * @param gpuUses how busy and how full its GPUs are; empty without them, from older agents, and
 *     while the driver does not say
 * @param machineUse how busy its processors are and how full its memory is; absent from older
 *     agents, and where the machine does not say
 * @param folders of failed attempts, which it keeps until orders no longer name them; absent
 *     without any
 */
public record SyncReport(
    String cluster,
    String worker,
    int host,
    Incarnation incarnation,
    String nonce,
    long seq,
    Resources total,
    Resources room,
    Map<String, Long> prefetch,
    List<Lease> leases,
    List<String> knows,
    List<BootStep> boot,
    Optional<Instant> notice,
    boolean drained,
    int waitSeconds,
    Optional<MachineProblem> machineProblem,
    List<GangReport> gang,
    List<Pulled> images,
    List<Gpu> gpus,
    List<TaskMetrics> metrics,
    List<MountUse> mounts,
    List<GpuUse> gpuUses,
    Optional<MachineUse> machineUse,
    Optional<List<FailedFolder>> folders) {
  /** Whether it has values of tasks, the machine, GPUs or mounts. */
  public boolean measures() {
    return !metrics.isEmpty() || !gpuUses.isEmpty() || !mounts.isEmpty() || machineUse.isPresent();
  }

  /** Failures after which an agent returns a lease, because each report repeats all of them. */
  public static final int FAILURES_OF_LEASE = 1_000;

  /**
   * The most failures in one report, over all leases, so that no report is too large. The failures
   * of a lease are reported together or not at all; until then it is not released.
   */
  public static final int FAILURES = 4_000;

  public SyncReport {
    folders = folders.map(List::copyOf);
    prefetch = Map.copyOf(prefetch);
    leases = List.copyOf(leases);
    knows = List.copyOf(knows);
    boot = List.copyOf(boot);
    gang = List.copyOf(gang);
    images = List.copyOf(images);
    gpus = List.copyOf(gpus);
    metrics = List.copyOf(metrics);
    mounts = List.copyOf(mounts);
    gpuUses = List.copyOf(gpuUses);
  }

  /** The same about other leases. */
  public SyncReport withLeases(List<Lease> others) {
    return new SyncReport(
        cluster,
        worker,
        host,
        incarnation,
        nonce,
        seq,
        total,
        room,
        prefetch,
        others,
        knows,
        boot,
        notice,
        drained,
        waitSeconds,
        machineProblem,
        gang,
        images,
        gpus,
        metrics,
        mounts,
        gpuUses,
        machineUse,
        folders);
  }

  /** The same state in another call. */
  public SyncReport again(long number, int seconds) {
    return new SyncReport(
        cluster,
        worker,
        host,
        incarnation,
        nonce,
        number,
        total,
        room,
        prefetch,
        leases,
        knows,
        boot,
        notice,
        drained,
        seconds,
        machineProblem,
        gang,
        images,
        gpus,
        metrics,
        mounts,
        gpuUses,
        machineUse,
        folders);
  }

  /** The folder of a failed attempt; empty if the agent has none of it. */
  public Optional<FailedFolder> folder(Predicate<FailedFolder> which) {
    return folders.orElse(List.of()).stream().filter(which).findFirst();
  }

  public HostId sender() {
    return new HostId(worker, host);
  }

  /** The free resources for new grants. */
  public FreeResources freeResources() {
    if (gpus.isEmpty()) return FreeResources.of(room);
    var memory = gpus.stream().flatMap(gpu -> gpu.roomMemory().stream()).toList();
    return new FreeResources(
        room,
        gpus.stream().map(Gpu::room).toList(),
        memory.size() == gpus.size() ? memory : List.of());
  }

  /** Thousandths of each GPU that running tasks use. */
  public List<Integer> gpusUsed() {
    return gpus.stream().map(Gpu::used).toList();
  }

  /** Bytes of each GPU's memory that running tasks use; empty if the agent does not count them. */
  public List<Long> gpuMemoryUsed() {
    return gpus.stream().flatMap(gpu -> gpu.usedMemory().stream()).toList();
  }

  /**
   * One GPU as tasks were promised it, in thousandths.
   *
   * @param used by running tasks
   * @param room neither used nor reserved for leased tasks
   * @param usedMemory bytes of it that belong to running tasks; empty if its memory is not known
   * @param roomMemory bytes neither used nor reserved; empty if its memory is not known
   */
  public record Gpu(int used, int room, Optional<Long> usedMemory, Optional<Long> roomMemory) {}

  /**
   * One lease in the agent's view.
   *
   * @param end as the agent knows it
   * @param done tasks whose sentinel it made or found, since the grant
   * @param failed attempts of this lease that ended without a result, at most one for each task
   * @param running tasks that run, publish or are being killed now
   * @param cursor no task from this index on has started
   * @param released nothing of it runs any more and nothing will: it may be leased again
   * @param startedAt when each of the running tasks began, in their order; empty from older agents
   * @param stalled some of its tasks that do not go on
   * @param kept the running tasks that have stored a checkpoint; absent without any, and from older
   *     agents
   * @param publishing those of the running tasks whose processes have ended, so that they use no
   *     resources any more; absent without any, and from older agents
   */
  public record Lease(
      LeaseRef ref,
      long end,
      TaskSet done,
      List<AttemptFailure> failed,
      List<Long> running,
      long cursor,
      boolean released,
      List<Instant> startedAt,
      List<StalledTask> stalled,
      Optional<List<KeptTask>> kept,
      Optional<List<Long>> publishing) {
    public Lease {
      kept = kept.map(List::copyOf);
      publishing = publishing.map(List::copyOf);
      stalled = List.copyOf(stalled);
      failed = List.copyOf(failed);
      running = List.copyOf(running);
      startedAt = List.copyOf(startedAt);
    }

    /** One of which no task has stored a checkpoint, and none is being published. */
    public Lease(
        LeaseRef ref,
        long end,
        TaskSet done,
        List<AttemptFailure> failed,
        List<Long> running,
        long cursor,
        boolean released,
        List<Instant> startedAt,
        List<StalledTask> stalled) {
      this(
          ref,
          end,
          done,
          failed,
          running,
          cursor,
          released,
          startedAt,
          stalled,
          Optional.empty(),
          Optional.empty());
    }

    /** The same with the running tasks that have stored a checkpoint. */
    public Lease withKept(List<KeptTask> tasks) {
      return new Lease(
          ref,
          end,
          done,
          failed,
          running,
          cursor,
          released,
          startedAt,
          stalled,
          Optional.of(tasks).filter(all -> !all.isEmpty()),
          publishing);
    }

    /** The same with the running tasks whose processes have ended. */
    public Lease withPublishing(List<Long> tasks) {
      return new Lease(
          ref,
          end,
          done,
          failed,
          running,
          cursor,
          released,
          startedAt,
          stalled,
          kept,
          Optional.of(tasks).filter(all -> !all.isEmpty()));
    }

    /** Whether one of these tasks may run or start yet. */
    public boolean mayRun(TaskSet some) {
      if (released) return false;
      var ended = new HashSet<Long>();
      failed.forEach(f -> ended.add(f.index()));
      return some.indexes()
          .filter(i -> i < end && !ended.contains(i) && !done.has(i))
          .anyMatch(i -> i >= cursor || running.contains(i));
    }
  }

  /** What the tag of a job's image resolved to here. */
  public record Pulled(String job, PinnedImage image) {}

  /** One step of the machine's start-up. */
  public record BootStep(String name, Duration took, Optional<String> error) {}
}
