package dev.mayfly.core.agent.task;

import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.loop.ClockReading;
import dev.mayfly.core.agent.loop.SyncTimer;
import dev.mayfly.core.model.sync.MachineProblem;
import java.time.Duration;
import java.util.Optional;

/**
 * Keeps a machine on which no attempt can start (its disk is broken, its process table full) from
 * failing one task after another. After three such failures in a row nothing starts for a while,
 * longer each time; then one attempt alone tests whether the problem is over.
 *
 * <p>Meanwhile the machine reports that it is unfit, so that its work goes elsewhere.
 */
public final class StartBackoff {
  private static final int IN_A_ROW = 3;
  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  /** An attempt whose start has not failed after this time has begun. */
  private static final Duration BEGUN = Duration.ofSeconds(10);

  private enum Phase {
    OPEN,
    PAUSED,
    /** One attempt may start. */
    TRYING,
    /** That attempt was requested. */
    TRIED
  }

  private final AgentContext agentContext;
  private final SyncTimer sync;
  private Phase phase = Phase.OPEN;
  private int failures;
  private Duration next = FIRST;
  private Optional<ClockReading> last = Optional.empty();
  private Optional<MachineProblem> problem = Optional.empty();

  StartBackoff(AgentContext agentContext, SyncTimer sync) {
    this.agentContext = agentContext;
    this.sync = sync;
  }

  /** Whether nothing may start now. */
  public boolean blocked() {
    return phase == Phase.PAUSED || phase == Phase.TRIED;
  }

  /** Whether leases without runs are better off elsewhere. */
  public boolean paused() {
    return phase == Phase.PAUSED;
  }

  /** The machine's problem, until an attempt has begun. */
  public Optional<MachineProblem> problem() {
    return problem;
  }

  /** An attempt was requested. */
  void began() {
    if (phase != Phase.TRYING) return;
    phase = Phase.TRIED;
    var tried = last;
    agentContext.timerQueue.set(
        agentContext.now(),
        BEGUN,
        () -> {
          if (phase == Phase.TRIED && last.equals(tried)) open();
        });
  }

  /** An attempt's process existed; it began at that moment. */
  void ran(ClockReading began) {
    if (last.isEmpty() || began.monotonicSince(last.get()).isNegative()) return;
    open();
  }

  /** An attempt could not start, and the machine is to blame. */
  void failed(String evidence) {
    last = Optional.of(agentContext.now());
    failures++;
    if (phase == Phase.PAUSED || (phase == Phase.OPEN && failures < IN_A_ROW)) return;
    phase = Phase.PAUSED;
    problem = Optional.of(MachineProblem.Kind.UNFIT.of("no attempt can start here: " + evidence));
    agentContext.timerQueue.set(agentContext.now(), next, this::tryOne);
    next = next.multipliedBy(2).compareTo(LONGEST) > 0 ? LONGEST : next.multipliedBy(2);
    sync.syncNow();
  }

  private void tryOne() {
    if (phase != Phase.PAUSED) return;
    phase = Phase.TRYING;
    sync.syncNow();
  }

  private void open() {
    var was = phase;
    phase = Phase.OPEN;
    failures = 0;
    next = FIRST;
    last = Optional.empty();
    problem = Optional.empty();
    if (was != Phase.OPEN) sync.syncNow();
  }
}
