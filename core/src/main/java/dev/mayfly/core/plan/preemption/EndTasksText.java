package dev.mayfly.core.plan.preemption;

import dev.mayfly.core.plan.model.PlanDecision.EndTasks;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Words for the job whose running tasks end for another one. */
public final class EndTasksText {
  private static final int MOST_NAMED = 10;

  private EndTasksText() {}

  /**
   * @param victims some of the decision's
   */
  public static String of(EndTasks end, List<EndTasks.Victim> victims) {
    var one = victims.size() == 1;
    return "%s %s on worker %s %s ended for job %s of priority %d (preemption: running); %s; %s again when there is room"
        .formatted(
            one ? "task" : "tasks",
            named(victims),
            end.worker(),
            one ? "is" : "are",
            end.taker().address(),
            end.taker().priority(),
            lost(victims),
            one ? "it runs" : "they run");
  }

  private static String named(List<EndTasks.Victim> victims) {
    var more = victims.size() - MOST_NAMED;
    return victims.stream()
            .limit(MOST_NAMED)
            .map(victim -> String.valueOf(victim.index()))
            .collect(Collectors.joining(", "))
        + (more > 0 ? " and %d more".formatted(more) : "");
  }

  private static String lost(List<EndTasks.Victim> victims) {
    var lost = victims.stream().map(EndTasks.Victim::lost).reduce(Duration.ZERO, Duration::plus);
    var since =
        victims.stream().allMatch(EndTasks.Victim::kept)
            ? "checkpoint"
            : victims.stream().anyMatch(EndTasks.Victim::kept) ? "checkpoint or start" : "start";
    return victims.size() == 1
        ? "%s since its %s are lost".formatted(HumanDuration.format(lost), since)
        : "%s since their %ss are lost together".formatted(HumanDuration.format(lost), since);
  }
}
