package dev.mayfly.core.query.task;

import static java.time.temporal.ChronoUnit.SECONDS;
import static java.util.Comparator.naturalOrder;
import static java.util.stream.Collectors.groupingBy;

import dev.mayfly.core.model.Outranked;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.capacity.OutrankedTasks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says of running tasks that they are ending for a job of a higher priority. */
public final class EndingTasks {
  private static final int MOST_NAMED = 5;

  private EndingTasks() {}

  /** Those of one worker that end for one job. */
  private record Group(String worker, String taker, int priority) {}

  /** For one task that runs on the worker. */
  static Optional<String> of(String job, long index, Worker holder, Instant now) {
    return pending(holder, job, now).stream()
        .filter(it -> it.index() == index)
        .findFirst()
        .map(it -> text("it ends", List.of(it), "it runs again when there is room"));
  }

  /**
   * A sentence for each worker and job for which some end; empty without such a task.
   *
   * @param job whose tasks end, by uid
   * @param workers all that may hold tasks of it
   */
  public static List<String> of(String job, List<Worker> workers, Instant now) {
    var sentences = new ArrayList<String>();
    for (var worker : workers)
      pending(worker, job, now).stream()
          .collect(
              groupingBy(
                  it -> new Group(worker.name(), it.by(), it.priority()),
                  LinkedHashMap::new,
                  Collectors.toList()))
          .forEach((group, tasks) -> sentences.add(sentence(group, tasks)));
    return sentences;
  }

  private static List<Outranked> pending(Worker worker, String job, Instant now) {
    return worker.held().stream()
        .filter(held -> held.job().equals(job))
        .flatMap(held -> OutrankedTasks.pending(held, now).stream())
        .toList();
  }

  private static String sentence(Group group, List<Outranked> tasks) {
    var more = tasks.size() - MOST_NAMED;
    var named =
        tasks.stream()
                .map(Outranked::index)
                .sorted()
                .limit(MOST_NAMED)
                .map(String::valueOf)
                .collect(Collectors.joining(", "))
            + (more > 0 ? " and %d more".formatted(more) : "");
    var one = tasks.size() == 1;
    return text(
        "%s %s on %s %s"
            .formatted(one ? "task" : "tasks", named, group.worker(), one ? "ends" : "end"),
        tasks,
        one ? "it runs again when there is room" : "they run again when there is room");
  }

  private static String text(String what, List<Outranked> tasks, String then) {
    var first = tasks.getFirst();
    var until = tasks.stream().map(Outranked::until).max(naturalOrder()).orElseThrow();
    return "%s now for job %s of priority %d (preemption: running), by %s at the latest; %s"
        .formatted(what, first.by(), first.priority(), until.truncatedTo(SECONDS), then);
  }
}
