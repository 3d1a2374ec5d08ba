package dev.mayfly.core.agent.task;

import dev.mayfly.core.agent.loop.ClockReading;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.loop.TimerQueue;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.TaskMetrics;
import dev.mayfly.core.model.TaskProgress;
import dev.mayfly.core.model.TaskUse;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One attempt, from its start until nothing of it is left to do. */
public final class TaskRun {
  public final TaskAttempt taskAttempt;
  final HeldLease lease;
  public final JobInfo jobInfo;
  final TaskItem item;
  final List<Integer> gpus;
  public final ClockReading began;
  private final List<TimerQueue.Timer> timers = new ArrayList<>(1);
  private RunState state;

  /** The generation of the input that the task reads, if it can be known. */
  Optional<Long> inputGeneration = Optional.empty();

  /** What lay at the output that the task writes itself when it began; 0 for nothing. */
  Optional<Long> outputBefore = Optional.empty();

  /** Until when its last checkpoint has what it did; empty without one. */
  public Optional<Instant> keptUntil = Optional.empty();

  /** The checkpoint that it began with, in words. */
  Optional<String> continued = Optional.empty();

  /** The newest values that the task reported. */
  private Map<String, Double> metrics = Map.of();

  /** When they were read; empty before the first. */
  private Optional<Instant> metricsAt = Optional.empty();

  private final CountPace countPace = new CountPace();

  /** Where its folder lies, if its job may want to keep it. */
  Optional<String> folder = Optional.empty();

  /** What its processes used, once that was measured. */
  Optional<TaskUse> use = Optional.empty();

  /** What it waits for, from the first failed try on until one succeeds. */
  Optional<RunState.Stall> stall = Optional.empty();

  TaskRun(
      TaskAttempt taskAttempt,
      HeldLease lease,
      JobInfo jobInfo,
      TaskItem item,
      List<Integer> gpus,
      ClockReading began,
      RunState state) {
    this.state = state;
    this.taskAttempt = taskAttempt;
    this.lease = lease;
    this.jobInfo = jobInfo;
    this.item = item;
    this.gpus = gpus;
    this.began = began;
  }

  /** The task has reported these values. */
  void reported(Map<String, Double> values, ClockReading now) {
    metrics = values;
    metricsAt = Optional.of(now.wall());
    countPace.read(values, now);
  }

  /** What is measured of it while it runs: when it was read and how fast it counts, too. */
  public Map<String, Double> running() {
    var measured =
        metricsAt.map(at -> TaskMetrics.readAt(measured(), at)).orElseGet(this::measured);
    return countPace.secondsEach().map(it -> TaskProgress.among(measured, it)).orElse(measured);
  }

  /** What the task reported, and what it used. */
  public Map<String, Double> measured() {
    return use.map(known -> known.among(metrics)).orElse(metrics);
  }

  /** The failure with what is known of the attempt. */
  AttemptFailure told(AttemptFailure failure) {
    var begun = failure.begun(began.wall()).withUse(use);
    return keptUntil.map(begun::keptUntil).orElse(begun);
  }

  /** Times of files that are none of the attempt's say nothing: what is stored is of now. */
  void kept(Instant newest, Instant now) {
    keptUntil = Optional.of(newest.isBefore(began.wall()) || newest.isAfter(now) ? now : newest);
  }

  MadeFrom madeFrom() {
    return Computation.of(jobInfo, item, inputGeneration);
  }

  public RunState state() {
    return state;
  }

  /** Changes to {@code next} and cancels the timers of the state before. */
  void transition(RunState next, TimerQueue of) {
    timers.forEach(of::cancel);
    timers.clear();
    state = next;
  }

  /** Adds a timer that is cancelled when the state changes first. */
  void addTimer(TimerQueue.Timer timer) {
    timers.add(timer);
  }
}
