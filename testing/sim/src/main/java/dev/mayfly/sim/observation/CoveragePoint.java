package dev.mayfly.sim.observation;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.RejectedMessage;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.TickSchedule;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.gang.GangPhase;
import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.fake.SimLedger;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** A rare event that at least one seed must reach, or the simulation proves nothing about it. */
public enum CoveragePoint {
  SHARD_SPLIT,
  SHARD_STOLEN_FROM,
  LEASE_RETURNED,
  LEASE_PARTED,
  PART_LOST,
  TASK_FAILED_FOR_GOOD,
  TASK_SPARED_BY_A_SENTINEL,
  ATTEMPT_PREEMPTED,
  ATTEMPT_LOST,
  ATTEMPT_DRAINED,
  ATTEMPT_OUTRANKED,
  ATTEMPT_ENDED_WITH_A_LIFE,
  WORKER_LOST_BY_SILENCE,
  WORKER_LOST_BY_THE_CLOUDS_WORD,
  WORKER_NEVER_SPOKE,
  WORKER_DRAINED,
  WORKER_DRAINED_FOR_ITS_MONTH,
  WORKER_OVERDUE,
  WORKER_RESTARTED,
  WORKER_KEPT_FOR_A_FAILURE,
  WORKER_NO_LONGER_KEPT,
  LOST_WORKER_KEEPS_EXCLUSIVE_WORK,
  ORDER_REFUSED,
  GANG_PUBLISHED,
  GANG_FAILED_BY_ITS_TASK,
  GANG_LOST_A_HOST,
  GANG_HAD_A_BAD_HOST,
  JOB_SUCCEEDED,
  JOB_FAILED,
  JOB_STOPPED,
  JOB_STOPPED_WHILE_IT_RAN,
  JOB_STOPPED_AT_ITS_MAX_USD,
  JOB_STOPPED_AT_ITS_MAX_RUN_TIME,
  JOB_STARTED_AFTER_OTHERS,
  JOB_ENDED_BY_ITS_PREDECESSOR,
  MESSAGE_REJECTED,
  TICKS_PAUSED,
  TICKS_RESUMED;

  public static Set<CoveragePoint> of(SimLedger.Change change) {
    var found = EnumSet.noneOf(CoveragePoint.class);
    var before = change.before().orElse(null);
    switch (change.after().orElse(null)) {
      case null -> {}
      case Shard s -> shard(before instanceof Shard b ? b : s, s, before == null, found);
      case Worker w when before instanceof Worker b -> worker(b, w, found);
      case Job j when before instanceof Job b -> job(b, j, found);
      case RejectedMessage _ -> found.add(MESSAGE_REJECTED);
      case TickSchedule t when t.want() == TickSchedule.Want.PAUSE -> found.add(TICKS_PAUSED);
      case TickSchedule _ when before != null -> found.add(TICKS_RESUMED);
      case LedgerDocument _ -> {}
    }
    return found;
  }

  private static void shard(Shard a, Shard b, boolean created, Set<CoveragePoint> found) {
    if (b.end() < a.end())
      found.add(a.state() == Shard.State.LEASED ? SHARD_STOLEN_FROM : SHARD_SPLIT);
    if (a.state() == Shard.State.LEASED && b.isLeasable()) found.add(LEASE_RETURNED);
    if (a.gang().isPresent() && b.gang().isEmpty()) found.add(gang(a.gang().get()));
    if (b.failed().count() > a.failed().count()) found.add(TASK_FAILED_FOR_GOOD);
    if (created && !b.done().isEmpty()) found.add(TASK_SPARED_BY_A_SENTINEL);
    if (more(a, b, FailureCause.PREEMPTED)) found.add(ATTEMPT_PREEMPTED);
    if (more(a, b, FailureCause.LOST)) found.add(ATTEMPT_LOST);
    if (more(a, b, FailureCause.DRAINED)) found.add(ATTEMPT_DRAINED);
    if (more(a, b, FailureCause.OUTRANKED)) found.add(ATTEMPT_OUTRANKED);
    if (more(a, b, FailureCause.END_OF_LIFE)) found.add(ATTEMPT_ENDED_WITH_A_LIFE);
  }

  private static CoveragePoint gang(GangRun run) {
    if (!(run.phase() instanceof GangPhase.Cleared end)) return GANG_PUBLISHED;
    return switch (end.fault().cause()) {
      case USER, OUT_OF_MEMORY, TIMEOUT, OUTPUT_EXISTS -> GANG_FAILED_BY_ITS_TASK;
      case LOST, PREEMPTED -> GANG_LOST_A_HOST;
      case INFRASTRUCTURE -> run.bad().isEmpty() ? LEASE_RETURNED : GANG_HAD_A_BAD_HOST;
      case STOPPED, RETURNED, DRAINED, OUTRANKED, TAKEN, END_OF_LIFE -> LEASE_RETURNED;
    };
  }

  private static boolean more(Shard a, Shard b, FailureCause failureCause) {
    return b.attempts().getOrDefault(failureCause, 0L)
        > a.attempts().getOrDefault(failureCause, 0L);
  }

  private static void worker(Worker a, Worker b, Set<CoveragePoint> found) {
    if (a.incarnation().isPresent() && !a.incarnation().equals(b.incarnation()))
      found.add(WORKER_RESTARTED);
    if (isKept(b) && !isKept(a)) found.add(WORKER_KEPT_FOR_A_FAILURE);
    if (isKept(a) && !isKept(b)) found.add(WORKER_NO_LONGER_KEPT);
    if (parts(b) > parts(a)) found.add(LEASE_PARTED);
    if (parts(a) > 0 && b.epoch() > a.epoch()) found.add(PART_LOST);
    if (a.state().getClass().equals(b.state().getClass())) return;
    switch (b.state()) {
      case WorkerState.Draining draining
          when draining.cause().equals(Optional.of(DrainCause.OVER_BUDGET))
              && draining.reason().contains(" a month ") ->
          found.add(WORKER_DRAINED_FOR_ITS_MONTH);
      case WorkerState.Lost lost -> lost(a, b, lost, found);
      case WorkerState.Drained _ -> found.add(WORKER_DRAINED);
      case WorkerState.Gone _
          when !(a.state() instanceof WorkerState.Lost) && a.incarnation().isEmpty() ->
          found.add(ORDER_REFUSED);
      default -> {}
    }
  }

  private static boolean isKept(Worker worker) {
    return worker.cordon().flatMap(Cordon::kept).isPresent();
  }

  private static long parts(Worker worker) {
    return worker.held().stream().filter(held -> held.partOf().isPresent()).count();
  }

  private static void lost(Worker a, Worker b, WorkerState.Lost lost, Set<CoveragePoint> found) {
    if (a.incarnation().isEmpty()) found.add(WORKER_NEVER_SPOKE);
    else if (lost.reason().startsWith("no report")) found.add(WORKER_LOST_BY_SILENCE);
    else if (lost.cause().budget() == FailureCause.Budget.PLATFORM) found.add(WORKER_OVERDUE);
    else found.add(WORKER_LOST_BY_THE_CLOUDS_WORD);
    if (!b.held().isEmpty()) found.add(LOST_WORKER_KEEPS_EXCLUSIVE_WORK);
  }

  private static void job(Job a, Job b, Set<CoveragePoint> found) {
    if (a.state() instanceof JobState.Running && b.state() instanceof JobState.Stopping)
      found.add(JOB_STOPPED_WHILE_IT_RAN);
    if (a.state() instanceof JobState.Running
        && b.state() instanceof JobState.Stopping(_, String by)
        && by.startsWith("its maxUsd")) found.add(JOB_STOPPED_AT_ITS_MAX_USD);
    if (a.state() instanceof JobState.Running
        && b.state() instanceof JobState.Stopping(_, String by)
        && by.startsWith("its maxRunTime")) found.add(JOB_STOPPED_AT_ITS_MAX_RUN_TIME);
    if (a.state() instanceof JobState.Waiting && b.state() instanceof JobState.Expanding)
      found.add(JOB_STARTED_AFTER_OTHERS);
    if (a.state() instanceof JobState.Waiting
        && b.state() instanceof JobState.Finishing f
        && f.unstarted().isPresent()) found.add(JOB_ENDED_BY_ITS_PREDECESSOR);
    if (a.state().ended() || !(b.state() instanceof JobState.Ended end)) return;
    switch (end.result()) {
      case SUCCEEDED -> found.add(JOB_SUCCEEDED);
      case FAILED -> found.add(JOB_FAILED);
      case STOPPED -> found.add(JOB_STOPPED);
    }
  }
}
