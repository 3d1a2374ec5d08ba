package dev.mayfly.core.agent.task;

import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.loop.ClockReading;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How long a job's denials are taken for rights that have not taken effect yet. Google says that a
 * grant takes two minutes, and sometimes more; those of a deployment are older than its machines.
 * When a job has been denied something for so long, it is denied for good.
 */
final class DenialPatience {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** After this time without a denial, the next one is another matter: tries are closer. */
  private static final Duration OVER = Duration.ofMinutes(1);

  private static final int JOBS = 64;

  private final AgentContext agentContext;
  private final Map<String, Denials> denials = new HashMap<>();

  private record Denials(ClockReading first, ClockReading last) {}

  DenialPatience(AgentContext agentContext) {
    this.agentContext = agentContext;
  }

  /** The run is denied something now; empty if it is not worth to try again. */
  Optional<RunState.Stall> denied(TaskRun run, String why) {
    var job = run.jobInfo.job();
    var now = agentContext.now();
    if (denials.size() >= JOBS) denials.values().removeIf(old -> isOver(old, now));
    var known = denials.get(job);
    var first = known == null || isOver(known, now) ? now : known.first();
    denials.put(job, new Denials(first, now));
    var left = PATIENCE.minus(now.monotonicSince(first));
    return left.isPositive()
        ? Optional.of(new RunState.Stall(why, now.wall().plus(left)))
        : Optional.empty();
  }

  private static boolean isOver(Denials denials, ClockReading now) {
    return now.monotonicSince(denials.last()).compareTo(OVER) > 0;
  }
}
