package dev.mayfly.core.plan.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShardAssignmentTest {
  private static Shard shard(long start, long end) {
    return Shard.of(new DocumentKey.OfShard("c", "j", start), end, TaskSet.none(start));
  }

  private static ShardAssignment.Candidate candidate(String name, long want) {
    return new ShardAssignment.Candidate(name, want, false);
  }

  private static List<ShardAssignment.Candidate> buyers(int n, long want, boolean idle) {
    return IntStream.range(0, n)
        .mapToObj(i -> new ShardAssignment.Candidate("w" + i, want, idle))
        .toList();
  }

  @Test
  void everyWorkerGetsOneShardBeforeSecondOnes() {
    var assigned =
        ShardAssignment.assign(
            List.of(candidate("a", 10), candidate("b", 10)),
            List.of(shard(0, 1), shard(1, 2), shard(2, 3)));

    assertThat(assigned.get("a")).extracting(Shard::start).containsExactly(0L, 2L);
    assertThat(assigned.get("b")).extracting(Shard::start).containsExactly(1L);
  }

  @Test
  void noWorkerGetsMuchMoreThanWanted() {
    var assigned =
        ShardAssignment.assign(
            List.of(candidate("a", 2)), List.of(shard(0, 1), shard(1, 2), shard(2, 3)));

    assertThat(assigned.get("a")).hasSize(2);
  }

  @Test
  void workerWantingNothingGetsNothing() {
    assertThat(ShardAssignment.assign(List.of(candidate("a", 0)), List.of(shard(0, 1)))).isEmpty();
  }

  @Test
  void oneShardForThreeWorkersIsCutInThree() {
    var cuts = ShardAssignment.splitPoints(List.of(shard(0, 9)), buyers(3, 50, true), 16);

    assertThat(cuts.values()).containsExactly(List.of(3L, 6L));
  }

  @Test
  void theLargestIsCutFirst() {
    var cuts =
        ShardAssignment.splitPoints(List.of(shard(0, 2), shard(2, 12)), buyers(3, 50, true), 16);

    assertThat(cuts.keySet()).extracting(Shard::start).containsExactly(2L);
  }

  @Test
  void aSingleTaskIsNotCut() {
    assertThat(ShardAssignment.splitPoints(List.of(shard(0, 1)), buyers(5, 50, true), 16))
        .isEmpty();
  }

  @Test
  void cutsDivideOpenTasksOnly() {
    var done = TaskSet.where(0, 10, i -> i < 6);
    var shard = Shard.of(new DocumentKey.OfShard("c", "j", 0), 10, done);

    assertThat(ShardAssignment.splitPoints(List.of(shard), buyers(2, 50, true), 16).get(shard))
        .containsExactly(8L);
  }

  @Test
  void thereAreNeverMoreChildrenThanAllowed() {
    var shard = shard(0, 1_000);

    assertThat(ShardAssignment.splitPoints(List.of(shard), buyers(100, 50, true), 16).get(shard))
        .hasSize(15);
  }

  @Test
  void idleWorkerGetsWholeShard() {
    assertThat(
            ShardAssignment.splitPoints(
                List.of(shard(0, 100), shard(100, 200)), buyers(2, 4, true), 16))
        .isEmpty();
  }

  @Test
  void idleWorkerLeavesOthersWhatTheyCouldStart() {
    var small = new ShardAssignment.Candidate("small", 4, true);
    var candidates = List.of(small, candidate("large", 12));

    var cuts = ShardAssignment.splitPoints(List.of(shard(0, 10), shard(10, 12)), candidates, 16);

    assertThat(cuts.values()).containsExactly(List.of(4L));
    var parts = List.of(shard(0, 4), shard(4, 10), shard(10, 12));
    var assigned = ShardAssignment.assign(candidates, parts);
    assertThat(assigned.get("small")).extracting(Shard::start).containsExactly(0L);
    assertThat(assigned.get("large")).extracting(Shard::start).containsExactly(4L, 10L);
  }

  @Test
  void busyWorkerGetsOnlyWhatItWants() {
    var ready = List.of(shard(0, 100), shard(100, 200));
    var candidates = List.of(candidate("a", 3), candidate("b", 2));

    var cuts = ShardAssignment.splitPoints(ready, candidates, 16);

    assertThat(cuts.values()).containsExactly(List.of(3L, 5L));
    var parts = List.of(shard(0, 3), shard(3, 5), shard(5, 100), shard(100, 200));
    var assigned = ShardAssignment.assign(candidates, parts);
    assertThat(assigned.get("a")).extracting(Shard::start).containsExactly(0L);
    assertThat(assigned.get("b")).extracting(Shard::start).containsExactly(3L);
  }

  @Test
  void fewTasksAreSharedAmongBusyWorkers() {
    assertThat(ShardAssignment.splitPoints(List.of(shard(0, 6)), buyers(3, 4, false), 16).values())
        .containsExactly(List.of(2L, 4L));
  }

  @Test
  void shardIsNotCutForSmallRemainder() {
    assertThat(ShardAssignment.splitPoints(List.of(shard(0, 29)), buyers(1, 20, false), 16))
        .isEmpty();
    assertThat(ShardAssignment.splitPoints(List.of(shard(0, 31)), buyers(1, 20, false), 16))
        .hasSize(1);
  }
}
