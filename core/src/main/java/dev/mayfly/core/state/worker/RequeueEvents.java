package dev.mayfly.core.state.worker;

import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Tells each job which of its tasks a lost worker ran, or a drained one was running: one event a
 * job, in the commit that gives the leases back. The worker's own event names no job.
 */
final class RequeueEvents {
  /** The most jobs with an event for one loss; further ones have their evidence only. */
  static final int MOST_JOBS = 20;

  private static final int MOST_NAMED = 10;

  private record Requeued(List<Long> charged, long open) {}

  private final ShardTransitions.LostHolder lostHolder;
  private final Map<String, List<Requeued>> byJob = new TreeMap<>();

  RequeueEvents(ShardTransitions.LostHolder lostHolder) {
    this.lostHolder = lostHolder;
  }

  /** Records a lease that goes back, with the tasks that may have been running. */
  void add(Job job, Shard before, Shard after, List<Long> running) {
    var charged =
        running.stream()
            .filter(i -> before.has(i))
            .filter(i -> counted(after, i) > counted(before, i));
    add(job, charged.toList(), after.open());
  }

  /** Records a lease that goes back, with the tasks that were ended. */
  void add(Job job, List<Long> ended, long open) {
    byJob
        .computeIfAbsent(job.spec().address(), _ -> new ArrayList<>())
        .add(new Requeued(ended, open));
  }

  private static int counted(Shard shard, long index) {
    return shard.infrastructure().at(index) + shard.interruptions().at(index);
  }

  List<LedgerWrite> writes(Context context, String cluster, Instant now) {
    return byJob.entrySet().stream()
        .limit(MOST_JOBS)
        .map(e -> context.event(cluster, now, "job/" + e.getKey(), "requeued", why(e.getValue())))
        .<LedgerWrite>map(LedgerWrite.Put::new)
        .toList();
  }

  private String why(List<Requeued> requeued) {
    var charged = requeued.stream().flatMap(r -> r.charged().stream()).sorted().toList();
    var open = requeued.stream().mapToLong(Requeued::open).sum();
    return "%s on worker %s: %s; %s back in the queue"
        .formatted(
            (charged.isEmpty() ? "no running task" : named(charged)) + " " + cause(),
            lostHolder.worker(),
            AttemptFailure.fit(lostHolder.reason()),
            HumanAmounts.count(open, "open task") + (open == 1 ? " is" : " are"));
  }

  private String cause() {
    return lostHolder.cause().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** {@code task 7}, {@code tasks 0, 3, 4 and 12 more}. */
  static String named(List<Long> tasks) {
    var some = tasks.stream().limit(MOST_NAMED).map(String::valueOf);
    var more = tasks.size() - MOST_NAMED;
    return (tasks.size() == 1 ? "task " : "tasks ")
        + some.collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + " more" : "");
  }
}
