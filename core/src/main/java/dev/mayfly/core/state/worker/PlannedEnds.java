package dev.mayfly.core.state.worker;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import dev.mayfly.core.lifecycle.ShardTransitions.LostHolder;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells jobs which of their tasks an agent ended because its machine ends, by Mayfly's plan or by
 * the cloud's notice: a machine that is replaced while work runs on it is an event of that work.
 */
public final class PlannedEnds {
  private PlannedEnds() {}

  /**
   * A lease that an agent gave back.
   *
   * @param after the shard without the lease
   */
  public record Returned(Job job, Shard after, List<AttemptFailure> failed) {}

  /** The events of the jobs; none if nothing ended by a plan or a notice. */
  public static List<LedgerWrite> writes(
      Context context, Worker worker, List<Returned> returned, Instant now) {
    Map<LostHolder, RequeueEvents> byCause = new LinkedHashMap<>();
    for (var one : returned)
      tasks(worker.name(), one.failed())
          .forEach((cause, tasks) ->
              byCause
                  .computeIfAbsent(cause, RequeueEvents::new)
                  .add(one.job(), tasks, one.after().open()));
    return byCause.values().stream()
        .flatMap(events -> events.writes(context, worker.cluster(), now).stream())
        .toList();
  }

  private static Map<LostHolder, List<Long>> tasks(String worker, List<AttemptFailure> failed) {
    return failed.stream()
        .filter(PlannedEnds::isPlanned)
        .collect(
            groupingBy(
                f -> new LostHolder(worker, f.cause(), f.evidence()),
                LinkedHashMap::new,
                mapping(AttemptFailure::index, toList())));
  }

  private static boolean isPlanned(AttemptFailure failure) {
    // Of what ends for a higher priority the job is told when that is decided.
    return failure.cause() == FailureCause.PREEMPTED
        || (failure.cause().budget() == FailureCause.Budget.PLATFORM
            && failure.cause() != FailureCause.OUTRANKED);
  }
}
