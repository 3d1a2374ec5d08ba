package dev.mayfly.core.model.sync;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Outranked;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.gang.GangOrder;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.worker.DrainReason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state that an agent should have, in answer to its report with the same {@code seq}.
 *
 * @param now the ledger's time
 * @param due when the next sync is due at the latest
 * @param leases every lease of the worker; the agent kills any other lease that it runs
 * @param specs of jobs that the agent does not know yet
 * @param drain the deadline, if the worker is to drain
 * @param fenced whether the control plane has given this incarnation up: kill everything, then sync
 *     again
 * @param followed jobs whose logs users follow now
 * @param gang this host's order in each of its worker's gang leases; the agent ends any other gang
 *     lease that it knows
 * @param drainReason why it is to drain; absent from an older control plane
 * @param folders which of the reported folders of failed attempts stay, although their leases are
 *     over; absent if nothing is said of them
 */
public record SyncOrders(
    long seq,
    Instant now,
    Instant due,
    List<Lease> leases,
    List<JobInfo> specs,
    Optional<Instant> drain,
    boolean fenced,
    List<String> followed,
    List<GangOrder> gang,
    Optional<DrainReason> drainReason,
    Optional<List<FailedFolder>> folders) {
  public SyncOrders {
    leases = List.copyOf(leases);
    specs = List.copyOf(specs);
    followed = List.copyOf(followed);
    gang = List.copyOf(gang);
    folders = folders.map(List::copyOf);
  }

  /** Whether an agent that followed these orders has nothing to do for the others. */
  public boolean repeats(SyncOrders before) {
    return !fenced
        && !before.fenced
        && (specs.isEmpty() || specs.equals(before.specs))
        && gang.isEmpty()
        && before.gang.isEmpty()
        && leases.equals(before.leases)
        && drain.equals(before.drain)
        && folders.equals(before.folders);
  }

  /** Orders that end nothing. */
  public SyncOrders(
      long seq,
      Instant now,
      Instant due,
      List<Lease> leases,
      List<JobInfo> specs,
      Optional<Instant> drain,
      boolean fenced,
      List<String> followed,
      List<GangOrder> gang) {
    this(
        seq,
        now,
        due,
        leases,
        specs,
        drain,
        fenced,
        followed,
        gang,
        Optional.empty(),
        Optional.empty());
  }

  /**
   * One lease.
   *
   * @param end the index after the last; may have been lowered since the grant
   * @param skip tasks that are done or failed for good, as the ledger knew at the grant
   * @param recall whether its tasks must be killed now and the lease released
   * @param stop tasks that a user stopped since the grant: they must be killed now, or not start
   * @param item its task, of an open job, until the agent reports the lease
   * @param outranked those of the tasks to stop that end for a higher priority, and run again;
   *     absent without any
   */
  public record Lease(
      LeaseRef ref,
      long end,
      TaskSet skip,
      String jobHash,
      boolean recall,
      Optional<TaskSet> stop,
      Optional<TaskItem> item,
      Optional<List<Outranked>> outranked) {
    public Lease {
      outranked = outranked.map(List::copyOf);
    }

    /** Of tasks that are listed or counted, none of them stopped. */
    public Lease(LeaseRef ref, long end, TaskSet skip, String jobHash, boolean recall) {
      this(ref, end, skip, jobHash, recall, Optional.empty(), Optional.empty(), Optional.empty());
    }
  }
}
