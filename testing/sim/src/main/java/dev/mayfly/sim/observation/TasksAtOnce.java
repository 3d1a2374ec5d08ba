package dev.mayfly.sim.observation;

import dev.mayfly.core.agent.loop.TaskAttempt;
import java.util.HashMap;
import java.util.Map;

/** How many tasks of each job run at once, whoever looks when; those of a gang are one. */
public final class TasksAtOnce {
  /** Processes by attempt: a gang's has several. */
  private final Map<String, Integer> processes = new HashMap<>();

  private final Map<String, Long> running = new HashMap<>();
  private final Map<String, Long> lately = new HashMap<>();
  private final Map<String, Long> most = new HashMap<>();

  void began(TaskAttempt attempt) {
    if (processes.merge(attempt.toString(), 1, Integer::sum) > 1) return;
    var now = running.merge(attempt.lease().job(), 1L, Long::sum);
    lately.merge(attempt.lease().job(), now, Long::max);
    most.merge(attempt.lease().job(), now, Long::max);
  }

  void ended(TaskAttempt attempt) {
    if (processes.merge(attempt.toString(), -1, Integer::sum) > 0) return;
    processes.remove(attempt.toString());
    running.merge(attempt.lease().job(), -1L, Long::sum);
  }

  /** The most of the job at once, ever. */
  public long most(String job) {
    return most.getOrDefault(job, 0L);
  }

  /** The most of each job at once since this was asked last, by the job's uid. */
  public Map<String, Long> lately() {
    var seen = Map.copyOf(lately);
    lately.clear();
    lately.putAll(running);
    return seen;
  }
}
