package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/**
 * Decides into which parts a leased shard is cut so that tasks which a user retried, or which ended
 * for a higher priority, can run at once, elsewhere too.
 *
 * <p>A lease starts each task at most once. So a task that its agent has passed, and of which it
 * runs nothing, is over for that agent for good: what a report proves of it is true however late
 * the report is.
 */
public final class ShardParting {
  private ShardParting() {}

  /**
   * Some of a shard's tasks.
   *
   * @param to the index after the last
   * @param held whether its holder may still work on it
   */
  public record Part(long from, long to, boolean held) {}

  /**
   * The parts of the whole shard, by index; empty if it is to be left as it is.
   *
   * @param again the tasks that are to run again
   * @param report what the holder says of that lease
   */
  public static List<Part> parts(Shard shard, TaskSet again, SyncReport.Lease report) {
    if (shard.state() != Shard.State.LEASED || shard.gang().isPresent() || report.released())
      return List.of();
    var over = over(report);
    var freed = freed(again.without(shard.done()), report, over);
    if (freed.isEmpty()) return List.of();
    var parts = new ArrayList<Part>();
    for (var from = shard.start(); from < shard.end(); ) {
      var to = from + 1;
      while (to < shard.end() && freed.contains(to) == freed.contains(from)) to++;
      parts.add(new Part(from, to, !isOver(from, to, over)));
      from = to;
    }
    // With nothing left to do, its holder returns all of it.
    return parts.stream().anyMatch(Part::held) ? List.copyOf(parts) : List.of();
  }

  /**
   * Whether the holder is through with one of these tasks, so that a look at the shard is worth it.
   *
   * @param again what is to run again
   */
  public static boolean frees(TaskSet again, SyncReport.Lease report) {
    return !again.isEmpty() && !report.released() && !freed(again, report, over(report)).isEmpty();
  }

  private static Set<Long> freed(TaskSet again, SyncReport.Lease report, LongPredicate over) {
    return again.without(report.done()).indexes().filter(over).boxed().collect(Collectors.toSet());
  }

  private static boolean isOver(long from, long to, LongPredicate over) {
    for (var i = from; i < to; i++) if (!over.test(i)) return false;
    return true;
  }

  /** Whether nothing of a task runs at the holder and nothing will. */
  private static LongPredicate over(SyncReport.Lease report) {
    var failed = new HashSet<Long>();
    for (AttemptFailure attempt : report.failed()) failed.add(attempt.index());
    var running = Set.copyOf(report.running());
    return i -> (i < report.cursor() || failed.contains(i)) && !running.contains(i);
  }

  /**
   * Cuts a leased shard into parts, each a shard of its own. Those that its holder still works on
   * stay leased, with all that is known of their attempts, and the lease of the others ends as
   * their holder reports it.
   *
   * @param report of the whole lease
   * @return the parts by index; the first is the shard itself
   */
  public static List<Shard> cut(
      Shard shard, List<Part> parts, SyncReport.Lease report, RetryRules retries, Instant now) {
    var all = new ArrayList<Shard>();
    for (var part : parts) {
      var piece = piece(shard, part.from(), part.to(), parts);
      all.add(
          part.held()
              ? ShardTransitions.checkpoint(raised(piece), report, retries.exitCodes(), now)
              : ShardTransitions.release(piece, report, retries, now));
    }
    return all;
  }

  private static Shard piece(Shard shard, long from, long to, List<Part> parts) {
    if (from == shard.start())
      // Evidence of tasks that an earlier version cut off stays where it was.
      return new ShardBuilder(shard)
          .range(from, to)
          .evidence(i -> i < to || i >= parts.getLast().to())
          .build();
    var key = new DocumentKey.OfShard(shard.cluster(), shard.job(), from);
    return new ShardBuilder(Shard.of(key, to, TaskSet.none(from)))
        .holdAs(shard, from, to)
        .evidence(shard.evidence(), shard.evidence())
        .evidence(i -> i >= from && i < to)
        .build();
  }

  private static Shard raised(Shard shard) {
    return new ShardBuilder(shard).state(shard.state(), shard.owner(), shard.epoch() + 1).build();
  }
}
