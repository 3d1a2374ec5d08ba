package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.TaskCounts;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.job.JobSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
  private Map<FailureCause, Long> attempts;
  private List<AttemptFailure> evidence;
  private Instant leasedAt;
  private Instant checkpointAt;
  private long cursor;
  private Instant splitAt;
  private Optional<GangRun> gang;

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
    attempts = was.attempts();
    evidence = was.evidence();
    leasedAt = was.leasedAt();
    checkpointAt = was.checkpointAt();
    cursor = was.cursor();
    splitAt = was.splitAt();
    gang = was.gang();
  }

  ShardBuilder gang(GangRun run) {
    gang = Optional.of(run);
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
    return this;
  }

  ShardBuilder reset(TaskSet stillDone) {
    done = stillDone;
    failed = TaskSet.none(was.start());
    failures = TaskCounts.none(was.start());
    infrastructure = TaskCounts.none(was.start());
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
    return this;
  }

  ShardBuilder inherit(Shard parent, long from, long to) {
    done = parent.done().within(from, to);
    failed = parent.failed().within(from, to);
    failures = parent.failures().within(from, to);
    infrastructure = parent.infrastructure().within(from, to);
    return this;
  }

  void count(long index, FailureCause failureCause, JobSpec.Retries retries) {
    if (done.has(index)) return;
    attempts = Shard.add(attempts, failureCause, 1);
    switch (failureCause.budget()) {
      case FAILURES -> failures = failures.plusOne(index);
      case INFRASTRUCTURE -> infrastructure = infrastructure.plusOne(index);
      case NONE -> {
        return;
      }
    }
    if (failures.at(index) >= retries.failures()
        || infrastructure.at(index) >= retries.infrastructure()) failed = failed.with(index);
  }

  ShardBuilder evidence(List<AttemptFailure> old, List<AttemptFailure> more) {
    if (more.isEmpty()) return this;
    var all = new ArrayList<>(old);
    for (var f : more)
      if (all.stream().noneMatch(o -> o.index() == f.index() && o.attempt().equals(f.attempt())))
        all.add(f);
    evidence = all.subList(Math.max(0, all.size() - ShardTransitions.EVIDENCE), all.size());
    return this;
  }

  ShardBuilder ended(Instant now, JobSpec.Retries retries) {
    ended(now);
    if (state == Shard.State.READY && build().spent(retries.onDemand().preemptions()))
      state = Shard.State.SPENT;
    return this;
  }

  ShardBuilder ended(Instant now) {
    var open = end - was.start() - done.count() - failed.count();
    state = open == 0 ? Shard.State.ENDED : Shard.State.READY;
    owner = Optional.empty();
    epoch = was.epoch() + 1;
    checkpointAt = now;
    cursor = was.start();
    gang = Optional.empty();
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
        gang);
  }
}
