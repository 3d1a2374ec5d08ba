package dev.mayfly.core.state.worker;

import static java.time.Duration.ZERO;
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
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Tells jobs which of their tasks an agent ended because its machine ends, by Mayfly's plan or by
 * the cloud's notice: a machine that is replaced while work runs on it is an event of that work. So
 * is a task that another worker had been given when it already ran.
 */
public final class PlannedEnds {
  private PlannedEnds() {}

  /**
   * A lease that an agent gave back.
   *
   * @param after the shard without the lease
   */
  public record Returned(Job job, Shard after, List<AttemptFailure> failed) {}

  /** The events of the jobs; none if nothing ended by a plan or a notice, or was taken. */
  public static List<LedgerWrite> writes(
      Context context, Worker worker, List<Returned> returned, Instant now) {
    Map<LostHolder, RequeueEvents> byCause = new LinkedHashMap<>();
    for (var one : returned)
      tasks(worker.name(), one.failed())
          .forEach((cause, tasks) ->
              byCause
                  .computeIfAbsent(cause, RequeueEvents::new)
                  .add(one.job(), tasks, one.after().open()));
    var planned =
        byCause.values().stream()
            .flatMap(events -> events.writes(context, worker.cluster(), now).stream());
    return Stream.concat(planned, taken(context, worker, returned, now)).toList();
  }

  private static Stream<LedgerWrite> taken(
      Context context, Worker worker, List<Returned> returned, Instant now) {
    Map<String, List<AttemptFailure>> byJob = new TreeMap<>();
    for (var one : returned)
      for (var failure : one.failed())
        if (failure.cause() == FailureCause.TAKEN)
          byJob.computeIfAbsent(one.job().spec().address(), _ -> new ArrayList<>()).add(failure);
    return byJob.entrySet().stream()
        .limit(RequeueEvents.MOST_JOBS)
        .map(each ->
            new LedgerWrite.Put(
                context.event(
                    worker.cluster(),
                    now,
                    "job/" + each.getKey(),
                    "taken",
                    taken(worker.name(), each.getValue()))));
  }

  private static String taken(String worker, List<AttemptFailure> ended) {
    var ran = ended.stream().map(AttemptFailure::ranForNothing).reduce(ZERO, Duration::plus);
    var one = ended.size() == 1;
    return "%s ran on worker %s already when another worker got %s, because %s not known yet; %s %s"
        .formatted(
            RequeueEvents.named(ended.stream().map(AttemptFailure::index).sorted().toList()),
            worker,
            one ? "it" : "them",
            one ? "its start was" : "their starts were",
            HumanDuration.format(ran),
            one
                ? "of its work are lost, and it runs there"
                : "of their work are lost, and they run there");
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
            && failure.cause() != FailureCause.OUTRANKED
            && failure.cause() != FailureCause.TAKEN);
  }
}
