package dev.mayfly.core.lease;

import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Counts;
import dev.mayfly.core.model.Failure;
import dev.mayfly.core.model.GangRun;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Shard;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Collects the fields that change; a shard has many that do not. */
final class ShardEdit {
  private final Shard was;
  private long end;
  private long epoch;
  private Shard.State state;
  private Optional<Shard.Owner> owner;
  private Bits done;
  private Bits failed;
  private Counts failures;
  private Counts infrastructure;
  private Map<Cause, Long> attempts;
  private List<Failure> evidence;
  private Instant leasedAt;
  private Instant checkpointAt;
  private long cursor;
  private Instant splitAt;
  private Optional<GangRun> gang;

  ShardEdit(Shard was) {
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

  ShardEdit gang(GangRun run) {
    gang = Optional.of(run);
    return this;
  }

  ShardEdit state(Shard.State next, Optional<Shard.Owner> who, long raised) {
    state = next;
    owner = who;
    epoch = raised;
    return this;
  }

  ShardEdit done(Bits more) {
    done = done.or(more.within(was.start(), end));
    // A task that has a sentinel is done, whatever was thought of it before.
    var settled = done;
    failed = Bits.where(was.start(), end, i -> failed.has(i) && !settled.has(i));
    return this;
  }

  ShardEdit afresh(Bits stillDone) {
    done = stillDone;
    failed = Bits.none(was.start());
    failures = Counts.none(was.start());
    infrastructure = Counts.none(was.start());
    return this;
  }

  ShardEdit times(Instant leased, Instant checkpoint, long from, Instant split) {
    leasedAt = leased;
    checkpointAt = checkpoint;
    cursor = from;
    splitAt = split;
    return this;
  }

  ShardEdit split(Instant now) {
    splitAt = now;
    return this;
  }

  ShardEdit range(long from, long to) {
    end = to;
    done = done.within(from, to);
    failed = failed.within(from, to);
    failures = failures.within(from, to);
    infrastructure = infrastructure.within(from, to);
    return this;
  }

  ShardEdit inherit(Shard parent, long from, long to) {
    done = parent.done().within(from, to);
    failed = parent.failed().within(from, to);
    failures = parent.failures().within(from, to);
    infrastructure = parent.infrastructure().within(from, to);
    return this;
  }

  void count(long index, Cause cause, JobSpec.Retries retries) {
    if (done.has(index)) return;
    attempts = Shard.add(attempts, cause, 1);
    switch (cause.budget()) {
      case FAILURES -> failures = failures.plusOne(index);
      case INFRASTRUCTURE -> infrastructure = infrastructure.plusOne(index);
      case NONE -> {
        return;
      }
    }
    if (failures.at(index) >= retries.failures()
        || infrastructure.at(index) >= retries.infrastructure()) failed = failed.with(index);
  }

  ShardEdit evidence(List<Failure> old, List<Failure> more) {
    if (more.isEmpty()) return this;
    var all = new ArrayList<>(old);
    for (var f : more)
      if (all.stream().noneMatch(o -> o.index() == f.index() && o.attempt().equals(f.attempt())))
        all.add(f);
    evidence = all.subList(Math.max(0, all.size() - Shards.EVIDENCE), all.size());
    return this;
  }

  ShardEdit ended(Instant now, JobSpec.Retries retries) {
    ended(now);
    if (state == Shard.State.READY && build().spent(retries.onDemand().preemptions()))
      state = Shard.State.SPENT;
    return this;
  }

  ShardEdit ended(Instant now) {
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
