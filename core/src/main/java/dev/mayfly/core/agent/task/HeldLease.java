package dev.mayfly.core.agent.task;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.KeptTask;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.ProcessEnd;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.gang.GangOrder;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.model.sync.StalledTask;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The agent's state of one lease. Sets of tasks are bits, so that ten thousand tasks take a few
 * kilobytes.
 */
public final class HeldLease {
  public final LeaseRef ref;
  public final TreeMap<Long, TaskRun> runs = new TreeMap<>();
  private final BitSet skipped = new BitSet();
  private final BitSet done = new BitSet();
  private final List<AttemptFailure> failed = new ArrayList<>();
  private String jobHash;
  private Optional<JobInfo> jobInfo = Optional.empty();
  private long end;
  private long cursor;
  private long left;
  private boolean surveyed;
  private boolean ending;
  private boolean recalled;
  private boolean abandoned;
  private boolean releaseReported;
  private boolean blamesMachine;
  private Optional<RunState.Stall> startup = Optional.empty();
  private Optional<LocalGangState> gang = Optional.empty();

  /** A gang lease: one task that this host runs together with others. */
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
    order.skip().indexes().filter(i -> i >= ref.start()).forEach(i -> skipped.set(offset(i)));
    recount();
  }

  private int offset(long index) {
    return Math.toIntExact(index - ref.start());
  }

  /**
   * Moves the cursor past tasks that need not run and recounts, after the range or the skipped
   * tasks changed.
   */
  private void recount() {
    cursor = Math.min(end, ref.start() + skipped.nextClearBit(offset(cursor)));
    left = end - cursor - skipped.get(offset(cursor), offset(end)).cardinality();
  }

  /** The job info for its next start; an older one until the newest is known. */
  public Optional<JobInfo> jobInfo() {
    return jobInfo;
  }

  /** The job's priority; the lowest without the job's info. */
  public int priority() {
    return jobInfo.map(s -> s.spec().priority()).orElse(Integer.MIN_VALUE);
  }

  /** The job's owner; empty without an owner or without the job's info. */
  public String owner() {
    return jobInfo.flatMap(s -> s.spec().owner()).orElse("");
  }

  public void jobInfo(JobInfo known) {
    jobInfo = Optional.of(known);
  }

  public String jobHash() {
    return jobHash;
  }

  /** The job's info has changed. Running tasks continue unchanged. */
  public void updateJobHash(String hash) {
    // Without the job at hand the control plane sends an empty hash: keep the last one.
    if (!hash.isEmpty()) jobHash = hash;
  }

  public long end() {
    return end;
  }

  /** The range may only shrink. */
  public void lower(long newEnd) {
    if (newEnd >= end) return;
    end = Math.max(newEnd, ref.start());
    cursor = Math.min(cursor, end);
    recount();
  }

  /** Tasks that have not started and still may. */
  public long unstarted() {
    return ending ? 0 : left;
  }

  /** Whether the task has not started and still may. */
  public boolean mayBegin(long index) {
    return index >= cursor && index < end && !skips(index);
  }

  public boolean skips(long index) {
    return skipped.get(offset(index));
  }

  /** The survey is done: tasks may start. */
  public void surveyed(TaskSet found) {
    found.indexes().filter(i -> i >= ref.start() && i < end).forEach(i -> done.set(offset(i)));
    skipped.or(done);
    recount();
    surveyed = true;
    startup = Optional.empty();
  }

  /** Its tasks cannot be looked at, so that none starts. */
  public void stalled(RunState.Stall stall) {
    startup = Optional.of(stall);
  }

  public boolean surveyed() {
    return surveyed;
  }

  public boolean mayStart() {
    return gang.isEmpty() && surveyed && !ending && left > 0;
  }

  /** Returns the next task by index, and counts it as started. */
  public long next() {
    var index = cursor;
    cursor = Math.min(end, ref.start() + skipped.nextClearBit(offset(index + 1)));
    left--;
    return index;
  }

  void done(long index) {
    if (index < end) done.set(offset(index));
  }

  /** An attempt ended without a result, by its machine's fault or not. */
  void failed(AttemptFailure attemptFailure, ProcessEnd process) {
    if (failed.isEmpty()) blamesMachine = process.blamesMachine();
    failed(attemptFailure);
  }

  /** An attempt ended without a result, or could not be made. */
  public void failed(AttemptFailure attemptFailure) {
    failed.add(attemptFailure);
    // Bounds the failures that each report repeats until the lease is returned.
    if (failed.size() >= SyncReport.FAILURES_OF_LEASE) ending = true;
    if (attemptFailure.index() < cursor) return;
    skipped.set(offset(attemptFailure.index()));
    recount();
  }

  /** No more tasks of the lease start. */
  public void end(boolean forgetIt) {
    ending = true;
    abandoned |= forgetIt;
  }

  /** Whether it starts nothing more. What it runs may go on for long. */
  public boolean ending() {
    return ending;
  }

  /** Returns true once: its running tasks are to be asked to end, whatever else ends it. */
  public boolean newlyRecalled() {
    if (recalled) return false;
    recalled = true;
    return true;
  }

  public Optional<LocalGangState> gang() {
    return gang;
  }

  /** The single run of a gang lease. */
  public Optional<TaskRun> onlyRun() {
    return Optional.ofNullable(runs.get(ref.start()));
  }

  public boolean isDone(long index) {
    return done.get(offset(index));
  }

  public int failures() {
    return failed.size();
  }

  /** The first failed attempt. */
  public Optional<AttemptFailure> failure() {
    return failed.stream().findFirst();
  }

  /** Whether that attempt failed by the machine's fault. */
  public boolean blamesMachine() {
    return blamesMachine;
  }

  /** Orders do not name the lease any more: it is forgotten once it has no runs. */
  public boolean abandoned() {
    return abandoned;
  }

  /** The lease has no runs, and will have none. */
  public boolean released() {
    return runs.isEmpty() && (ending || left == 0);
  }

  /** Returns true once, after the release. */
  public boolean newlyReleased() {
    if (releaseReported || !released()) return false;
    releaseReported = true;
    return true;
  }

  /**
   * @param all whether its failures are included; without them the lease does not count as released
   */
  public SyncReport.Lease report(boolean all) {
    var running = runs.values().stream().filter(r -> r.taskAttempt.index() < end).toList();
    var lease =
        new SyncReport.Lease(
            ref,
            end,
            TaskSet.of(ref.start(), done.get(0, offset(end)).toByteArray()),
            all ? failed.stream().filter(this::isTold).toList() : List.of(),
            running.stream().map(r -> r.taskAttempt.index()).toList(),
            cursor,
            all && released(),
            running.stream().map(r -> r.began.wall()).toList(),
            stalled());
    return lease.withKept(kept(running)).withPublishing(publishing(running));
  }

  /** Of what lies past its end only the tasks that were taken while they ran. */
  private boolean isTold(AttemptFailure failure) {
    return failure.index() < end || failure.cause() == FailureCause.TAKEN;
  }

  private static List<Long> publishing(List<TaskRun> running) {
    return running.stream()
        .filter(run -> !run.state().onMachine())
        .map(run -> run.taskAttempt.index())
        .toList();
  }

  private static List<KeptTask> kept(List<TaskRun> running) {
    var kept = new ArrayList<KeptTask>();
    for (var run : running)
      run.keptUntil.ifPresent(until -> kept.add(new KeptTask(run.taskAttempt.index(), until)));
    return kept;
  }

  private List<StalledTask> stalled() {
    var all = new ArrayList<StalledTask>();
    startup
        .filter(_ -> !ending)
        .ifPresent(stall -> all.add(new StalledTask(cursor, stall.why(), stall.until())));
    for (var run : runs.headMap(end).values())
      run.stall
          .filter(_ -> all.size() < StalledTask.MOST)
          .ifPresent(stall ->
              all.add(new StalledTask(run.taskAttempt.index(), stall.why(), stall.until())));
    return all;
  }
}
