package dev.mayfly.core.agent;

import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.TaskItem;
import java.util.ArrayList;
import java.util.List;

/** One attempt from its start until nothing of it is left to do. */
final class TaskRun {
  final Attempt attempt;
  final HeldLease lease;
  final JobSheet sheet;
  final TaskItem item;
  final List<Integer> gpus;
  final Clocks began;
  private final List<Timers.Timer> timers = new ArrayList<>(1);
  private RunState state;

  TaskRun(
      Attempt attempt,
      HeldLease lease,
      JobSheet sheet,
      TaskItem item,
      List<Integer> gpus,
      Clocks began,
      RunState state) {
    this.state = state;
    this.attempt = attempt;
    this.lease = lease;
    this.sheet = sheet;
    this.item = item;
    this.gpus = gpus;
    this.began = began;
  }

  RunState state() {
    return state;
  }

  /** Goes on to {@code next}; what was to happen to the state before is called off. */
  void become(RunState next, Timers of) {
    timers.forEach(of::cancel);
    timers.clear();
    state = next;
  }

  /** Something that is to happen unless the state changes first. */
  void later(Timers.Timer timer) {
    timers.add(timer);
  }
}
