package dev.mayfly.core.model.document;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskCounts;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.gang.GangAttempt;
import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.job.TaskAttempts;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskTotals;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code …/shards/{start}}: a contiguous range of a job's tasks, stored, leased and reported as
 * one.
 *
 * <p>{@code dev.mayfly.core.lifecycle.ShardTransitions} has every change of it, and {@code
 * ShardParting} beside it those for a retried task. The ranges of a job's shards are always
 * disjoint, and their union is [0, n).
 *
 * @param start the first index, and the shard's permanent name
 * @param end the index after the last; only lowered, by a split, a steal or a parting
 * @param epoch raised only by grants, returns and partings
 * @param owner the worker that holds it
 * @param done tasks with a sentinel, as far as the ledger knows
 * @param failed tasks that failed for good, and those that a user stopped
 * @param failures attempts of each task that failed by the user's fault
 * @param infrastructure attempts of each task that failed by the infrastructure's
 * @param attempts ended attempts by cause
 * @param evidence of the newest failures, 50 at most
 * @param leasedAt when it was last granted
 * @param checkpointAt when the done bits were last written
 * @param cursor at that checkpoint: no task from here on had started
 * @param splitAt when its end was last lowered by a split or a steal
 * @param gang the run of its lease, if several hosts run its one task together; its owner is then
 *     the worker of rank 0
 * @param commands what users commanded of single tasks; absent without any
 * @param item its only task, of an open job
 * @param interruptions attempts of each task that Mayfly ended by its own plan, and of which no
 *     checkpoint was stored
 * @param gangDone the attempt that was done last, if several workers ran it; absent in shards of
 *     older versions
 */
public record Shard(
    String cluster,
    String job,
    long start,
    long end,
    long epoch,
    State state,
    Optional<Owner> owner,
    TaskSet done,
    TaskSet failed,
    TaskCounts failures,
    TaskCounts infrastructure,
    Map<FailureCause, Long> attempts,
    List<AttemptFailure> evidence,
    Instant leasedAt,
    Instant checkpointAt,
    long cursor,
    Instant splitAt,
    Optional<GangRun> gang,
    Optional<TaskCommandLog> commands,
    Optional<TaskItem> item,
    TaskCounts interruptions,
    Optional<GangAttempt> gangDone)
    implements LedgerDocument {
  public Shard {
    attempts = Map.copyOf(attempts);
    evidence = List.copyOf(evidence);
    if (start < 0 || end < start) throw new IllegalArgumentException("range " + start + ".." + end);
  }

  /**
   * READY to be leased; SPENT: the same, but not for spot machines; LEASED; or ENDED: every task is
   * done or failed for good.
   */
  public enum State {
    READY,
    SPENT,
    LEASED,
    ENDED
  }

  /** The worker that holds it, with that worker's epoch. */
  public record Owner(String worker, long workerEpoch) {}

  public static Shard of(DocumentKey.OfShard key, long end, TaskSet done) {
    return new Shard(
        key.cluster(),
        key.job(),
        key.start(),
        end,
        0,
        done.count() == end - key.start() ? State.ENDED : State.READY,
        Optional.empty(),
        done,
        TaskSet.none(key.start()),
        TaskCounts.none(key.start()),
        TaskCounts.none(key.start()),
        Map.of(),
        List.of(),
        Instant.EPOCH,
        Instant.EPOCH,
        key.start(),
        Instant.EPOCH,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        TaskCounts.none(key.start()),
        Optional.empty());
  }

  /** The shard of a task of an open job. */
  public static Shard of(DocumentKey.OfShard key, TaskItem item, TaskSet done) {
    return of(key, key.start() + 1, done).withItem(item);
  }

  private Shard withItem(TaskItem one) {
    return new Shard(
        cluster,
        job,
        start,
        end,
        epoch,
        state,
        owner,
        done,
        failed,
        failures,
        infrastructure,
        attempts,
        evidence,
        leasedAt,
        checkpointAt,
        cursor,
        splitAt,
        gang,
        commands,
        Optional.of(one),
        interruptions,
        gangDone);
  }

  /** Its current or last lease. */
  public LeaseRef lease() {
    return new LeaseRef(job, start, epoch);
  }

  /** The totals with its tasks. */
  public TaskTotals addedTo(TaskTotals totals) {
    return new TaskTotals(
        totals.done() + done.count(),
        totals.failed() + failedAlone(),
        totals.ready() + (isLeasable() ? open() : 0),
        totals.leased() + (state == State.LEASED ? open() : 0),
        totals.shards() + 1);
  }

  @Override
  public DocumentKey.OfShard key() {
    return new DocumentKey.OfShard(cluster, job, start);
  }

  public long size() {
    return end - start;
  }

  /** Whether it may be leased, even if only by some machines. */
  public boolean isLeasable() {
    return state == State.READY || state == State.SPENT;
  }

  /** Whether one of its open tasks has had this many infrastructure failures. */
  public boolean isSpent(int attempts) {
    if (attempts == 0 || infrastructure.isEmpty()) return false;
    for (var i = done.nextClear(start, end); i < end; i = done.nextClear(i + 1, end))
      if (!failed.has(i) && infrastructure.at(i) >= attempts) return true;
    return false;
  }

  /** Tasks that are neither done nor failed for good. */
  public long open() {
    return size() - done.count() - failed.count();
  }

  /** Tasks that a user stopped. */
  public TaskSet stopped() {
    return commands.map(TaskCommandLog::stopped).orElseGet(() -> TaskSet.none(start));
  }

  /** Stopped tasks that the lease's holder is to end. */
  public TaskSet recalled() {
    return commands.map(TaskCommandLog::recalled).orElseGet(() -> TaskSet.none(start));
  }

  /** Tasks that a user retried since it was leased. */
  public TaskSet again() {
    return commands.flatMap(TaskCommandLog::again).orElseGet(() -> TaskSet.none(start));
  }

  /** Tasks that failed for good by themselves. */
  public long failedAlone() {
    return (long) failed.count() - stopped().count();
  }

  /**
   * How often the task was started, before and after a user retried it. The budgets begin anew at a
   * retry and count a lease's failures at its end; the kept evidence has those too.
   *
   * @param last whether one more attempt runs or succeeded
   */
  public TaskAttempts attempts(long index, boolean last) {
    var known = known(index);
    var counted =
        known.entrySet().stream()
            .filter(e -> e.getKey() != FailureCause.Budget.NONE)
            .mapToLong(Map.Entry::getValue)
            .sum();
    var all = evidence.stream().filter(f -> f.index() == index).count();
    return TaskAttempts.of(
        Math.max(failures.at(index), known.getOrDefault(FailureCause.Budget.FAILURES, 0L)),
        Math.max(
            infrastructure.at(index), known.getOrDefault(FailureCause.Budget.INFRASTRUCTURE, 0L)),
        Math.max(interruptions.at(index), known.getOrDefault(FailureCause.Budget.PLATFORM, 0L)),
        all - counted + (last ? 1 : 0));
  }

  /** The workers of a gang's attempt that is over; empty of others, and where they are not kept. */
  public Optional<List<String>> workers(String attempt) {
    return gangDone
        .filter(it -> it.attempt().equals(attempt))
        .map(GangAttempt::workers)
        .or(() ->
            evidence.stream()
                .filter(it -> it.attempt().equals(attempt))
                .findFirst()
                .flatMap(AttemptFailure::workers));
  }

  /** The kept attempts of the task by the budget that each counts in. */
  private Map<FailureCause.Budget, Long> known(long index) {
    var known = new EnumMap<FailureCause.Budget, Long>(FailureCause.Budget.class);
    for (var f : evidence)
      if (f.index() == index && !f.isUncounted()) known.merge(f.cause().budget(), 1L, Long::sum);
    return known;
  }

  /** Whether a command about the task that was published then is newer than those applied. */
  public boolean isNewCommand(long index, Instant published) {
    return commands.map(log -> log.isNew(index, published)).orElse(true);
  }

  /** Whether that command is the newest one applied to the task. */
  public boolean isNewestCommand(long index, Instant published) {
    return commands.filter(log -> log.isNewest(index, published)).isPresent();
  }

  /** Its commands, to which one is to be added. */
  public TaskCommandLog commandLog() {
    return commands.orElseGet(() -> TaskCommandLog.none(start));
  }

  public boolean has(long index) {
    return index >= start && index < end;
  }

  public static Map<FailureCause, Long> add(
      Map<FailureCause, Long> some, FailureCause failureCause, long n) {
    var sum = new EnumMap<FailureCause, Long>(FailureCause.class);
    sum.putAll(some);
    sum.merge(failureCause, n, Long::sum);
    return sum;
  }
}
