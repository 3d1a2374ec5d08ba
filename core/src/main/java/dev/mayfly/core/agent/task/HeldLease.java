package dev.mayfly.core.agent.task;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.gang.GangOrder;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One lease as the agent has it. Sets of tasks are bits, so that ten thousand tasks are a few
 * kilobytes.
 */
public final class HeldLease {
  public final LeaseRef ref;
  public final TreeMap<Long, TaskRun> runs = new TreeMap<>();
  private final BitSet closed = new BitSet();
  private final BitSet done = new BitSet();
  private final List<AttemptFailure> failed = new ArrayList<>();
  private String jobHash;
  private Optional<JobInfo> sheet = Optional.empty();
  private long end;
  private long cursor;
  private long left;
  private boolean open;
  private boolean ending;
  private boolean gone;
  private boolean told;
  private Optional<LocalGangState> gang = Optional.empty();

  /** The lease of one task that this host runs together with others. */
  public HeldLease(GangOrder order) {
    this(
        new SyncOrders.Lease(
            order.lease(),
            order.lease().start() + 1,
            TaskSet.none(order.lease().start()),
            "",
            false));
    gang = Optional.of(new LocalGangState(order));
  }

  public HeldLease(SyncOrders.Lease order) {
    ref = order.ref();
    jobHash = order.jobHash();
    end = order.end();
    cursor = ref.start();
    order.skip().indexes().filter(i -> i >= ref.start()).forEach(i -> closed.set(offset(i)));
    count();
  }

  private int offset(long index) {
    return Math.toIntExact(index - ref.start());
  }

  /**
   * After a change of the range or of what need not run: moves the cursor past it and counts anew.
   */
  private void count() {
    cursor = Math.min(end, ref.start() + closed.nextClearBit(offset(cursor)));
    left = end - cursor - closed.get(offset(cursor), offset(end)).cardinality();
  }

  /** The sheet that its next task starts with; an older one until the newest is known. */
  public Optional<JobInfo> jobInfo() {
    return sheet;
  }

  /** The job's priority; the lowest without the job's sheet. */
  public int priority() {
    return sheet.map(s -> s.spec().priority()).orElse(Integer.MIN_VALUE);
  }

  /** The job's owner; empty without an owner or without the job's sheet. */
  public String owner() {
    return sheet.flatMap(s -> s.spec().owner()).orElse("");
  }

  public void jobInfo(JobInfo known) {
    sheet = Optional.of(known);
  }

  public String jobHash() {
    return jobHash;
  }

  /** The job's sheet is another one now. What runs goes on as it began. */
  public void updateJobHash(String hash) {
    // Without the job at hand the control plane names none: the last one stands.
    if (!hash.isEmpty()) jobHash = hash;
  }

  public long end() {
    return end;
  }

  /** The range may only become shorter. */
  public void lower(long newEnd) {
    if (newEnd >= end) return;
    end = Math.max(newEnd, ref.start());
    cursor = Math.min(cursor, end);
    count();
  }

  /** Tasks that have not begun and still may. */
  public long unstarted() {
    return ending ? 0 : left;
  }

  /** Whether it has not begun and still may. */
  public boolean mayBegin(long index) {
    return index >= cursor && index < end && !skips(index);
  }

  public boolean skips(long index) {
    return closed.get(offset(index));
  }

  /** What lies at the outputs is known: from now on tasks may start. */
  public void surveyed(TaskSet found) {
    found.indexes().filter(i -> i >= ref.start() && i < end).forEach(i -> done.set(offset(i)));
    closed.or(done);
    count();
    open = true;
  }

  public boolean surveyed() {
    return open;
  }

  public boolean mayStart() {
    return gang.isEmpty() && open && !ending && left > 0;
  }

  /** The next task in the order of indexes; it has begun with this. */
  public long next() {
    var index = cursor;
    cursor = Math.min(end, ref.start() + closed.nextClearBit(offset(index + 1)));
    left--;
    return index;
  }

  void done(long index) {
    if (index < end) done.set(offset(index));
  }

  /** An attempt ended without a result, or cannot be made. */
  public void failed(AttemptFailure attemptFailure) {
    failed.add(attemptFailure);
    // Each report repeats them all until the lease is given back.
    if (failed.size() >= SyncReport.FAILURES_OF_LEASE) ending = true;
    if (attemptFailure.index() < cursor) return;
    closed.set(offset(attemptFailure.index()));
    count();
  }

  /** Nothing of it starts any more. */
  public void end(boolean forgetIt) {
    ending = true;
    gone |= forgetIt;
  }

  public boolean ending() {
    return ending;
  }

  public Optional<LocalGangState> gang() {
    return gang;
  }

  /** Of the lease of a gang, which has one task. */
  public Optional<TaskRun> onlyRun() {
    return Optional.ofNullable(runs.get(ref.start()));
  }

  public boolean isDone(long index) {
    return done.get(offset(index));
  }

  public int failures() {
    return failed.size();
  }

  /** The first attempt that ended without a result. */
  public Optional<AttemptFailure> failure() {
    return failed.stream().findFirst();
  }

  /** Orders do not name it any more: it is forgotten once nothing of it runs. */
  public boolean abandoned() {
    return gone;
  }

  /** Nothing of it runs, and nothing will. */
  public boolean released() {
    return runs.isEmpty() && (ending || left == 0);
  }

  /** True once: when its release has become news. */
  public boolean newlyReleased() {
    if (told || !released()) return false;
    told = true;
    return true;
  }

  /**
   * @param all whether its failures are told now; without them it is not over yet
   */
  public SyncReport.Lease report(boolean all) {
    return new SyncReport.Lease(
        ref,
        end,
        TaskSet.of(ref.start(), done.get(0, offset(end)).toByteArray()),
        all ? failed.stream().filter(f -> f.index() < end).toList() : List.of(),
        runs.keySet().stream().filter(i -> i < end).toList(),
        cursor,
        all && released());
  }
}
