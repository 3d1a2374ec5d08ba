package dev.mayfly.core.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds jobs that wait for one another in a circle, so that none of them could start. */
public final class PredecessorCycle {
  private final Map<String, List<String>> predecessors;
  private final Set<String> done = new HashSet<>();
  private final List<String> path = new ArrayList<>();
  private final Set<String> onPath = new HashSet<>();

  private PredecessorCycle(Map<String, List<String>> predecessors) {
    this.predecessors = predecessors;
  }

  /**
   * The jobs of one cycle, each followed by one that it waits for; empty if there is none. Equal
   * maps give equal cycles.
   *
   * @param predecessors of each job; those that are not keys themselves are in no cycle
   */
  public static Optional<List<String>> find(Map<String, List<String>> predecessors) {
    var search = new PredecessorCycle(new LinkedHashMap<>(predecessors));
    return predecessors.keySet().stream()
        .sorted()
        .map(search::from)
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Iterative, because a chain may be longer than the stack is deep. */
  private Optional<List<String>> from(String start) {
    var pending = new ArrayList<List<String>>();
    if (done.contains(start)) return Optional.empty();
    enter(start, pending);
    while (!path.isEmpty()) {
      var open = pending.getLast();
      if (open.isEmpty()) {
        var left = path.removeLast();
        onPath.remove(left);
        done.add(left);
        pending.removeLast();
        continue;
      }
      var next = open.removeLast();
      if (onPath.contains(next))
        return Optional.of(List.copyOf(path.subList(path.indexOf(next), path.size())));
      if (!done.contains(next) && predecessors.containsKey(next)) enter(next, pending);
    }
    return Optional.empty();
  }

  private void enter(String job, List<List<String>> pending) {
    path.add(job);
    onPath.add(job);
    pending.add(new ArrayList<>(predecessors.getOrDefault(job, List.of())));
  }
}
