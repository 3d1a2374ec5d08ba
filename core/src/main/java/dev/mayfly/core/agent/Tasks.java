package dev.mayfly.core.agent;

import dev.mayfly.core.agent.RunState.Killing;
import dev.mayfly.core.agent.RunState.Publishing;
import dev.mayfly.core.agent.RunState.Running;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Failure;
import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.TaskItem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Attempts on the machine: their start, their end, and how they are killed. {@link Publishing}
 * comes after.
 */
final class Tasks {
  /** Stands for an exit code where the machine itself is to blame. */
  static final int UNFIT = -2;

  private final Moment moment;
  private final Capacity capacity;
  private final Paces paces;
  private final SyncTimer sync;
  private final Publisher publisher;
  private final StartPause starts;

  Tasks(Moment moment, Capacity capacity, Paces paces, SyncTimer sync) {
    this.moment = moment;
    this.capacity = capacity;
    this.paces = paces;
    this.sync = sync;
    this.publisher = new Publisher(moment, this);
    this.starts = new StartPause(moment, sync);
  }

  StartPause starts() {
    return starts;
  }

  Publisher publisher() {
    return publisher;
  }

  void begin(HeldLease lease, JobSheet sheet, TaskItem item, List<Integer> gpus) {
    var attempt = new Attempt(lease.ref, item.index());
    var run = new TaskRun(attempt, lease, sheet, item, gpus, moment.now(), new Running());
    lease.runs.put(item.index(), run);
    capacity.take(sheet.spec().resources(), gpus);
    moment.ask(new AgentEffect.Start(attempt, sheet, item, gpus));
    starts.began();
    var timeout = sheet.spec().run().timeout();
    if (timeout.isPositive())
      run.later(moment.timers.set(moment.now(), timeout, () -> timedOut(run)));
  }

  /** Brings everything that a start needs; the task's share of the machine is taken from now on. */
  void prepare(HeldLease lease, JobSheet sheet, TaskItem item, List<Integer> gpus) {
    var attempt = new Attempt(lease.ref, item.index());
    var state = new RunState.Preparing();
    lease.runs.put(
        item.index(), new TaskRun(attempt, lease, sheet, item, gpus, moment.now(), state));
    capacity.take(sheet.spec().resources(), gpus);
    moment.ask(new AgentEffect.Prepare(attempt, sheet, item, gpus));
  }

  /** Starts what was prepared. How long it may run is for the control plane to say. */
  void start(TaskRun run, Map<String, String> peers) {
    run.become(new Running(), moment.timers);
    moment.ask(new AgentEffect.Start(run.attempt, run.sheet, run.item, run.gpus, peers));
  }

  private void prepared(TaskRun run) {
    if (run.state() instanceof RunState.Preparing)
      run.become(new RunState.Prepared(), moment.timers);
  }

  private void unready(TaskRun run, AgentEvent.Unready end) {
    switch (run.state()) {
      case RunState.Preparing _ -> {
        giveBack(run);
        fail(run, end.cause(), end.machine() ? UNFIT : -1, end.evidence());
      }
      case Killing killing -> gone(run, killing, -1);
      default -> {}
    }
  }

  private void timedOut(TaskRun run) {
    var rules = run.sheet.spec().run();
    var evidence = "still running after its timeout of " + rules.timeout().toSeconds() + " s";
    kill(run, Optional.of(Cause.TIMEOUT), evidence, rules.grace());
  }

  void on(TaskRun run, AgentEvent.OfAttempt event) {
    switch (event) {
      case AgentEvent.ImagePulled pulled -> {}
      case AgentEvent.Prepared prepared -> prepared(run);
      case AgentEvent.Unready unready -> unready(run, unready);
      case AgentEvent.Exited exited -> exited(run, exited);
      case AgentEvent.StartFailed failed -> startFailed(run, failed);
      case AgentEvent.Killed killed -> killed(run, killed.exitCode());
      case AgentEvent.Uploaded uploaded -> publisher.uploaded(run, uploaded.output());
      case AgentEvent.OutputExists exists -> publisher.exists(run, exists.evidence());
      case AgentEvent.Sealed sealed -> publisher.sealed(run);
      case AgentEvent.PublishFailed failed ->
          publisher.failed(run, failed.retry(), failed.reason());
      case AgentEvent.PublishBroken broken -> publisher.broken(run, broken.reason());
    }
  }

  private void exited(TaskRun run, AgentEvent.Exited end) {
    starts.ran(run.began);
    switch (run.state()) {
      case Running _ when run.lease.gang().isPresent() -> {
        giveBack(run);
        run.become(
            new RunState.Awaiting(end.exitCode(), end.cause(), end.evidence()), moment.timers);
      }
      case Running running -> {
        giveBack(run);
        if (end.exitCode() == 0) {
          var took = moment.now().monotonicSince(run.began);
          paces.add(run.attempt.lease().job(), run.sheet.spec().resources(), took);
          publisher.begin(run);
        } else {
          fail(run, end.cause(), end.exitCode(), end.evidence());
        }
      }
      case Killing killing -> gone(run, killing, end.exitCode());
      case RunState.Preparing _, RunState.Prepared _, RunState.Awaiting _, Publishing _ -> {}
    }
  }

  private void startFailed(TaskRun run, AgentEvent.StartFailed end) {
    if (end.machine()) starts.failed(end.evidence());
    switch (run.state()) {
      case Running running -> {
        giveBack(run);
        fail(run, end.cause(), -1, end.evidence());
      }
      case Killing killing -> gone(run, killing, -1);
      case RunState.Preparing _, RunState.Prepared _, RunState.Awaiting _, Publishing _ -> {}
    }
  }

  private void killed(TaskRun run, int exitCode) {
    if (run.state() instanceof Killing killing) gone(run, killing, exitCode);
  }

  private void gone(TaskRun run, Killing killing, int exitCode) {
    giveBack(run);
    killing
        .cause()
        .ifPresentOrElse(cause -> fail(run, cause, exitCode, killing.evidence()), () -> end(run));
  }

  private void giveBack(TaskRun run) {
    capacity.giveBack(run.sheet.spec().resources(), run.gpus);
  }

  /**
   * Asks for the end of all its processes; its share of the machine stays taken until that is
   * confirmed. A second reason does not change the first one's cause, but may take it away or
   * shorten the grace.
   *
   * @param cause what it is to be reported as; empty if it is nobody's any more
   */
  void kill(TaskRun run, Optional<Cause> cause, String evidence, Duration grace) {
    switch (run.state()) {
      case Running _, RunState.Preparing _, RunState.Prepared _ ->
          ask(run, new Killing(cause, evidence), grace);
      case Killing killing -> {
        if (cause.isEmpty() || grace.isZero())
          ask(run, cause.isEmpty() ? new Killing(cause, evidence) : killing, grace);
      }
      case RunState.Awaiting _, Publishing _ ->
          cause.ifPresentOrElse(c -> fail(run, c, 0, evidence), () -> end(run));
    }
  }

  private void ask(TaskRun run, Killing state, Duration grace) {
    run.become(state, moment.timers);
    moment.ask(new AgentEffect.Kill(run.attempt, grace));
    var again = grace.plus(moment.settings.killAgain());
    run.later(moment.timers.set(moment.now(), again, () -> ask(run, state, Duration.ZERO)));
  }

  void done(TaskRun run) {
    run.lease.done(run.attempt.index());
    sync.soon();
    end(run);
  }

  void fail(TaskRun run, Cause cause, int exitCode, String evidence) {
    run.lease.failed(failure(run.attempt, cause, exitCode, evidence));
    sync.failure();
    end(run);
  }

  /** A failure, as it is reported. */
  Failure failure(Attempt attempt, Cause cause, int exitCode, String evidence) {
    return new Failure(
        attempt.index(),
        attempt.name(),
        cause,
        exitCode,
        evidence,
        moment.worker(),
        moment.now().wall());
  }

  private void end(TaskRun run) {
    publisher.left(run);
    run.become(run.state(), moment.timers);
    run.lease.runs.remove(run.attempt.index());
    moment.ask(new AgentEffect.DropWork(run.attempt));
  }
}
