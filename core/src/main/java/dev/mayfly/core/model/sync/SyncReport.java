package dev.mayfly.core.model.sync;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.gang.GangReport;
import dev.mayfly.core.model.job.PinnedImage;
import dev.mayfly.core.model.worker.HostId;
import dev.mayfly.core.model.worker.Incarnation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that an agent is and does, told at each sync. Nothing in it is a delta: any report may be
 * lost, repeated or late.
 *
 * @param nonce the launch's random value from the machine's metadata
 * @param seq raised by one with each call of this incarnation
 * @param total what tasks may use here
 * @param room what is neither used by running tasks nor spoken for by leased ones
 * @param appetite by job, how many tasks more than fit in {@code room} it would take to have 2 s of
 *     work
 * @param leases every lease that it knows, until orders no longer name it
 * @param knows the hashes of the job specs that it has
 * @param notice when the cloud told it that the machine will be taken
 * @param drained whether nothing runs any more, nothing will, and every log is out: in answer to an
 *     order to drain, or because the agent was told to end
 * @param waitSeconds for how long the call may be kept waiting
 * @param problem the newest trouble with the machine, for people
 * @param gang every lease of a gang that it knows, until orders no longer name it
 * @param images what it pulled by a tag, for jobs of which it has a lease
 * @param gpus what is used and free of each GPU, by index
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
    Map<String, Long> appetite,
    List<Lease> leases,
    List<String> knows,
    List<BootStep> boot,
    Optional<Instant> notice,
    boolean drained,
    int waitSeconds,
    Optional<String> problem,
    List<GangReport> gang,
    List<Pulled> images,
    List<Gpu> gpus) {
  /** How a problem begins that is none: the machine is not ready for tasks yet. */
  public static final String PREPARING = "preparing: ";

  /** How a problem begins for which the machine takes no tasks until it is mended. */
  public static final String UNFIT = "unfit: ";

  /** How a problem begins that keeps no task away: they are not held to what they asked for. */
  public static final String UNLIMITED = "not enforced: ";

  /** How a problem begins with which tasks run all the same, on less or with more tries. */
  public static final String DEGRADED = "degraded: ";

  /** Whether a machine with this problem can run tasks, now or when it is prepared. */
  public static boolean runsTasks(String problem) {
    return problem.startsWith(PREPARING)
        || problem.startsWith(UNLIMITED)
        || problem.startsWith(DEGRADED);
  }

  /** Failures after which an agent gives a lease back: each report repeats all of a lease. */
  public static final int FAILURES_OF_LEASE = 1_000;

  /**
   * Failures that a report tells of, all leases together, so that none is too long to be taken. The
   * failures of a lease are in one report or in none, and without them it is not released yet.
   */
  public static final int FAILURES = 4_000;

  public SyncReport {
    appetite = Map.copyOf(appetite);
    leases = List.copyOf(leases);
    knows = List.copyOf(knows);
    boot = List.copyOf(boot);
    gang = List.copyOf(gang);
    images = List.copyOf(images);
    gpus = List.copyOf(gpus);
  }

  /** Of a host without GPUs. */
  public SyncReport(
      String cluster,
      String worker,
      int host,
      Incarnation incarnation,
      String nonce,
      long seq,
      Resources total,
      Resources room,
      Map<String, Long> appetite,
      List<Lease> leases,
      List<String> knows,
      List<BootStep> boot,
      Optional<Instant> notice,
      boolean drained,
      int waitSeconds,
      Optional<String> problem,
      List<GangReport> gang,
      List<Pulled> images) {
    this(
        cluster,
        worker,
        host,
        incarnation,
        nonce,
        seq,
        total,
        room,
        appetite,
        leases,
        knows,
        boot,
        notice,
        drained,
        waitSeconds,
        problem,
        gang,
        images,
        List.of());
  }

  /** Of a host that knows of no gang and of no tag. */
  public SyncReport(
      String cluster,
      String worker,
      int host,
      Incarnation incarnation,
      String nonce,
      long seq,
      Resources total,
      Resources room,
      Map<String, Long> appetite,
      List<Lease> leases,
      List<String> knows,
      List<BootStep> boot,
      Optional<Instant> notice,
      boolean drained,
      int waitSeconds,
      Optional<String> problem) {
    this(
        cluster,
        worker,
        host,
        incarnation,
        nonce,
        seq,
        total,
        room,
        appetite,
        leases,
        knows,
        boot,
        notice,
        drained,
        waitSeconds,
        problem,
        List.of(),
        List.of(),
        List.of());
  }

  /** Who speaks. */
  public HostId sender() {
    return new HostId(worker, host);
  }

  /** What is free here for tasks that are granted now. */
  public FreeResources freeResources() {
    if (gpus.isEmpty()) return FreeResources.of(room);
    return new FreeResources(room, gpus.stream().map(Gpu::room).toList());
  }

  /** Thousandths of each GPU that running tasks use. */
  public List<Integer> gpusUsed() {
    return gpus.stream().map(Gpu::used).toList();
  }

  /**
   * One GPU, in thousandths.
   *
   * @param used by tasks that run
   * @param room neither used nor spoken for by leased tasks
   */
  public record Gpu(int used, int room) {}

  /**
   * One lease as the agent has it.
   *
   * @param end as the agent knows it
   * @param done tasks whose sentinel it made or found, since the grant
   * @param failed attempts of this lease that ended without a result; a task is at most once in it
   * @param running tasks that run, publish or are being killed now
   * @param cursor the least index from which on nothing has begun
   * @param released nothing of it runs any more and nothing will: it may be leased to somebody else
   */
  public record Lease(
      LeaseRef ref,
      long end,
      TaskSet done,
      List<AttemptFailure> failed,
      List<Long> running,
      long cursor,
      boolean released) {
    public Lease {
      failed = List.copyOf(failed);
      running = List.copyOf(running);
    }
  }

  /** What the tag of a job's image named here. */
  public record Pulled(String job, PinnedImage image) {}

  /** One step of the machine's start-up. */
  public record BootStep(String name, Duration took, Optional<String> error) {}
}
