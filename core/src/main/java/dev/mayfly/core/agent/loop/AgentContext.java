package dev.mayfly.core.agent.loop;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.ProcessEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * State that the agent's parts share while an event is handled: the time, the effects so far, the
 * timers.
 */
public final class AgentContext {
  public final AgentSettings settings;
  public final TimerQueue timerQueue = new TimerQueue();
  private final RandomGenerator random;
  private final String worker;
  private List<AgentEffect> effects = new ArrayList<>();
  private ClockReading now;

  public AgentContext(
      AgentSettings settings, RandomGenerator random, String worker, ClockReading now) {
    this.settings = settings;
    this.random = random;
    this.worker = worker;
    this.now = now;
  }

  public void begin(ClockReading at) {
    now = at;
    effects = new ArrayList<>();
  }

  public ClockReading now() {
    return now;
  }

  long monotonicNanos() {
    return now.monotonicNanos();
  }

  public String worker() {
    return worker;
  }

  /** How an attempt ended now, as it is reported. */
  public AttemptFailure failure(
      TaskAttempt taskAttempt, FailureCause cause, ProcessEnd process, String evidence) {
    return new AttemptFailure(
        taskAttempt.index(),
        taskAttempt.name(),
        cause,
        process.exitCode(),
        evidence,
        worker,
        now.wall());
  }

  public void emit(AgentEffect effect) {
    effects.add(effect);
  }

  public List<AgentEffect> effects() {
    return effects;
  }

  /**
   * A random pause after {@code tries} failed tries. Its bound doubles with each try, so that many
   * workers do not retry at once.
   */
  public Duration backoff(Duration first, int tries, Duration most) {
    var bound = Math.min(most.toNanos(), first.toNanos() << Math.min(Math.max(tries - 1, 0), 20));
    return Duration.ofNanos(random.nextLong(Math.max(1, bound)) + 1);
  }
}
