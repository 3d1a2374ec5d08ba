package dev.mayfly.core.state.worker;

import dev.mayfly.core.lifecycle.ShardTransitions.LostHolder;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Tells jobs which of their tasks an agent ended because its machine ends, by Mayfly's plan or by
 * the cloud's notice: a machine that is replaced while work runs on it is an event of that work.
 */
public final class PlannedEnds {
  private final String worker;
  private final Map<LostHolder, RequeueEvents> byCause = new LinkedHashMap<>();

  public PlannedEnds(String worker) {
    this.worker = worker;
  }

  /**
   * Records a lease that its agent gave back.
   *
   * @param after the shard without the lease
   */
  public void add(Job job, Shard after, List<AttemptFailure> failed) {
    failed.stream()
        .filter(PlannedEnds::isPlanned)
        .collect(
            Collectors.groupingBy(
                f -> new LostHolder(worker, f.cause(), f.evidence()),
                LinkedHashMap::new,
                Collectors.mapping(AttemptFailure::index, Collectors.toList())))
        .forEach((cause, tasks) ->
            byCause.computeIfAbsent(cause, RequeueEvents::new).add(job, tasks, after.open()));
  }

  private static boolean isPlanned(AttemptFailure failure) {
    return failure.cause() == FailureCause.PREEMPTED
        || failure.cause().budget() == FailureCause.Budget.PLATFORM;
  }

  public List<LedgerWrite> writes(Context context, String cluster, Instant now) {
    return byCause.values().stream()
        .flatMap(events -> events.writes(context, cluster, now).stream())
        .toList();
  }
}
