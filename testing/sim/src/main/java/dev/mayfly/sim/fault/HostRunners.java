package dev.mayfly.sim.fault;

import dev.mayfly.core.agent.loop.AgentEffect;
import java.util.Map;
import java.util.TreeMap;

/**
 * The programs that stay on one host, given task after task of their job. One without a task may
 * end by itself, and then it never reads the next one. As on a machine, those of a job end when
 * another job's task starts.
 */
public final class HostRunners {
  private final FaultInjector faultInjector;

  /** By job, how many programs wait for a task. */
  private final Map<String, Integer> idle = new TreeMap<>();

  public HostRunners(FaultInjector faultInjector) {
    this.faultInjector = faultInjector;
  }

  /** Whether the attempt is given to a program that has just ended: nobody reads its task. */
  public boolean isUnread(AgentEffect.Start start) {
    var job = start.attempt().lease().job();
    idle.keySet().removeIf(other -> !other.equals(job));
    if (!stays(start) || idle.getOrDefault(job, 0) == 0) return false;
    idle.merge(job, -1, Integer::sum);
    return faultInjector.strikes(Fault.RUNNER_ENDS);
  }

  /** The attempt's program has answered, and waits for another task. */
  public void answered(AgentEffect.Start start) {
    if (stays(start)) idle.merge(start.attempt().lease().job(), 1, Integer::sum);
  }

  /** None is left. */
  public void clear() {
    idle.clear();
  }

  private static boolean stays(AgentEffect.Start start) {
    return start.jobInfo().spec().run().taskEnvironment().runner().isPresent();
  }
}
