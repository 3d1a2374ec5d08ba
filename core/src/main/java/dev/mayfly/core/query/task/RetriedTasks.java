package dev.mayfly.core.query.task;

import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Says why tasks that a user retried do not run yet although machines may stand idle: the machine
 * that holds them with others may have more to do with them.
 */
public final class RetriedTasks {
  private static final int MOST_NAMED = 5;

  private static final String UNTIL =
      "once %s, which holds %s with others, reports that nothing of %s runs there; at the latest"
          + " when these have ended";

  private RetriedTasks() {}

  /** For one task that does not run; empty if it waits for nothing of that kind. */
  static Optional<String> of(Shard shard, long index) {
    if (!waiting(shard).contains(index)) return Optional.empty();
    return Optional.of("it was retried, and runs again " + until(holder(shard), 1));
  }

  /**
   * For all tasks of some leased shards; empty without such a task.
   *
   * @param workers their holders
   */
  public static Optional<String> of(List<Shard> leased, List<Worker> workers) {
    var running = new HashSet<String>();
    for (var worker : workers)
      for (var held : worker.held()) held.running().forEach(i -> running.add(held.job() + " " + i));
    var tasks = new TreeSet<Long>();
    var holders = new TreeSet<String>();
    for (var shard : leased) {
      var waiting =
          waiting(shard).stream().filter(i -> !running.contains(shard.job() + " " + i)).toList();
      tasks.addAll(waiting);
      if (!waiting.isEmpty()) holders.add(holder(shard));
    }
    if (tasks.isEmpty()) return Optional.empty();
    var names = tasks.stream().limit(MOST_NAMED).map(String::valueOf).toList();
    var more = tasks.size() > MOST_NAMED ? " and %d more".formatted(tasks.size() - MOST_NAMED) : "";
    return Optional.of(
        "%s %s%s %s retried, and %s again %s"
            .formatted(
                tasks.size() == 1 ? "task" : "tasks",
                String.join(", ", names),
                more,
                tasks.size() == 1 ? "was" : "were",
                tasks.size() == 1 ? "runs" : "run",
                until(String.join(", ", holders), tasks.size())));
  }

  private static Set<Long> waiting(Shard shard) {
    if (shard.state() != Shard.State.LEASED || shard.gang().isPresent()) return Set.of();
    return shard.again().without(shard.done()).indexes().boxed().collect(Collectors.toSet());
  }

  private static String holder(Shard shard) {
    return shard.owner().map(Shard.Owner::worker).orElse("its machine");
  }

  private static String until(String holders, int tasks) {
    var them = tasks == 1 ? "it" : "them";
    return UNTIL.formatted(holders, them, them);
  }
}
