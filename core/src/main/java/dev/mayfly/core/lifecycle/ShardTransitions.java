package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.gang.GangPhase;
import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * Every change of a shard.
 *
 * <p><b>Must:</b> only a grant and a return raise the epoch; only a split and a steal lower the
 * end, and the part cut off becomes the child at once, so that a job's ranges stay disjoint and
 * complete; only {@link #reopen} clears a done bit, for a job that has ended.
 */
public final class ShardTransitions {
  /** The most failures whose evidence is kept in a shard's document. */
  static final int EVIDENCE = 50;

  private ShardTransitions() {}

  /** The lease begins: a new epoch, with no task started. */
  public static Shard grant(Shard shard, Shard.Owner owner, Instant now) {
    if (!shard.waits())
      throw new IllegalArgumentException(shard.key().path() + " is " + shard.state());
    return new ShardBuilder(shard)
        .state(Shard.State.LEASED, Optional.of(owner), shard.epoch() + 1)
        .times(now, now, shard.start(), shard.splitAt())
        .build();
  }

  /**
   * Grants a task that several hosts run together: the run begins and ends with the lease.
   *
   * @param owner the worker of rank 0
   */
  public static Shard grantGang(Shard shard, Shard.Owner owner, GangRun run, Instant now) {
    if (shard.size() != 1 || run.lease().epoch() != shard.epoch() + 1)
      throw new IllegalArgumentException(shard.key().path() + " is not a task for " + run.lease());
    return new ShardBuilder(grant(shard, owner, now)).gang(run).build();
  }

  /** Replaces the gang's run by a later state. */
  public static Shard withGangRun(Shard shard, GangRun run) {
    return new ShardBuilder(shard).gang(run).build();
  }

  /** Ends a gang's lease after its run was published or cleared. */
  public static Shard endGang(Shard shard, JobSpec.Retries retries, Instant now) {
    var run = shard.gang().orElseThrow();
    var edit = new ShardBuilder(shard);
    return switch (run.phase()) {
      case GangPhase.Done _ ->
          edit.done(TaskSet.where(shard.start(), shard.end(), _ -> true))
              .ended(now, retries)
              .build();
      case GangPhase.Cleared c -> {
        var attemptFailure = run.failure(c);
        edit.count(shard.start(), attemptFailure.cause(), retries);
        yield edit.evidence(shard.evidence(), List.of(attemptFailure)).ended(now, retries).build();
      }
      default ->
          throw new IllegalArgumentException(
              "run %d of %s is in %s; its lease continues"
                  .formatted(run.number(), run.lease(), run.phase()));
    };
  }

  /** Stores the progress of a lease that continues. The epoch stays; no attempt is counted yet. */
  public static Shard checkpoint(Shard shard, SyncReport.Lease report, Instant now) {
    return new ShardBuilder(shard)
        .done(report.done())
        .evidence(shard.evidence(), clipped(shard, report.failed()))
        .times(shard.leasedAt(), now, Math.max(shard.start(), report.cursor()), shard.splitAt())
        .build();
  }

  /**
   * Ends the lease as its holder reports it: failures are counted, and the rest may be leased
   * again.
   */
  public static Shard release(
      Shard shard, SyncReport.Lease report, JobSpec.Retries retries, Instant now) {
    var edit = new ShardBuilder(shard).done(report.done());
    var failed = clipped(shard, report.failed());
    for (var attemptFailure : failed)
      edit.count(attemptFailure.index(), attemptFailure.cause(), retries);
    return edit.evidence(shard.evidence(), failed).ended(now, retries).build();
  }

  /**
   * Ends the lease of a lost or gone worker. Failures that it reported are counted.
   *
   * @param running the tasks believed to be running: each is charged one attempt
   */
  public static Shard lose(
      Shard shard,
      List<Long> running,
      FailureCause failureCause,
      JobSpec.Retries retries,
      Instant now) {
    var edit = new ShardBuilder(shard);
    var attempt = new LeaseRef(shard.job(), shard.start(), shard.epoch()).attempt();
    var reported = new HashSet<Long>();
    for (var attemptFailure : shard.evidence())
      if (attemptFailure.attempt().equals(attempt)
          && shard.has(attemptFailure.index())
          && reported.add(attemptFailure.index()))
        edit.count(attemptFailure.index(), attemptFailure.cause(), retries);
    for (var index : running)
      if (shard.has(index) && !reported.contains(index) && !shard.failed().has(index))
        edit.count(index, failureCause, retries);
    return edit.ended(now, retries).build();
  }

  /**
   * Reopens a shard of an ended job: tasks that failed for good may run again, and so may {@code
   * undone}.
   */
  public static Shard reopen(Shard shard, TaskSet undone, Instant now) {
    var done =
        TaskSet.where(shard.start(), shard.end(), i -> shard.done().has(i) && !undone.has(i));
    return new ShardBuilder(shard).reset(done).ended(now).build();
  }

  /**
   * Cuts off the tasks from {@code at} on.
   *
   * @return the remaining shard, and the child with the rest, which may be leased; after a cut of a
   *     SPENT shard, a part without any attempt is READY
   */
  public static Cut cut(Shard shard, long at, Instant now) {
    if (at <= shard.start() || at >= shard.end())
      throw new IllegalArgumentException(at + " is not within " + shard.key().path());
    var rest = new ShardBuilder(shard).range(shard.start(), at).split(now).build();
    var child =
        new ShardBuilder(
                Shard.of(
                    new DocumentKey.OfShard(shard.cluster(), shard.job(), at),
                    shard.end(),
                    TaskSet.none(at)))
            .inherit(shard, at, shard.end())
            .build();
    var spent = shard.state() == Shard.State.SPENT;
    var waits = spent ? parted(rest) : rest;
    return new Cut(shard.waits() ? ended(waits) : rest, ended(spent ? parted(child) : child));
  }

  /** The two parts of a shard after a cut. */
  public record Cut(Shard rest, Shard child) {}

  private static Shard parted(Shard shard) {
    var state = shard.spent(1) ? Shard.State.SPENT : Shard.State.READY;
    return new ShardBuilder(shard).state(state, Optional.empty(), shard.epoch()).build();
  }

  private static Shard ended(Shard shard) {
    return shard.open() == 0
        ? new ShardBuilder(shard).state(Shard.State.ENDED, Optional.empty(), shard.epoch()).build()
        : shard;
  }

  /** Drops failures outside the range that the lease still has, and those of done tasks. */
  private static List<AttemptFailure> clipped(Shard shard, List<AttemptFailure> attemptFailures) {
    return attemptFailures.stream()
        .filter(f -> shard.has(f.index()) && !shard.done().has(f.index()))
        .toList();
  }
}
