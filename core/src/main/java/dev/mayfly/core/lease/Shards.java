package dev.mayfly.core.lease;

import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Counts;
import dev.mayfly.core.model.Failure;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.SyncReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every change of a shard.
 *
 * <p><b>Must:</b> only a grant and a return raise the epoch; only a split and a steal lower the
 * end, and what they cut off becomes the child at once, so that a job's ranges stay disjoint and
 * whole; a done bit is cleared by {@link #again} alone, for a job that has ended.
 */
public final class Shards {
  /** Failures whose evidence is kept in a shard's document. */
  static final int EVIDENCE = 50;

  private Shards() {}

  /** The lease begins: a new epoch, and nothing begun yet. */
  public static Shard grant(Shard shard, Shard.Owner owner, Instant now) {
    if (shard.state() != Shard.State.READY)
      throw new IllegalArgumentException(shard.key().path() + " is " + shard.state());
    return new Edit(shard)
        .state(Shard.State.LEASED, Optional.of(owner), shard.epoch() + 1)
        .times(now, now, shard.start(), shard.splitAt())
        .build();
  }

  /** What a lease that goes on has done so far. The epoch stays; nothing is counted yet. */
  public static Shard checkpoint(Shard shard, SyncReport.Lease report, Instant now) {
    return new Edit(shard)
        .done(report.done())
        .evidence(shard.evidence(), clipped(shard, report.failed()))
        .times(shard.leasedAt(), now, Math.max(shard.start(), report.cursor()), shard.splitAt())
        .build();
  }

  /**
   * The lease ends as its holder reports it: what failed is counted, and the rest may be leased
   * again.
   */
  public static Shard release(
      Shard shard, SyncReport.Lease report, JobSpec.Retries retries, Instant now) {
    var edit = new Edit(shard).done(report.done());
    var failed = clipped(shard, report.failed());
    for (var failure : failed) edit.count(failure.index(), failure.cause(), retries);
    return edit.evidence(shard.evidence(), failed).ended(now).build();
  }

  /**
   * The lease ends without its holder: its machine is gone or given up. Failures that it told of
   * are counted.
   *
   * @param running the tasks that are thought to have been running: each is charged one attempt
   */
  public static Shard lose(
      Shard shard, List<Long> running, Cause cause, JobSpec.Retries retries, Instant now) {
    var edit = new Edit(shard);
    var attempt = new LeaseRef(shard.job(), shard.start(), shard.epoch()).attempt();
    var told = new HashSet<Long>();
    for (var failure : shard.evidence())
      if (failure.attempt().equals(attempt)
          && shard.has(failure.index())
          && told.add(failure.index())) edit.count(failure.index(), failure.cause(), retries);
    for (var index : running)
      if (shard.has(index) && !told.contains(index) && !shard.failed().has(index))
        edit.count(index, cause, retries);
    return edit.ended(now).build();
  }

  /**
   * Gives a shard of an ended job another chance: what failed for good may run again, and so may
   * {@code undone}.
   */
  public static Shard again(Shard shard, Bits undone, Instant now) {
    var done = Bits.where(shard.start(), shard.end(), i -> shard.done().has(i) && !undone.has(i));
    return new Edit(shard).afresh(done).ended(now).build();
  }

  /**
   * Cuts off the tasks from {@code at} on.
   *
   * @return the shard that remains, and the child that has the rest and is READY
   */
  public static Cut cut(Shard shard, long at, Instant now) {
    if (at <= shard.start() || at >= shard.end())
      throw new IllegalArgumentException(at + " is not within " + shard.key().path());
    var rest = new Edit(shard).range(shard.start(), at).split(now).build();
    var child =
        new Edit(
                Shard.of(
                    new Key.OfShard(shard.cluster(), shard.job(), at), shard.end(), Bits.none(at)))
            .inherit(shard, at, shard.end())
            .build();
    return new Cut(shard.state() == Shard.State.READY ? ended(rest) : rest, ended(child));
  }

  /** A shard that was cut in two. */
  public record Cut(Shard rest, Shard child) {}

  private static Shard ended(Shard shard) {
    return shard.open() == 0
        ? new Edit(shard).state(Shard.State.ENDED, Optional.empty(), shard.epoch()).build()
        : shard;
  }

  /** Reports are clipped to the range that the lease still has. */
  private static List<Failure> clipped(Shard shard, List<Failure> failures) {
    return failures.stream()
        .filter(f -> shard.has(f.index()) && !shard.done().has(f.index()))
        .toList();
  }

  /** Collects the fields that change; a shard has many that do not. */
  private static final class Edit {
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

    Edit(Shard was) {
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
    }

    Edit state(Shard.State next, Optional<Shard.Owner> who, long raised) {
      state = next;
      owner = who;
      epoch = raised;
      return this;
    }

    Edit done(Bits more) {
      done = done.or(more.within(was.start(), end));
      // A task that has a sentinel is done, whatever was thought of it before.
      var settled = done;
      failed = Bits.where(was.start(), end, i -> failed.has(i) && !settled.has(i));
      return this;
    }

    Edit afresh(Bits stillDone) {
      done = stillDone;
      failed = Bits.none(was.start());
      failures = Counts.none(was.start());
      infrastructure = Counts.none(was.start());
      return this;
    }

    Edit times(Instant leased, Instant checkpoint, long from, Instant split) {
      leasedAt = leased;
      checkpointAt = checkpoint;
      cursor = from;
      splitAt = split;
      return this;
    }

    Edit split(Instant now) {
      splitAt = now;
      return this;
    }

    Edit range(long from, long to) {
      end = to;
      done = done.within(from, to);
      failed = failed.within(from, to);
      failures = failures.within(from, to);
      infrastructure = infrastructure.within(from, to);
      return this;
    }

    Edit inherit(Shard parent, long from, long to) {
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

    Edit evidence(List<Failure> old, List<Failure> more) {
      if (more.isEmpty()) return this;
      var all = new ArrayList<>(old);
      for (var f : more)
        if (all.stream().noneMatch(o -> o.index() == f.index() && o.attempt().equals(f.attempt())))
          all.add(f);
      evidence = all.subList(Math.max(0, all.size() - EVIDENCE), all.size());
      return this;
    }

    Edit ended(Instant now) {
      var open = end - was.start() - done.count() - failed.count();
      state = open == 0 ? Shard.State.ENDED : Shard.State.READY;
      owner = Optional.empty();
      epoch = was.epoch() + 1;
      checkpointAt = now;
      cursor = was.start();
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
          splitAt);
    }
  }
}
