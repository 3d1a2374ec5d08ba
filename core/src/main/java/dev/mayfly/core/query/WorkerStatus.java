package dev.mayfly.core.query;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.sync.GpuUse;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.sync.MachineUse;
import dev.mayfly.core.model.sync.MountUse;
import dev.mayfly.core.model.worker.Ending;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A worker as users see it.
 *
 * @param state one word: launching, booting, preparing, ready, cordoned (a person looks at it, and
 *     nothing new starts there), unfit (it reports but takes no tasks), draining, drained, lost,
 *     gone
 * @param due when its next sync is due at the latest; a few seconds later it is silent
 * @param idleSince since when it holds no lease
 * @param reason why it is cordoned, kept although it is idle, drained, lost or gone
 * @param problem for people, beginning with its kind if it has one
 * @param problemKind what a problem that its agent or the cloud reported means for tasks
 * @param mounts how full they were when that was last stored
 * @param gpus how busy and how full they were when that was last stored; empty while nobody knows
 * @param usd what its machine has cost until now, or until it was gone; absent if its price is not
 *     known, and where there was no machine
 * @param usdPerHour of its machine, or of all hosts of a slice, when it was launched; absent if its
 *     price is not known
 * @param ending how it ended or ends; absent while it does not, and where that was not stored
 * @param machine how busy and full it was when that was last stored; empty while nobody knows
 */
public record WorkerStatus(
    String name,
    String pool,
    String zone,
    String machineType,
    String state,
    Instant since,
    Optional<String> reason,
    Optional<Instant> due,
    Optional<Instant> idleSince,
    Resources total,
    List<LeaseView> leases,
    Instant createdAt,
    Optional<Instant> firstSyncAt,
    Optional<String> instanceId,
    Optional<String> problem,
    Optional<MachineProblem.Kind> problemKind,
    List<MountUse> mounts,
    List<GpuUse> gpus,
    Optional<Double> usd,
    Optional<Double> usdPerHour,
    Optional<Ending> ending,
    Optional<MachineUse> machine) {
  public WorkerStatus {
    leases = List.copyOf(leases);
    mounts = List.copyOf(mounts);
    gpus = List.copyOf(gpus);
  }

  /**
   * A range of a job's tasks that it has a lease of.
   *
   * @param running how many of them fit on the worker at once, beside its other leases
   */
  public record LeaseView(
      String job, String jobName, long start, long end, long done, long running, Instant since) {}
}
