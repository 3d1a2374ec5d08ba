package dev.mayfly.core.agent.task;

import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.loop.TimerQueue;
import dev.mayfly.core.sentinel.SharedSentinels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Attempts that wait for a sentinel in one object: until all tasks of their block wait, or the
 * first has waited long enough, or nothing more will come.
 */
final class SealGroups {
  /** The longest wait; as long as the agent waits with its report of tasks that ended. */
  static final Duration WINDOW = Duration.ofSeconds(1);

  private final AgentContext agentContext;
  private final Consumer<List<TaskRun>> seal;
  private final Map<Key, Group> groups = new LinkedHashMap<>();
  private int waiting;

  private record Key(String job, long block) {
    static Key of(TaskRun run) {
      return new Key(run.jobInfo.job(), run.taskAttempt.index() / SharedSentinels.BLOCK);
    }
  }

  private record Group(Set<TaskRun> runs, TimerQueue.Timer timer) {}

  /**
   * @param seal seals attempts of one job
   */
  SealGroups(AgentContext agentContext, Consumer<List<TaskRun>> seal) {
    this.agentContext = agentContext;
    this.seal = seal;
  }

  /** How many attempts wait. */
  int waiting() {
    return waiting;
  }

  void add(TaskRun run) {
    var key = Key.of(run);
    var group = groups.computeIfAbsent(key, this::begin);
    if (group.runs.add(run)) waiting++;
    if (group.runs.size() == SharedSentinels.BLOCK) end(key);
  }

  private Group begin(Key key) {
    var timer = agentContext.timerQueue.set(agentContext.now(), WINDOW, () -> end(key));
    return new Group(new LinkedHashSet<>(), timer);
  }

  /** The attempt has ended, or is to wait no longer. */
  void remove(TaskRun run) {
    var key = Key.of(run);
    var group = groups.get(key);
    if (group == null || !group.runs.remove(run)) return;
    waiting--;
    if (!group.runs.isEmpty()) return;
    groups.remove(key);
    agentContext.timerQueue.cancel(group.timer);
  }

  /**
   * Seals what waits.
   *
   * @param complete whether nothing more of the job will join soon
   */
  void end(Predicate<String> complete) {
    for (var key : List.copyOf(groups.keySet())) if (complete.test(key.job)) end(key);
  }

  /** How many attempts of the job wait. */
  int waiting(String job) {
    var all = 0;
    for (var each : groups.entrySet())
      if (each.getKey().job.equals(job)) all += each.getValue().runs.size();
    return all;
  }

  private void end(Key key) {
    var group = Objects.requireNonNull(groups.remove(key));
    agentContext.timerQueue.cancel(group.timer);
    waiting -= group.runs.size();
    seal.accept(new ArrayList<>(group.runs));
  }
}
