package dev.mayfly.core.agent;

import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Failure;
import dev.mayfly.core.model.GangOrder;
import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One lease as the agent has it. Sets of tasks are bits, so that ten thousand tasks are a few
 * kilobytes.
 */
final class HeldLease {
  final LeaseRef ref;
  final TreeMap<Long, TaskRun> runs = new TreeMap<>();
  private final BitSet closed = new BitSet();
  private final BitSet done = new BitSet();
  private final List<Failure> failed = new ArrayList<>();
  private String jobHash;
  private Optional<JobSheet> sheet = Optional.empty();
  private long end;
  private long cursor;
  private long left;
  private boolean open;
  private boolean ending;
  private boolean gone;
  private boolean told;
  private Optional<GangPart> gang = Optional.empty();

  /** The lease of one task that this host runs together with others. */
  HeldLease(GangOrder order) {
    this(
        new SyncOrders.Lease(
            order.lease(), order.lease().start() + 1, Bits.none(order.lease().start()), "", false));
    gang = Optional.of(new GangPart(order));
  }

  HeldLease(SyncOrders.Lease order) {
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
  Optional<JobSheet> sheet() {
    return sheet;
  }

  /** The job's priority; the lowest without the job's sheet. */
  int priority() {
    return sheet.map(s -> s.spec().priority()).orElse(Integer.MIN_VALUE);
  }

  /** The job's owner; empty without an owner or without the job's sheet. */
  String owner() {
    return sheet.flatMap(s -> s.spec().owner()).orElse("");
  }

  void sheet(JobSheet known) {
    sheet = Optional.of(known);
  }

  String jobHash() {
    return jobHash;
  }

  /** The job's sheet is another one now. What runs goes on as it began. */
  void follow(String hash) {
    // Without the job at hand the control plane names none: the last one stands.
    if (!hash.isEmpty()) jobHash = hash;
  }

  long end() {
    return end;
  }

  /** The range may only become shorter. */
  void lower(long newEnd) {
    if (newEnd >= end) return;
    end = Math.max(newEnd, ref.start());
    cursor = Math.min(cursor, end);
    count();
  }

  /** Tasks that have not begun and still may. */
  long left() {
    return ending ? 0 : left;
  }

  /** Whether it has not begun and still may. */
  boolean mayBegin(long index) {
    return index >= cursor && index < end && !skips(index);
  }

  boolean skips(long index) {
    return closed.get(offset(index));
  }

  /** What lies at the outputs is known: from now on tasks may start. */
  void surveyed(Bits found) {
    found.indexes().filter(i -> i >= ref.start() && i < end).forEach(i -> done.set(offset(i)));
    closed.or(done);
    count();
    open = true;
  }

  boolean surveyed() {
    return open;
  }

  boolean mayStart() {
    return gang.isEmpty() && open && !ending && left > 0;
  }

  /** The next task in the order of indexes; it has begun with this. */
  long next() {
    var index = cursor;
    cursor = Math.min(end, ref.start() + closed.nextClearBit(offset(index + 1)));
    left--;
    return index;
  }

  void done(long index) {
    if (index < end) done.set(offset(index));
  }

  /** An attempt ended without a result, or cannot be made. */
  void failed(Failure failure) {
    failed.add(failure);
    // Each report repeats them all until the lease is given back.
    if (failed.size() >= SyncReport.FAILURES_OF_LEASE) ending = true;
    if (failure.index() < cursor) return;
    closed.set(offset(failure.index()));
    count();
  }

  /** Nothing of it starts any more. */
  void end(boolean forgetIt) {
    ending = true;
    gone |= forgetIt;
  }

  boolean ending() {
    return ending;
  }

  Optional<GangPart> gang() {
    return gang;
  }

  /** Of the lease of a gang, which has one task. */
  Optional<TaskRun> onlyRun() {
    return Optional.ofNullable(runs.get(ref.start()));
  }

  boolean isDone(long index) {
    return done.get(offset(index));
  }

  int failures() {
    return failed.size();
  }

  /** The first attempt that ended without a result. */
  Optional<Failure> failure() {
    return failed.stream().findFirst();
  }

  /** Orders do not name it any more: it is forgotten once nothing of it runs. */
  boolean gone() {
    return gone;
  }

  /** Nothing of it runs, and nothing will. */
  boolean released() {
    return runs.isEmpty() && (ending || left == 0);
  }

  /** True once: when its release has become news. */
  boolean newlyReleased() {
    if (told || !released()) return false;
    told = true;
    return true;
  }

  /**
   * @param all whether its failures are told now; without them it is not over yet
   */
  SyncReport.Lease report(boolean all) {
    return new SyncReport.Lease(
        ref,
        end,
        Bits.of(ref.start(), done.get(0, offset(end)).toByteArray()),
        all ? failed.stream().filter(f -> f.index() < end).toList() : List.of(),
        runs.keySet().stream().filter(i -> i < end).toList(),
        cursor,
        all && released());
  }
}
