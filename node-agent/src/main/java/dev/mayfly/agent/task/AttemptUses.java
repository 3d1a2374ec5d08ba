package dev.mayfly.agent.task;

import dev.mayfly.agent.metrics.MachineProcesses;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.TaskUse;
import dev.mayfly.core.text.HumanAmounts;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** Looks at what attempts use, and reports it. */
record AttemptUses(Consumer<AgentEvent> events) {
  /** Looks at what a running attempt uses, and reports it from time to time. */
  void look(AttemptState attemptState, MachineProcesses processes) {
    var use = attemptState.use();
    var first = attemptState.measuredProcess();
    if (use.isEmpty() || first.isEmpty()) return;
    use.get().look(first.get(), processes);
    use.get().news(System.nanoTime()).ifPresent(it -> report(attemptState, it));
  }

  /**
   * Reports what an ended attempt used; call it while its control group is there. One that was
   * never looked at is not measured.
   */
  Optional<TaskUse> last(AttemptState attemptState) {
    var use = attemptState.use();
    if (use.isEmpty() || use.get().last(System.nanoTime()).isEmpty()) return Optional.empty();
    attemptState
        .measuredProcess()
        .ifPresent(pid -> use.get().look(pid, new MachineProcesses(Path.of("/proc"))));
    var last = use.get().last(System.nanoTime());
    last.ifPresent(it -> report(attemptState, it));
    return last;
  }

  private void report(AttemptState attemptState, TaskUse use) {
    events.accept(new AgentEvent.UseMeasured(attemptState.attempt(), use));
  }

  /** What is said of an attempt that lacked memory: first how much it had, then its last words. */
  static String withPeak(Optional<FailureCause> cause, Optional<TaskUse> used, String evidence) {
    if (used.isEmpty() || !cause.equals(Optional.of(FailureCause.OUT_OF_MEMORY))) return evidence;
    var peak =
        "it had %s of memory a second before at most"
            .formatted(HumanAmounts.gib(used.get().peakMemory()));
    return AttemptFailure.fit(
        evidence.isBlank() ? peak : peak + ". Its last words: " + evidence.strip());
  }
}
