package dev.mayfly.core.agent.lease;

import dev.mayfly.core.agent.lease.TaskListCache.Chunk;
import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.ClockReading;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.loop.TimerQueue;
import dev.mayfly.core.agent.output.OutputUploader;
import dev.mayfly.core.agent.task.HeldLease;
import dev.mayfly.core.agent.task.RunState;
import dev.mayfly.core.agent.task.TaskCommand;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.ProcessEnd;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.port.BucketLayout;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Steps from a grant to the first start: the job's info, its task lists, and a survey of tasks that
 * are already done.
 */
public final class LeaseStartup {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);

  private final AgentContext agentContext;
  private final TaskListCache items;
  private final Function<String, Optional<JobInfo>> jobInfos;
  private final Map<Chunk, Integer> fetching = new HashMap<>();
  private final Map<LeaseRef, SurveyProgress> surveyProgress = new HashMap<>();
  private final Map<LeaseRef, TimerQueue.Timer> giveUpTimers = new HashMap<>();

  /** The progress of a lease's survey. */
  private record SurveyProgress(ClockReading since, int failed, boolean underway) {}

  LeaseStartup(
      AgentContext agentContext,
      TaskListCache items,
      Function<String, Optional<JobInfo>> jobInfos) {
    this.agentContext = agentContext;
    this.items = items;
    this.jobInfos = jobInfos;
  }

  /** Requests what the lease lacks; a repeat requests nothing twice. */
  void proceed(HeldLease lease) {
    if (lease.unstarted() == 0) return;
    jobInfos.apply(lease.jobHash()).ifPresent(lease::jobInfo);
    if (lease.surveyed()) return;
    lease.jobInfo().ifPresent(jobInfo -> proceed(lease, jobInfo));
  }

  private void proceed(HeldLease lease, JobInfo jobInfo) {
    if (!surveyProgress.containsKey(lease.ref)) giveUpInTime(lease, jobInfo);
    var survey =
        surveyProgress.computeIfAbsent(
            lease.ref, r -> new SurveyProgress(agentContext.now(), 0, false));
    var complete = true;
    for (var chunk : TaskListCache.needed(jobInfo, lease.ref.start(), lease.end()))
      if (!items.has(chunk)) {
        complete = false;
        if (fetching.putIfAbsent(chunk, 0) == null) fetch(jobInfo, chunk);
      }
    if (!complete || survey.underway()) return;
    surveyProgress.put(lease.ref, new SurveyProgress(survey.since(), survey.failed(), true));
    agentContext.emit(
        new AgentEffect.Survey(
            lease.ref, jobInfo, items.itemsOf(jobInfo, lease), agentContext.now().wall()));
  }

  private void fetch(JobInfo jobInfo, Chunk chunk) {
    var list =
        BucketLayout.of(jobInfo.bucket())
            .tasks(chunk.job(), chunk.number() * dev.mayfly.core.model.document.Job.CHUNK);
    agentContext.emit(new AgentEffect.FetchTaskList(chunk.job(), chunk.number(), list));
  }

  /** Returns whether the list was expected. */
  boolean fetched(AgentEvent.TaskListFetched event) {
    var chunk = new Chunk(event.job(), event.chunk());
    if (fetching.remove(chunk) == null) return false;
    items.add(chunk, event.items());
    return true;
  }

  /** Retries after a pause while a lease needs the list. */
  public void fetchFailed(AgentEvent.TaskListFetchFailed event, Iterable<HeldLease> leases) {
    var chunk = new Chunk(event.job(), event.chunk());
    var failed = fetching.computeIfPresent(chunk, (c, n) -> n + 1);
    if (failed == null) return;
    for (var lease : leases)
      Optional.ofNullable(surveyProgress.get(lease.ref))
          .filter(_ -> lease.ref.job().equals(event.job()))
          .ifPresent(progress -> stalled(lease, progress, event.reason()));
    giveUp(leases);
    pause(failed, () -> fetchAgain(chunk, leases));
  }

  private static void stalled(HeldLease lease, SurveyProgress progress, String reason) {
    lease
        .jobInfo()
        .map(jobInfo -> progress.since().wall().plus(jobInfo.spec().run().cutOff()))
        .ifPresent(until -> lease.stalled(new RunState.Stall(reason, until)));
  }

  private void fetchAgain(Chunk chunk, Iterable<HeldLease> leases) {
    for (var lease : leases) {
      var jobInfo = lease.jobInfo();
      if (jobInfo.isEmpty() || lease.surveyed() || lease.unstarted() == 0) continue;
      if (!TaskListCache.needed(jobInfo.get(), lease.ref.start(), lease.end()).contains(chunk))
        continue;
      fetch(jobInfo.get(), chunk);
      return;
    }
    fetching.remove(chunk);
  }

  /** A read that hangs holds the lease no longer than reads that fail. */
  private void giveUpInTime(HeldLease lease, JobInfo jobInfo) {
    var cutOff = jobInfo.spec().run().cutOff();
    giveUpTimers.put(
        lease.ref,
        agentContext.timerQueue.set(agentContext.now(), cutOff, () -> giveUp(List.of(lease))));
  }

  /** Returns leases whose data this machine cannot read; another machine may. */
  private void giveUp(Iterable<HeldLease> leases) {
    for (var lease : leases) {
      var survey = surveyProgress.get(lease.ref);
      if (survey == null || lease.surveyed() || lease.jobInfo().isEmpty()) continue;
      var cutOff = lease.jobInfo().get().spec().run().cutOff();
      if (agentContext.now().since(survey.since()).compareTo(cutOff) >= 0) lease.end(false);
    }
  }

  void surveyed(HeldLease lease, AgentEvent.Surveyed event) {
    if (lease.surveyed() || surveyProgress.remove(lease.ref) == null) return;
    forget(lease);
    lease.surveyed(event.done());
    event
        .taken()
        .indexes()
        .filter(lease::mayBegin)
        .takeWhile(_ -> !lease.ending())
        .forEach(i -> taken(lease, i));
  }

  private void taken(HeldLease lease, long index) {
    var url =
        lease
            .jobInfo()
            .flatMap(jobInfo ->
                items.item(jobInfo, index).map(item -> TaskCommand.output(jobInfo, item)))
            .orElse("the output");
    var taskAttempt = new TaskAttempt(lease.ref, index);
    lease.failed(
        agentContext.failure(
            taskAttempt,
            FailureCause.OUTPUT_EXISTS,
            ProcessEnd.none(),
            OutputUploader.exists(url)));
  }

  void surveyFailed(HeldLease lease, String reason, Iterable<HeldLease> leases) {
    var failed =
        surveyProgress.computeIfPresent(
            lease.ref, (r, s) -> new SurveyProgress(s.since(), s.failed() + 1, true));
    if (failed == null) return;
    stalled(lease, failed, reason);
    giveUp(leases);
    pause(failed.failed(), () -> surveyAgain(lease));
  }

  private void surveyAgain(HeldLease lease) {
    surveyProgress.computeIfPresent(
        lease.ref, (r, s) -> new SurveyProgress(s.since(), s.failed(), false));
    if (surveyProgress.containsKey(lease.ref)) proceed(lease);
  }

  private void pause(int failed, Runnable then) {
    var pause = agentContext.backoff(FIRST_PAUSE, failed, agentContext.settings.storeRetry());
    agentContext.timerQueue.set(agentContext.now(), pause, then);
  }

  void forget(HeldLease lease) {
    surveyProgress.remove(lease.ref);
    Optional.ofNullable(giveUpTimers.remove(lease.ref)).ifPresent(agentContext.timerQueue::cancel);
  }
}
