package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.OnDemandRules;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.LongStream;

/** Draws the states of a shard by applying each change to a shard in each state that allows it. */
final class ShardStateDiagram {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final Instant LATER = NOW.plusSeconds(1);
  private static final Shard.Owner OWNER = new Shard.Owner("w1", 1);
  private static final int TASKS = 4;

  /** One attempt on spot machines, and two in all. */
  private static final RetryRules RETRIES =
      new RetryRules(2, 2, new OnDemandRules(1, Optional.empty(), Duration.ZERO), List.of());

  private static final Shard READY =
      Shard.of(new DocumentKey.OfShard("c", "j", 0), TASKS, TaskSet.none(0));
  private static final Shard LEASED = ShardTransitions.grant(READY, OWNER, NOW);
  private static final Shard SPENT = lose(LEASED, 1);
  private static final Shard ALL_SPENT = lose(LEASED, TASKS);
  private static final Shard ENDED = release(LEASED, TASKS);
  private static final Shard STOPPED = ShardTransitions.stopTasks(READY, first(TASKS), NOW);

  private ShardStateDiagram() {}

  static String draw() {
    var text = new StringBuilder("\n## Shard\n\n");
    text.append(
        "Drawn from `ShardTransitions` and `ShardParting` in the same way, for a job whose tasks have one attempt on spot machines and two in all. A cut makes two shards and a parting several, each with a state of its own.\n\n");
    text.append(
        "```mermaid\nstateDiagram-v2\n  [*] --> READY\n  [*] --> ENDED: every output is there\n");
    edges()
        .forEach((from, to) ->
            to.forEach((state, changes) ->
                text.append(
                    "  %s --> %s: %s%n".formatted(from, state, String.join(", ", changes)))));
    return text.append("  ENDED --> [*]\n```\n").toString();
  }

  private static Map<Shard.State, Map<Shard.State, TreeSet<String>>> edges() {
    var edges = new EnumMap<Shard.State, Map<Shard.State, TreeSet<String>>>(Shard.State.class);
    for (var shard :
        List.of(
            READY,
            SPENT,
            ALL_SPENT,
            LEASED,
            ShardTransitions.grant(ALL_SPENT, OWNER, NOW),
            ENDED,
            STOPPED))
      changes(shard)
          .forEach((change, results) -> {
            for (var result : results)
              if (result.state() != shard.state())
                edges
                    .computeIfAbsent(shard.state(), _ -> new TreeMap<>())
                    .computeIfAbsent(result.state(), _ -> new TreeSet<>())
                    .add(change);
          });
    return edges;
  }

  /** The changes that a shard in this state may have, each with all results. */
  private static Map<String, List<Shard>> changes(Shard shard) {
    var changes = new TreeMap<String, List<Shard>>();
    switch (shard.state()) {
      case READY, SPENT -> {
        changes.put("grant", List.of(ShardTransitions.grant(shard, OWNER, NOW)));
        changes.put("cut", cuts(shard));
        changes.put("reopen", List.of(reopen(shard)));
        changes.put("reopenOnly", each(tasks -> reopenOnly(shard, tasks)));
        changes.put("stopTasks", each(tasks -> stop(shard, tasks)));
        changes.put("retryTasks", each(tasks -> retry(shard, tasks)));
      }
      case LEASED -> {
        changes.put(
            "checkpoint",
            each(done -> ShardTransitions.checkpoint(shard, report(shard, done), List.of(), NOW)));
        changes.put("release", each(done -> release(shard, done)));
        changes.put("lose", each(running -> lose(shard, running)));
        changes.put("stopTasks", each(tasks -> stop(shard, tasks)));
        changes.put("retryTasks", each(tasks -> retry(shard, tasks)));
        changes.put("part", parts(shard));
      }
      case ENDED -> {
        changes.put("reopen", List.of(reopen(shard)));
        changes.put("reopenOnly", each(tasks -> reopenOnly(shard, tasks)));
        changes.put("stopTasks", each(tasks -> stop(shard, tasks)));
        changes.put("retryTasks", each(tasks -> retry(shard, tasks)));
      }
    }
    return changes;
  }

  private static List<Shard> each(Function<Integer, Shard> change) {
    var results = new ArrayList<Shard>();
    for (var tasks = 0; tasks <= TASKS; tasks++) results.add(change.apply(tasks));
    return results;
  }

  private static List<Shard> cuts(Shard shard) {
    var results = new ArrayList<Shard>();
    for (var at = 1; at < TASKS; at++) {
      var cut = ShardTransitions.cut(shard, at, NOW);
      results.add(cut.rest());
      results.add(cut.child());
    }
    return results;
  }

  /** The holder runs the last task, is through with those before it, and the first is retried. */
  private static List<Shard> parts(Shard shard) {
    var retried = retry(shard, 1);
    var ref = new LeaseRef("j", shard.start(), shard.epoch());
    var report =
        new SyncReport.Lease(
            ref,
            TASKS,
            TaskSet.none(0),
            List.of(),
            List.of(TASKS - 1L),
            TASKS,
            false,
            List.of(),
            List.of());
    var parts = ShardParting.parts(retried, retried.again(), report);
    return ShardParting.cut(retried, parts, report, RETRIES, NOW);
  }

  private static TaskSet first(int tasks) {
    return TaskSet.where(0, TASKS, i -> i < tasks);
  }

  private static Shard stop(Shard shard, int tasks) {
    return ShardTransitions.stopTasks(shard, first(tasks), LATER);
  }

  private static Shard retry(Shard shard, int tasks) {
    return ShardTransitions.retryTasks(shard, first(tasks), LATER);
  }

  private static Shard reopenOnly(Shard shard, int tasks) {
    return ShardTransitions.reopenOnly(shard, first(tasks), TaskSet.none(0), LATER, NOW);
  }

  private static Shard reopen(Shard shard) {
    return ShardTransitions.reopen(shard, TaskSet.where(0, TASKS, _ -> true), NOW);
  }

  private static Shard release(Shard shard, int done) {
    return ShardTransitions.release(shard, report(shard, done), RETRIES, NOW);
  }

  /** The worker is preempted while the first tasks run. */
  private static Shard lose(Shard shard, int running) {
    var tasks = LongStream.range(0, running).boxed().toList();
    var holder = new ShardTransitions.LostHolder("w", FailureCause.PREEMPTED, "stopped");
    return ShardTransitions.lose(shard, tasks, holder, RETRIES, NOW);
  }

  private static SyncReport.Lease report(Shard shard, int done) {
    var ref = new LeaseRef("j", shard.start(), shard.epoch());
    var tasks = TaskSet.where(0, TASKS, i -> i < done);
    return new SyncReport.Lease(
        ref, shard.end(), tasks, List.of(), List.of(), shard.end(), true, List.of(), List.of());
  }
}
