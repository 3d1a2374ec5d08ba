package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.TaskCounts;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.TaskCommandLog;
import dev.mayfly.core.model.gang.GangAttempt;
import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.job.ExitCodeRule;
import dev.mayfly.core.model.job.RetryRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;

/** Builds a changed shard from its predecessor. */
final class ShardBuilder {
  private final Shard was;
  private long end;
  private long epoch;
  private Shard.State state;
  private Optional<Shard.Owner> owner;
  private TaskSet done;
  private TaskSet failed;
  private TaskCounts failures;
  private TaskCounts infrastructure;
  private TaskCounts interruptions;
  private Map<FailureCause, Long> attempts;
  private List<AttemptFailure> evidence;
  private Instant leasedAt;
  private Instant checkpointAt;
  private long cursor;
  private Instant splitAt;
  private Optional<GangRun> gang;
  private Optional<TaskCommandLog> commands;
  private Optional<GangAttempt> gangDone;

  ShardBuilder(Shard was) {
    this.was = was;
    end = was.end();
    epoch = was.epoch();
    state = was.state();
    owner = was.owner();
    done = was.done();
    failed = was.failed();
    failures = was.failures();
    infrastructure = was.infrastructure();
    interruptions = was.interruptions();
    attempts = was.attempts();
    evidence = was.evidence();
    leasedAt = was.leasedAt();
    checkpointAt = was.checkpointAt();
    cursor = was.cursor();
    splitAt = was.splitAt();
    gang = was.gang();
    commands = was.commands();
    gangDone = was.gangDone();
  }

  ShardBuilder gang(GangRun run) {
    gang = Optional.of(run);
    return this;
  }

  /** The gang's attempt has a result; of one worker its sentinel says which. */
  ShardBuilder gangDone(GangRun run) {
    gangDone =
        Optional.of(new GangAttempt(run.lease().attempt(), run.workers()))
            .filter(it -> it.workers().size() > 1);
    return this;
  }

  ShardBuilder state(Shard.State next, Optional<Shard.Owner> who, long raised) {
    state = next;
    owner = who;
    epoch = raised;
    return this;
  }

  ShardBuilder done(TaskSet more) {
    done = done.or(more.within(was.start(), end));
    // A task with a sentinel is done, even if it was counted as failed before.
    var settled = done;
    failed = TaskSet.where(was.start(), end, i -> failed.has(i) && !settled.has(i));
    commands =
        commands.map(log ->
            log.with(log.stopped().without(settled), log.recalled().without(settled))
                .withoutAgain(settled));
    return this;
  }

  /** A user's command about tasks. */
  ShardBuilder commands(TaskCommandLog log) {
    commands = Optional.of(log);
    return this;
  }

  ShardBuilder failed(TaskSet settled) {
    failed = settled;
    return this;
  }

  /** The tasks have as many attempts as at the beginning. */
  ShardBuilder newBudget(TaskSet tasks) {
    failed = failed.without(tasks);
    failures = failures.without(tasks);
    infrastructure = infrastructure.without(tasks);
    interruptions = interruptions.without(tasks);
    return this;
  }

  ShardBuilder undone(TaskSet tasks) {
    done = done.without(tasks);
    return this;
  }

  ShardBuilder reset(TaskSet stillDone) {
    done = stillDone;
    failed = TaskSet.none(was.start());
    failures = TaskCounts.none(was.start());
    infrastructure = TaskCounts.none(was.start());
    interruptions = TaskCounts.none(was.start());
    commands = commands.map(log -> log.with(TaskSet.none(was.start()), TaskSet.none(was.start())));
    return this;
  }

  ShardBuilder times(Instant leased, Instant checkpoint, long from, Instant split) {
    leasedAt = leased;
    checkpointAt = checkpoint;
    cursor = from;
    splitAt = split;
    return this;
  }

  ShardBuilder split(Instant now) {
    splitAt = now;
    return this;
  }

  ShardBuilder range(long from, long to) {
    end = to;
    done = done.within(from, to);
    failed = failed.within(from, to);
    failures = failures.within(from, to);
    infrastructure = infrastructure.within(from, to);
    interruptions = interruptions.within(from, to);
    commands = commands.map(log -> log.within(from, to));
    return this;
  }

  ShardBuilder inherit(Shard parent, long from, long to) {
    done = parent.done().within(from, to);
    failed = parent.failed().within(from, to);
    failures = parent.failures().within(from, to);
    infrastructure = parent.infrastructure().within(from, to);
    interruptions = parent.interruptions().within(from, to);
    commands =
        parent
            .commands()
            .map(log -> log.within(from, to))
            .map(log -> log.with(log.stopped(), TaskSet.none(from)).withAgain(TaskSet.none(from)));
    return this;
  }

  /** A part of a lease goes on as it was, as a shard of its own. */
  ShardBuilder holdAs(Shard parent, long from, long to) {
    inherit(parent, from, to);
    commands = parent.commands().map(log -> log.within(from, to));
    leasedAt = parent.leasedAt();
    checkpointAt = parent.checkpointAt();
    splitAt = parent.splitAt();
    state = parent.state();
    owner = parent.owner();
    return this;
  }

  /** Only the evidence of these tasks. */
  ShardBuilder evidence(LongPredicate tasks) {
    evidence = evidence.stream().filter(f -> tasks.test(f.index())).toList();
    return this;
  }

  /** Counts an attempt that ended without a result, by the job's rules for its exit code. */
  void count(AttemptFailure reported, RetryRules retries) {
    var index = reported.index();
    if (done.has(index)) return;
    var rule = ExitCodeRule.action(retries.exitCodes(), reported);
    var attemptFailure = ExitCodeRule.named(retries.exitCodes(), reported);
    attempts = Shard.add(attempts, attemptFailure.cause(), 1);
    if (attemptFailure.isUncounted()) return;
    switch (attemptFailure.cause().budget()) {
      case FAILURES -> failures = failures.plusOne(index);
      case INFRASTRUCTURE -> infrastructure = infrastructure.plusOne(index);
      case PLATFORM -> interruptions = interruptions.plusOne(index);
      case NONE -> {
        return;
      }
    }
    if (rule == ExitCodeRule.Action.NEVER
        || attemptFailure.isLasting()
        || failures.at(index) >= retries.failures()
        || infrastructure.at(index) >= retries.infrastructure()
        || interruptions.at(index) >= retries.interruptions(attemptFailure.cause()))
      failed = failed.with(index);
  }

  ShardBuilder evidence(List<AttemptFailure> old, List<AttemptFailure> more) {
    if (more.isEmpty()) return this;
    var all = new ArrayList<>(old);
    for (var f : more)
      if (all.stream().noneMatch(o -> o.index() == f.index() && o.attempt().equals(f.attempt())))
        all.add(f);
    evidence = withFewWorkers(newest(all));
    return this;
  }

  /** The newest keep the workers of their gangs: 50 attempts of 390 are too much for a document. */
  private static List<AttemptFailure> withFewWorkers(List<AttemptFailure> all) {
    var kept = new ArrayList<AttemptFailure>();
    var left = ShardTransitions.GANG_WORKERS;
    for (var f : all.reversed()) {
      left -= f.workers().map(List::size).orElse(0);
      kept.add(left < 0 ? f.withoutWorkers() : f);
    }
    return kept.reversed();
  }

  /**
   * The newest evidence. That of lost machines makes room first: one loss may charge more tasks
   * than fit, and must not displace what the user's own command said.
   */
  private static List<AttemptFailure> newest(List<AttemptFailure> all) {
    var kept = new ArrayList<AttemptFailure>();
    var excess = all.size() - ShardTransitions.EVIDENCE;
    for (var f : all)
      if (excess > 0 && f.cause().budget() == FailureCause.Budget.INFRASTRUCTURE) excess--;
      else kept.add(f);
    return kept.subList(Math.max(0, excess), kept.size());
  }

  /** The lease ends, and the rest is SPENT if one of its tasks has no attempt on spot left. */
  ShardBuilder endLease(Instant now, RetryRules retries) {
    endLease(now);
    if (state == Shard.State.READY && build().isSpent(retries.onDemand().preemptions()))
      state = Shard.State.SPENT;
    return this;
  }

  /**
   * The lease ends: the shard is READY again, or ENDED without an open task. What a user retried
   * meanwhile has a new budget: its attempt of this lease was begun before.
   */
  ShardBuilder endLease(Instant now) {
    commands.flatMap(TaskCommandLog::again).ifPresent(this::newBudget);
    var open = end - was.start() - done.count() - failed.count();
    state = open == 0 ? Shard.State.ENDED : Shard.State.READY;
    owner = Optional.empty();
    epoch = was.epoch() + 1;
    checkpointAt = now;
    cursor = was.start();
    gang = Optional.empty();
    var none = TaskSet.none(was.start());
    commands = commands.map(log -> log.with(log.stopped(), none).withAgain(none));
    return this;
  }

  Shard build() {
    return new Shard(
        was.cluster(),
        was.job(),
        was.start(),
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
        was.item(),
        interruptions,
        gangDone);
  }
}
