package dev.mayfly.core.plan.preemption;

import static java.util.Comparator.comparing;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Resources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Running tasks of one worker whose end makes room for one waiting task, none of them needlessly.
 *
 * @param tasks those that lose least first
 */
record Victims(String worker, List<Task> tasks) {
  /**
   * A running task that may end.
   *
   * @param job its job's uid
   * @param priority of its job
   */
  record Task(LeaseRef lease, long index, String job, int priority, Resources need, TaskLoss loss) {
    /** Lower priorities first, then those that lose less. */
    static final Comparator<Task> ORDER =
        comparing(Task::priority)
            .thenComparing(task -> task.loss.all())
            .thenComparing(Task::job)
            .thenComparing(task -> task.lease.start())
            .thenComparing(Task::index);
  }

  /** Those of the lowest priority first, then those that lose least together. */
  static final Comparator<Victims> ORDER =
      comparing(Victims::highest)
          .thenComparing(Victims::lost)
          .thenComparing(it -> it.tasks.size())
          .thenComparing(Victims::worker);

  Victims {
    tasks = List.copyOf(tasks);
  }

  /**
   * The first of these tasks that make room, without those that are not needed for it; none if all
   * of them do not.
   *
   * @param makesRoom whether some tasks do
   */
  static List<Task> needed(List<Task> candidates, Predicate<List<Task>> makesRoom) {
    var some = new ArrayList<Task>();
    for (var task : candidates) {
      some.add(task);
      if (makesRoom.test(some)) return withoutNeedless(some, makesRoom);
    }
    return List.of();
  }

  /** Those that would lose most are spared first. */
  private static List<Task> withoutNeedless(List<Task> some, Predicate<List<Task>> makesRoom) {
    var needed = some;
    for (var i = some.size() - 1; i >= 0; i--) {
      var spared = some.get(i);
      var rest = needed.stream().filter(task -> !task.equals(spared)).toList();
      if (!rest.isEmpty() && makesRoom.test(rest)) needed = new ArrayList<>(rest);
    }
    return needed;
  }

  private int highest() {
    return tasks.stream().mapToInt(Task::priority).max().orElse(0);
  }

  private Duration lost() {
    return tasks.stream().map(task -> task.loss.all()).reduce(Duration.ZERO, Duration::plus);
  }
}
