package dev.mayfly.core.agent;

import static dev.mayfly.core.agent.AgentFixtures.START;
import static dev.mayfly.core.agent.AgentFixtures.output;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.AgentSettings;
import dev.mayfly.core.agent.loop.ClockReading;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.sync.FailedFolder;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.WorkerInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** An agent in virtual time: tests send events, and effects are collected until taken. */
public final class AgentDriver {
  final List<AgentEffect> effects = new ArrayList<>();
  private final Agent agent;
  private Optional<List<FailedFolder>> folders = Optional.empty();
  private JobInfo jobInfo;
  private ClockReading now = START;
  private long alarm = Long.MAX_VALUE;
  private SyncReport report;
  private long answered;
  private long sentAt;
  private Optional<List<SyncOrders.Lease>> standing = Optional.empty();

  public AgentDriver(WorkerInfo machine, JobInfo jobInfo) {
    this(machine, jobInfo, AgentSettings.DEFAULT);
  }

  public AgentDriver(WorkerInfo machine, JobInfo jobInfo, AgentSettings settings) {
    this.jobInfo = jobInfo;
    agent = new Agent(machine, AgentFixtures.INCARNATION, settings, new Random(1), now);
    on(new AgentEvent.Started(List.of()));
  }

  public ClockReading now() {
    return now;
  }

  public AgentDriver on(AgentEvent event) {
    for (var effect : agent.on(event, now)) {
      effects.add(effect);
      if (effect instanceof AgentEffect.WakeAt at) alarm = at.monotonicNanos();
      if (effect instanceof AgentEffect.Sync sync) {
        report = sync.report();
        sentAt = now.monotonicNanos();
      }
    }
    return this;
  }

  /**
   * Lets time pass with all alarms, and with all answers while the control plane is {@link
   * #served}.
   */
  public AgentDriver after(Duration time) {
    var until = now.plus(time);
    while (Math.min(alarm, answerAt()) <= until.monotonicNanos()) {
      var at = Math.min(alarm, answerAt());
      now = now.plus(Duration.ofNanos(Math.max(0, at - now.monotonicNanos())));
      if (at < alarm) {
        orders(standing.orElseThrow().toArray(SyncOrders.Lease[]::new));
      } else {
        alarm = Long.MAX_VALUE;
        on(new AgentEvent.Woke());
      }
    }
    now = until;
    return this;
  }

  /**
   * Answers each call from now on with these orders, 5 ms after it came or at the end of its wait.
   */
  public AgentDriver served(SyncOrders.Lease... orders) {
    standing = Optional.of(List.of(orders));
    return this;
  }

  private long answerAt() {
    if (standing.isEmpty() || report.seq() == answered) return Long.MAX_VALUE;
    return sentAt + Math.max(5_000_000L, report.waitSeconds() * 1_000_000_000L);
  }

  public AgentDriver millis(long millis) {
    return after(Duration.ofMillis(millis));
  }

  /** Advances the wall clock alone, as a suspension does. */
  public AgentDriver suspended(Duration time) {
    now = new ClockReading(now.wall().plus(time), now.monotonicNanos());
    return this;
  }

  public SyncReport report() {
    return report;
  }

  public SyncReport.Lease lease(long start) {
    return report.leases().stream().filter(l -> l.ref().start() == start).findFirst().orElseThrow();
  }

  /** Answers the newest sync. */
  public AgentDriver orders(SyncOrders.Lease... leases) {
    return orders(Optional.empty(), Optional.empty(), false, leases);
  }

  public AgentDriver drain(Instant deadline, SyncOrders.Lease... leases) {
    return orders(Optional.of(deadline), Optional.empty(), false, leases);
  }

  public AgentDriver drain(Instant deadline, DrainReason reason, SyncOrders.Lease... leases) {
    return orders(Optional.of(deadline), Optional.of(reason), false, leases);
  }

  AgentDriver fence() {
    return orders(Optional.empty(), Optional.empty(), true);
  }

  private AgentDriver orders(
      Optional<Instant> drain,
      Optional<DrainReason> drainReason,
      boolean fenced,
      SyncOrders.Lease... leases) {
    if (report.seq() == answered) throw new IllegalStateException("no sync waits for an answer");
    answered = report.seq();
    var due = now.wall().plusSeconds(40);
    return on(
        new AgentEvent.OrdersReceived(
            new SyncOrders(
                report.seq(),
                now.wall(),
                due,
                List.of(leases),
                List.of(jobInfo),
                drain,
                fenced,
                List.of(),
                List.of(),
                drainReason,
                folders)));
  }

  /** Lets time pass while the control plane is {@link #served}. */
  public AgentDriver servedFor(Duration time, SyncOrders.Lease... leases) {
    served(leases).after(time);
    standing = Optional.empty();
    return this;
  }

  /** Which folders of failed attempts orders name from now on. */
  public AgentDriver keeping(FailedFolder... named) {
    folders = Optional.of(List.of(named));
    return this;
  }

  /** Sends this job info with all orders from now on. */
  public AgentDriver withJobInfo(JobInfo next) {
    jobInfo = next;
    return this;
  }

  public AgentDriver syncFails() {
    answered = report.seq();
    return on(new AgentEvent.SyncFailed(report.seq(), "away"));
  }

  /** Sends orders, and a survey that finds nothing done. */
  public AgentDriver granted(SyncOrders.Lease... leases) {
    orders(leases);
    for (var lease : leases) nothingDone(lease.ref().start());
    return this;
  }

  public AgentDriver nothingDone(long start) {
    return on(
        new AgentEvent.Surveyed(
            AgentFixtures.lease(start),
            TaskSet.none(start),
            TaskSet.none(start),
            TaskSet.none(start)));
  }

  public AgentDriver exits(TaskAttempt taskAttempt, int code) {
    return on(new AgentEvent.Exited(taskAttempt, code, FailureCause.USER, "last words"));
  }

  /** From exit code 0 to the sentinel, without obstacles. */
  public AgentDriver succeeds(TaskAttempt taskAttempt) {
    exits(taskAttempt, 0);
    on(new AgentEvent.Uploaded(taskAttempt, output(taskAttempt)));
    return sealed(taskAttempt);
  }

  AgentDriver sealed(TaskAttempt taskAttempt) {
    return on(
        new AgentEvent.Sealed(
            taskAttempt,
            Sentinel.by(output(taskAttempt).sentinel("w1", now.wall()).metadata()),
            MadeFrom.UNKNOWN));
  }

  /** Takes the effects of one kind since the last call. */
  public <E extends AgentEffect> List<E> take(Class<E> kind) {
    var some = effects.stream().filter(kind::isInstance).map(kind::cast).toList();
    effects.removeAll(some);
    return some;
  }

  public List<Long> started() {
    return take(AgentEffect.Start.class).stream().map(s -> s.attempt().index()).toList();
  }

  public List<Long> killed() {
    return take(AgentEffect.Kill.class).stream().map(k -> k.attempt().index()).toList();
  }

  /** The number of syncs since the last call. */
  public int syncs() {
    return take(AgentEffect.Sync.class).size();
  }
}
