package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.gang.GangPhase;
import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.job.ExitCodeRule;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every change of a shard but those of {@link ShardParting}.
 *
 * <p><b>Must:</b> only a grant, a return and a parting raise the epoch; only a split, a steal and a
 * parting lower the end, and what is cut off becomes a child at once, so that a job's ranges stay
 * disjoint and complete; only a reopening clears done bits, and only of a job that has ended. A
 * retry of single tasks makes an ended shard of a running job ready without that.
 */
public final class ShardTransitions {
  /** The most failures whose evidence is kept in a shard's document. */
  public static final int EVIDENCE = 50;

  /** The most workers of gangs that the evidence of a shard names: of the newest failures. */
  static final int GANG_WORKERS = 1_000;

  private ShardTransitions() {}

  /** The lease begins: a new epoch, with no task started. */
  public static Shard grant(Shard shard, Shard.Owner owner, Instant now) {
    if (!shard.isLeasable())
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
  public static Shard endGang(Shard shard, RetryRules retries, Instant now) {
    var run = shard.gang().orElseThrow();
    var edit = new ShardBuilder(shard);
    return switch (run.phase()) {
      case GangPhase.Done _ ->
          edit.done(TaskSet.where(shard.start(), shard.end(), _ -> true))
              .gangDone(run)
              .endLease(now, retries)
              .build();
      case GangPhase.Cleared c -> {
        var ended = run.failure(c).begun(shard.leasedAt());
        var attemptFailure = ExitCodeRule.named(retries.exitCodes(), ended);
        edit.count(attemptFailure, retries);
        yield edit.evidence(shard.evidence(), List.of(attemptFailure))
            .endLease(now, retries)
            .build();
      }
      default ->
          throw new IllegalArgumentException(
              "run %d of %s is in %s; its lease continues"
                  .formatted(run.number(), run.lease(), run.phase()));
    };
  }

  /**
   * Stores the progress of a lease that continues. The epoch stays; no attempt is counted yet.
   *
   * @param rules what exit codes mean to its job
   */
  public static Shard checkpoint(
      Shard shard, SyncReport.Lease report, List<ExitCodeRule> rules, Instant now) {
    return new ShardBuilder(shard)
        .done(report.done())
        .evidence(shard.evidence(), clipped(shard, report.failed(), rules))
        .times(shard.leasedAt(), now, Math.max(shard.start(), report.cursor()), shard.splitAt())
        .build();
  }

  /**
   * Ends the lease as its holder reports it: failures are counted, and the rest may be leased
   * again.
   */
  public static Shard release(
      Shard shard, SyncReport.Lease report, RetryRules retries, Instant now) {
    var edit = new ShardBuilder(shard).done(report.done());
    var failed = clipped(shard, report.failed(), retries.exitCodes());
    for (var attemptFailure : failed) edit.count(attemptFailure, retries);
    return edit.evidence(shard.evidence(), failed).endLease(now, retries).build();
  }

  /**
   * A worker that ends its lease without a report.
   *
   * @param reason why it was given up, for people; evidence keeps the first 200 characters
   */
  public record LostHolder(String worker, FailureCause cause, String reason) {}

  /**
   * Ends the lease of a lost or gone worker. Failures that it reported are counted.
   *
   * @param running the tasks believed to be running: each is charged one attempt, with evidence
   */
  public static Shard lose(
      Shard shard, List<Long> running, LostHolder lostHolder, RetryRules retries, Instant now) {
    return lose(
        shard, shard.lease(), new ChargedTasks(running, Map.of()), lostHolder, retries, now);
  }

  /**
   * The same of a shard that is a part of what its holder's agent knows.
   *
   * @param known the lease that names the attempts
   * @param running each is charged one attempt, with evidence
   */
  public static Shard lose(
      Shard shard,
      LeaseRef known,
      ChargedTasks running,
      LostHolder lostHolder,
      RetryRules retries,
      Instant now) {
    var edit = new ShardBuilder(shard);
    var attempt = known.attempt();
    var reported = new HashSet<Long>();
    for (var attemptFailure : shard.evidence())
      if (attemptFailure.attempt().equals(attempt)
          && shard.has(attemptFailure.index())
          && reported.add(attemptFailure.index())) edit.count(attemptFailure, retries);
    var charged = new ArrayList<AttemptFailure>();
    for (var index : running.tasks())
      if (shard.has(index) && !reported.contains(index) && !shard.failed().has(index)) {
        var lost = running.known(attemptFailure(index, attempt, lostHolder, now));
        edit.count(lost, retries);
        if (!shard.done().has(index)) charged.add(lost);
      }
    return edit.evidence(shard.evidence(), charged).endLease(now, retries).build();
  }

  private static AttemptFailure attemptFailure(
      long index, String attempt, LostHolder lostHolder, Instant now) {
    var evidence = AttemptFailure.fit(lostHolder.reason());
    return new AttemptFailure(
        index,
        attempt,
        lostHolder.cause(),
        AttemptFailure.NO_PROCESS,
        evidence,
        lostHolder.worker(),
        now);
  }

  /**
   * Reopens a shard of an ended job: tasks that failed for good may run again, and so may {@code
   * undone}.
   */
  public static Shard reopen(Shard shard, TaskSet undone, Instant now) {
    var done =
        TaskSet.where(shard.start(), shard.end(), i -> shard.done().has(i) && !undone.has(i));
    return new ShardBuilder(shard).reset(done).endLease(now).build();
  }

  /**
   * Reopens a shard of an ended job for some of its tasks. Its other tasks that never ended count
   * as stopped, so that none of them runs.
   *
   * @param undone tasks that may run again although their done bits are set
   * @param published when the user's command was published
   */
  public static Shard reopenOnly(
      Shard shard, TaskSet tasks, TaskSet undone, Instant published, Instant now) {
    var others =
        TaskSet.where(
            shard.start(),
            shard.end(),
            i -> !tasks.has(i) && !shard.done().has(i) && !shard.failed().has(i));
    var log = shard.commandLog().applied(tasks, published);
    return new ShardBuilder(shard)
        .undone(undone)
        .newBudget(tasks)
        .failed(shard.failed().without(tasks).or(others))
        .commands(log.with(shard.stopped().without(tasks).or(others), TaskSet.none(shard.start())))
        .endLease(now)
        .build();
  }

  /**
   * Stops tasks by a user's command, unless a newer one is known. Those that ended are unchanged;
   * of a leased shard its holder is to end those that run.
   *
   * @param tasks of this shard
   */
  public static Shard stopTasks(Shard shard, TaskSet tasks, Instant published) {
    var meant = newlyCommanded(shard, tasks, published);
    if (meant.isEmpty()) return shard;
    var stopped = meant.without(shard.done()).without(shard.failed());
    var log = shard.commandLog().applied(meant, published);
    var recalled =
        shard.state() == Shard.State.LEASED ? log.recalled().or(stopped) : log.recalled();
    var next =
        new ShardBuilder(shard)
            .failed(shard.failed().or(stopped))
            .commands(log.with(log.stopped().or(stopped), recalled).withoutAgain(meant))
            .build();
    return shard.isLeasable() ? endIfComplete(next) : next;
  }

  /**
   * Gives tasks that are not done a new budget by a user's command, unless a newer one is known:
   * those that failed for good or were stopped run again.
   *
   * @param tasks of this shard
   */
  public static Shard retryTasks(Shard shard, TaskSet tasks, Instant published) {
    var meant = newlyCommanded(shard, tasks, published);
    if (meant.isEmpty()) return shard;
    var log = shard.commandLog().applied(meant, published);
    var leased = shard.state() == Shard.State.LEASED;
    var again = leased ? shard.again().or(meant.without(shard.done())) : shard.again();
    var next =
        new ShardBuilder(shard)
            .newBudget(meant)
            .commands(
                log.with(log.stopped().without(meant), log.recalled().without(meant))
                    .withAgain(again))
            .build();
    return shard.state() == Shard.State.ENDED && next.open() > 0
        ? new ShardBuilder(next).state(Shard.State.READY, Optional.empty(), next.epoch()).build()
        : next;
  }

  private static TaskSet newlyCommanded(Shard shard, TaskSet tasks, Instant published) {
    return TaskSet.where(
        shard.start(), shard.end(), i -> tasks.has(i) && shard.isNewCommand(i, published));
  }

  /**
   * Cuts off the tasks from {@code at} on, with what is known of their attempts.
   *
   * @return the remaining shard, and the child with the rest, which may be leased; after a cut of a
   *     SPENT shard, a part without any attempt is READY
   */
  public static Cut cut(Shard shard, long at, Instant now) {
    if (at <= shard.start() || at >= shard.end())
      throw new IllegalArgumentException(at + " is not within " + shard.key().path());
    var rest =
        new ShardBuilder(shard)
            .range(shard.start(), at)
            .evidence(i -> i < at || i >= shard.end())
            .split(now)
            .build();
    var child =
        new ShardBuilder(
                Shard.of(
                    new DocumentKey.OfShard(shard.cluster(), shard.job(), at),
                    shard.end(),
                    TaskSet.none(at)))
            .inherit(shard, at, shard.end())
            .evidence(shard.evidence(), shard.evidence())
            .evidence(i -> i >= at && i < shard.end())
            .build();
    var spent = shard.state() == Shard.State.SPENT;
    if (spent)
      return new Cut(endIfComplete(readyOrSpent(rest)), endIfComplete(readyOrSpent(child)));
    return new Cut(shard.isLeasable() ? endIfComplete(rest) : rest, endIfComplete(child));
  }

  /** The two parts of a shard after a cut. */
  public record Cut(Shard rest, Shard child) {}

  private static Shard readyOrSpent(Shard shard) {
    var state = shard.isSpent(1) ? Shard.State.SPENT : Shard.State.READY;
    return new ShardBuilder(shard).state(state, Optional.empty(), shard.epoch()).build();
  }

  private static Shard endIfComplete(Shard shard) {
    return shard.open() == 0
        ? new ShardBuilder(shard).state(Shard.State.ENDED, Optional.empty(), shard.epoch()).build()
        : shard;
  }

  /** Drops failures outside the range that the lease still has, and those of done tasks. */
  private static List<AttemptFailure> clipped(
      Shard shard, List<AttemptFailure> attemptFailures, List<ExitCodeRule> rules) {
    return attemptFailures.stream()
        .filter(f -> shard.has(f.index()) && !shard.done().has(f.index()))
        .map(f -> ExitCodeRule.named(rules, f))
        .toList();
  }
}
