package dev.mayfly.core.plan.pace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What tasks take, by ranges of them. */
class MeasuredTasksTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final int SLOTS = 4;

  private static Shard ready(long start, long size) {
    return Shard.of(new DocumentKey.OfShard("c", "j", start), start + size, TaskSet.none(start));
  }

  private static Shard leased(long start, long size, String worker, int since) {
    return ShardTransitions.grant(
        ready(start, size), new Shard.Owner(worker, 1), T0.plusSeconds(since));
  }

  /** The first of its tasks are done at a time. */
  private static Shard done(Shard shard, long tasks, int at) {
    var done = TaskSet.where(shard.start(), shard.start() + tasks, _ -> true);
    var report =
        new SyncReport.Lease(
            shard.lease(),
            shard.end(),
            done,
            List.of(),
            List.of(),
            shard.start() + tasks,
            false,
            List.of(),
            List.of());
    return ShardTransitions.checkpoint(shard, report, List.of(), T0.plusSeconds(at));
  }

  private static Optional<Duration> each(int now, Shard... shards) {
    return MeasuredTasks.each(List.of(shards), SLOTS, T0.plusSeconds(now));
  }

  private static Optional<Duration> seconds(int n) {
    return Optional.of(Duration.ofSeconds(n));
  }

  @Test
  void nothingIsKnownBeforeATaskIsDone() {
    assertThat(each(10)).isEmpty();
    assertThat(each(10, ready(0, 8), leased(8, 8, "w", 0))).isEmpty();
  }

  @Test
  void tasksOfARangeRunSideBySide() {
    // 40 tasks in 20 s, four at a time.
    assertThat(each(20, done(leased(0, 100, "w", 0), 40, 20))).isEqualTo(seconds(2));
    // No more run at a time than there are.
    assertThat(each(20, done(leased(0, 2, "w", 0), 1, 20))).isEqualTo(seconds(40));
  }

  @Test
  void rangesCountByTheirTasks() {
    var fast = done(leased(0, 100, "a", 0), 60, 30);
    var slow = done(leased(100, 100, "b", 0), 20, 30);

    // 240 s of places for 80 tasks.
    assertThat(each(30, fast, slow)).isEqualTo(seconds(3));
  }

  @Test
  void anotherLeaseOfARangeTellsNothing() {
    var once = done(leased(0, 100, "a", 0), 40, 20);
    var again =
        ShardTransitions.lose(
            once,
            List.of(),
            new ShardTransitions.LostHolder("a", FailureCause.PREEMPTED, "taken back"),
            SpecFixtures.retries(3),
            T0.plusSeconds(30));
    var twice = ShardTransitions.grant(again, new Shard.Owner("b", 1), T0.plusSeconds(40));

    assertThat(each(50, done(twice, 44, 50))).isEmpty();
  }

  @Test
  void lateTasksMakeItUnknown() {
    // 2 s each: the 60 that are left take 30 s, and the ledger knows it 30 s later.
    var shard = done(leased(0, 100, "w", 0), 40, 20);

    assertThat(each(82, shard)).isEqualTo(seconds(2));
    assertThat(each(83, shard)).isEmpty();
  }

  @Test
  void oneMachineWithLateTasksIsEnough() {
    var known = done(leased(0, 100, "a", 0), 40, 20);
    var late = leased(100, 4, "b", 0);

    assertThat(each(34, known, late)).isEqualTo(seconds(2));
    assertThat(each(35, known, late)).isEmpty();
  }

  @Test
  void rangesOfOneMachineShareItsPlaces() {
    // 2 s each: three ranges of four tasks take 6 s there, and not 2 s.
    var known = done(leased(0, 40, "a", 0), 40, 20);
    var held = List.of(leased(40, 4, "b", 20), leased(44, 4, "b", 20), leased(48, 4, "b", 20));

    assertThat(each(58, known, held.get(0), held.get(1), held.get(2))).isEqualTo(seconds(2));
    assertThat(each(59, known, held.get(0), held.get(1), held.get(2))).isEmpty();
  }
}
