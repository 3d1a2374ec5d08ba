package dev.mayfly.core.agent;

import dev.mayfly.core.agent.RunState.Publishing;
import dev.mayfly.core.agent.RunState.Retrying;
import dev.mayfly.core.agent.RunState.Sealing;
import dev.mayfly.core.agent.RunState.Tries;
import dev.mayfly.core.agent.RunState.Uploading;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.port.Url;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * From exit code 0 to the sentinel. Both clocks are read again before each step: a machine that was
 * suspended, or that nobody heard of for long, does not know whether its work has been given to
 * another.
 */
final class Publisher {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);

  private final Moment moment;
  private final Tasks tasks;
  private Function<TaskRun, Optional<String>> doubt = run -> Optional.empty();
  private int publishing;
  private int stalled;

  Publisher(Moment moment, Tasks tasks) {
    this.moment = moment;
    this.tasks = tasks;
  }

  /** Sets what tells why a task's result may be another's by now. */
  void doubts(Function<TaskRun, Optional<String>> reason) {
    doubt = reason;
  }

  /**
   * Whether another task may start: not while the store is away, since its results would only fill
   * the disk.
   */
  boolean keepsUp() {
    return stalled == 0 && publishing < moment.settings.publishing();
  }

  void begin(TaskRun run) {
    publishing++;
    run.become(new Uploading(new Tries(moment.now(), 0)), moment.timers);
    step(run, (Publishing) run.state());
  }

  /** Goes on with {@code next}, unless that might publish a result twice where it must not. */
  private void step(TaskRun run, Publishing next) {
    var reason = doubt.apply(run);
    var once = run.sheet.spec().exclusive() || run.lease.gang().isPresent();
    if (reason.isPresent() && (once || next.tries().failed() > 0)) {
      tasks.fail(run, Cause.INFRASTRUCTURE, 0, "not published: " + reason.get());
      return;
    }
    if (run.state() instanceof Retrying) stalled--;
    run.become(next, moment.timers);
    switch (next) {
      case Uploading upload -> moment.ask(new AgentEffect.Upload(run.attempt, run.sheet, run.item));
      case Sealing seal ->
          moment.ask(new AgentEffect.Seal(run.attempt, sentinel(run), seal.sentinel()));
      case Retrying never -> throw new IllegalStateException("a pause is no step: " + never);
    }
  }

  private static Url sentinel(TaskRun run) {
    return Url.of(Invocation.output(run.sheet, run.item) + Sentinel.SUFFIX);
  }

  void uploaded(TaskRun run, Output output) {
    if (!(run.state() instanceof Uploading upload)) return;
    var sentinel = output.sentinel(moment.worker(), moment.now().wall());
    step(run, new Sealing(sentinel, upload.tries()));
  }

  void exists(TaskRun run, String evidence) {
    if (run.state() instanceof Uploading) tasks.fail(run, Cause.OUTPUT_EXISTS, 0, evidence);
  }

  void sealed(TaskRun run) {
    if (run.state() instanceof Sealing) tasks.done(run);
  }

  void failed(TaskRun run, boolean retry, String reason) {
    if (!(run.state() instanceof Publishing was) || was instanceof Retrying) return;
    if (!retry) {
      tasks.fail(run, Cause.USER, 0, reason);
      return;
    }
    var cutOff = run.sheet.spec().run().cutOff();
    if (doubt.apply(run).isPresent()
        || moment.now().since(was.tries().since()).compareTo(cutOff) >= 0) {
      tasks.fail(run, Cause.INFRASTRUCTURE, 0, reason);
      return;
    }
    var next = again(was);
    run.become(new Retrying(next), moment.timers);
    stalled++;
    var pause = moment.pause(FIRST_PAUSE, next.tries().failed(), moment.settings.storeRetry());
    run.later(moment.timers.set(moment.now(), pause, () -> step(run, next)));
  }

  /** Another attempt may fare better, on another machine perhaps; this one would not. */
  void broken(TaskRun run, String reason) {
    if (!(run.state() instanceof Publishing was) || was instanceof Retrying) return;
    tasks.fail(run, Cause.INFRASTRUCTURE, 0, reason);
  }

  private static Publishing again(Publishing was) {
    return switch (was) {
      case Uploading upload -> new Uploading(upload.tries().again());
      case Sealing seal -> new Sealing(seal.sentinel(), seal.tries().again());
      case Retrying pause -> pause;
    };
  }

  /** The run is over, however it ended. */
  void left(TaskRun run) {
    if (run.state() instanceof Publishing) publishing--;
    if (run.state() instanceof Retrying) stalled--;
  }
}
