package dev.mayfly.core.agent.task;

import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.AgentEvent.Prospect;
import dev.mayfly.core.agent.loop.StoredOutput;
import dev.mayfly.core.agent.task.RunState.Discarding;
import dev.mayfly.core.agent.task.RunState.Ending;
import dev.mayfly.core.agent.task.RunState.Publishing;
import dev.mayfly.core.agent.task.RunState.Retrying;
import dev.mayfly.core.agent.task.RunState.Sealing;
import dev.mayfly.core.agent.task.RunState.Stall;
import dev.mayfly.core.agent.task.RunState.Tries;
import dev.mayfly.core.agent.task.RunState.Uploading;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.ProcessEnd;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * From exit code 0 to the sentinel. Each step reads both clocks again: after a suspension or a long
 * partition, the machine cannot know whether its work was given away.
 */
public final class OutputPublisher {
  private static final String LEFT = "; what was written there is left: ";
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);

  /** The longest usual time between an upload and its sentinel. */
  private static final Duration SEALING = Duration.ofSeconds(5);

  private final AgentContext agentContext;
  private final TaskLifecycle taskLifecycle;
  private final ResultCheck resultCheck;
  private final SealGroups sealGroups;
  private int publishing;
  private int stalled;

  OutputPublisher(AgentContext agentContext, TaskLifecycle taskLifecycle, ResultCheck resultCheck) {
    this.agentContext = agentContext;
    this.taskLifecycle = taskLifecycle;
    this.resultCheck = resultCheck;
    sealGroups = new SealGroups(agentContext, this::sealTogether);
  }

  /**
   * Whether another task may start: not while the store is unavailable, because its results would
   * only fill the disk.
   */
  public boolean hasRoom() {
    var busy = publishing - sealGroups.waiting();
    return stalled == 0 && busy < agentContext.settings.publishing();
  }

  /**
   * Creates the sentinels that wait for others, if none will join them soon.
   *
   * @param more whether the job has other work here beside so many attempts that wait
   */
  public void sealWaiting(BiPredicate<String, Integer> more) {
    if (sealGroups.waiting() > 0) sealGroups.end(job -> !more.test(job, sealGroups.waiting(job)));
  }

  public void begin(TaskRun run) {
    publishing++;
    run.transition(new Uploading(new Tries(agentContext.now(), 0)), agentContext.timerQueue);
    step(run, (Publishing) run.state());
  }

  /**
   * Ends an attempt that left no result. What its command wrote itself at its output is deleted
   * first: a later attempt that skips what exists would do nothing. After a stop no attempt
   * follows, and what was written may be all that its user wants.
   */
  void reject(TaskRun run, Ending ending) {
    var written = run.jobInfo.spec().data().outputs() == OutputMode.WRITTEN;
    if (!written || ending.cause() == FailureCause.STOPPED) {
      taskLifecycle.fail(run, ending);
      return;
    }
    if (!(run.state() instanceof Publishing)) publishing++;
    var first = new Discarding(ending, new Tries(agentContext.now(), 0));
    run.transition(first, agentContext.timerQueue);
    step(run, first);
  }

  void discarded(TaskRun run, boolean deleted) {
    if (run.state() instanceof Discarding discarding)
      rejected(run, discarding.ending(), deleted ? "; what was written there is deleted" : "");
  }

  private void rejected(TaskRun run, Ending ending, String written) {
    taskLifecycle.fail(run, ending.cause(), ending.process(), ending.text() + written);
  }

  /** Continues with {@code next}, unless that could publish exclusive work twice. */
  private void step(TaskRun run, Publishing next) {
    var reason = resultCheck.mayRunElsewhere(run);
    if (refused(run, next, reason)) return;
    if (holdsOthers(run)) stalled--;
    run.transition(next, agentContext.timerQueue);
    switch (next) {
      case Uploading upload ->
          agentContext.emit(
              new AgentEffect.Upload(
                  run.taskAttempt,
                  run.jobInfo,
                  run.item,
                  run.madeFrom(),
                  rivalsAfter(upload),
                  run.outputBefore));
      case Sealing _ when isTogether(run) -> sealGroups.add(run);
      case Sealing seal -> agentContext.emit(seal(run, seal, reason));
      case Discarding _ ->
          agentContext.emit(
              new AgentEffect.Discard(run.taskAttempt, run.jobInfo, run.item, run.outputBefore));
      case Retrying never -> throw new IllegalStateException("not a publishing step: " + never);
    }
  }

  /** True if the attempt has ended instead. */
  private boolean refused(TaskRun run, Publishing next, Optional<String> reason) {
    if (reason.isEmpty()) return false;
    if (next instanceof Discarding discarding) {
      rejected(run, discarding.ending(), LEFT + "another may run by now, " + reason.get());
      return true;
    }
    var once = run.jobInfo.spec().exclusive() || run.lease.gang().isPresent();
    if (!once && next.tries().failed() == 0) return false;
    var text = "not published: " + reason.get();
    taskLifecycle.fail(run, FailureCause.INFRASTRUCTURE, ProcessEnd.success(), text);
    return true;
  }

  private AgentEffect.Seal seal(TaskRun run, Sealing seal, Optional<String> reason) {
    var late = reason.isPresent() || isLate(seal);
    return new AgentEffect.Seal(run.taskAttempt, sentinel(run), seal.sentinel(), late);
  }

  /** The clocks are read once more: the attempts have waited. */
  private void sealTogether(List<TaskRun> runs) {
    var seals = new ArrayList<AgentEffect.Seal>();
    for (var run : runs) {
      var reason = resultCheck.mayRunElsewhere(run);
      if (run.state() instanceof Sealing seal && !refused(run, seal, reason))
        seals.add(seal(run, seal, reason));
    }
    if (seals.isEmpty()) return;
    var jobInfo = runs.getFirst().jobInfo;
    agentContext.emit(new AgentEffect.SealTogether(jobInfo.job(), jobInfo.bucket(), seals));
  }

  /** One task of several hosts has nothing to wait for. */
  private static boolean isTogether(TaskRun run) {
    return run.jobInfo.spec().data().sealedTogether() && run.lease.gang().isEmpty();
  }

  /** Two jobs with equal outputs that run at once do not replace each other's. */
  private Optional<Instant> rivalsAfter(Uploading upload) {
    return isLate(upload)
        ? Optional.empty()
        : Optional.of(agentContext.now().wall().minus(SEALING));
  }

  private boolean isLate(Publishing step) {
    return agentContext.now().since(step.tries().since()).compareTo(SEALING) > 0;
  }

  private static ObjectUrl sentinel(TaskRun run) {
    if (isTogether(run))
      return BucketLayout.of(run.jobInfo.bucket()).sharedSentinels(run.jobInfo.job());
    return ObjectUrl.of(TaskCommand.output(run.jobInfo, run.item) + Sentinel.SUFFIX);
  }

  void uploaded(TaskRun run, StoredOutput storedOutput) {
    if (!(run.state() instanceof Uploading upload)) return;
    run.stall = Optional.empty();
    var isOwn = storedOutput.isOf(run.taskAttempt);
    var began = Optional.of(run.began.wall()).filter(_ -> isOwn);
    var sentinel = storedOutput.sentinel(agentContext.worker(), agentContext.now().wall(), began);
    sentinel =
        isOwn
            ? sentinel.withMetrics(run.measured()).withContinued(run.continued)
            : sentinel.withAdoptedBy(run.taskAttempt.name());
    step(run, new Sealing(sentinel, upload.tries()));
  }

  /** Another job's output is in its place: which of both counts is decided by another upload. */
  void replaced(TaskRun run) {
    if (run.state() instanceof Sealing seal) step(run, new Uploading(seal.tries().withFailure()));
  }

  void exists(TaskRun run, String evidence) {
    if (run.state() instanceof Uploading)
      taskLifecycle.fail(run, FailureCause.OUTPUT_EXISTS, ProcessEnd.success(), evidence);
  }

  /** A job that does not accept every sentinel may find one that another job made meanwhile. */
  void sealed(TaskRun run, AgentEvent.Sealed sealed) {
    if (!(run.state() instanceof Publishing) || run.state() instanceof Retrying) return;
    var rule = run.jobInfo.spec().data().doneRule().of(run.item.index());
    if (rule.accepts(run.jobInfo.job(), sealed.by(), sealed.made(), run.madeFrom())) {
      taskLifecycle.done(run);
      return;
    }
    var other = sealed.by().map(by -> "job " + by.job()).orElse("somebody else");
    var evidence = sentinel(run) + " was made meanwhile by " + other + "; run one job at a time";
    taskLifecycle.fail(run, FailureCause.OUTPUT_EXISTS, ProcessEnd.success(), evidence);
  }

  void failed(TaskRun run, AgentEvent.PublishFailed end) {
    if (!(run.state() instanceof Publishing was) || was instanceof Retrying) return;
    if (was instanceof Discarding discarding) {
      notDiscarded(run, discarding, end);
      return;
    }
    if (!end.retry()) {
      refused(run, end);
      return;
    }
    var denied = end.prospect() == Prospect.DENIED;
    var stall =
        denied
            ? taskLifecycle.denialPatience().denied(run, end.reason())
            : unavailable(run, was, end.reason());
    if (resultCheck.mayRunElsewhere(run).isPresent() || stall.isEmpty())
      taskLifecycle.fail(
          run,
          FailureCause.INFRASTRUCTURE,
          ProcessEnd.success(),
          end.reason(),
          denied && stall.isEmpty());
    else retry(run, was, stall.get(), !denied);
  }

  private void refused(TaskRun run, AgentEvent.PublishFailed end) {
    if (end.prospect() == Prospect.NONE)
      taskLifecycle.fail(run, FailureCause.USER, ProcessEnd.success(), end.reason(), true);
    else reject(run, new Ending(ProcessEnd.success(), FailureCause.USER, end.reason(), false));
  }

  /** Nobody waits for a permission to delete: no later attempt seals what it did not write. */
  private void notDiscarded(TaskRun run, Discarding was, AgentEvent.PublishFailed end) {
    var stall =
        end.prospect() == Prospect.OPEN && end.retry()
            ? unavailable(run, was, end.reason())
            : Optional.<Stall>empty();
    if (stall.isPresent()) retry(run, was, stall.get(), true);
    else rejected(run, was.ending(), LEFT + end.reason());
  }

  private Optional<Stall> unavailable(TaskRun run, Publishing was, String why) {
    var cutOff = run.jobInfo.spec().run().cutOff();
    var left = cutOff.minus(agentContext.now().since(was.tries().since()));
    return left.isPositive()
        ? Optional.of(new Stall(why, agentContext.now().wall().plus(left)))
        : Optional.empty();
  }

  /**
   * Tries the step again after a pause.
   *
   * @param holdsOthers false for what other jobs may be granted meanwhile
   */
  private void retry(TaskRun run, Publishing was, Stall stall, boolean holdsOthers) {
    var next = withFailure(was);
    run.transition(new Retrying(next, holdsOthers), agentContext.timerQueue);
    if (holdsOthers) stalled++;
    // A service that did not answer once is no news.
    if (!holdsOthers || next.tries().failed() > 1) taskLifecycle.stalled(run, stall);
    var pause =
        agentContext.backoff(
            FIRST_PAUSE, next.tries().failed(), agentContext.settings.storeRetry());
    run.addTimer(agentContext.timerQueue.set(agentContext.now(), pause, () -> step(run, next)));
  }

  /** Another attempt may succeed, perhaps on another machine; this one cannot. */
  void crashed(TaskRun run, String reason) {
    if (!(run.state() instanceof Publishing was) || was instanceof Retrying) return;
    if (was instanceof Discarding discarding) rejected(run, discarding.ending(), LEFT + reason);
    else taskLifecycle.fail(run, FailureCause.INFRASTRUCTURE, ProcessEnd.success(), reason);
  }

  private static Publishing withFailure(Publishing was) {
    return switch (was) {
      case Uploading upload -> new Uploading(upload.tries().withFailure());
      case Sealing seal -> new Sealing(seal.sentinel(), seal.tries().withFailure());
      case Discarding discarding ->
          new Discarding(discarding.ending(), discarding.tries().withFailure());
      case Retrying pause -> pause;
    };
  }

  void ended(TaskRun run) {
    sealGroups.remove(run);
    if (run.state() instanceof Publishing) publishing--;
    if (holdsOthers(run)) stalled--;
  }

  private static boolean holdsOthers(TaskRun run) {
    return run.state() instanceof Retrying retrying && retrying.holdsOthers();
  }
}
