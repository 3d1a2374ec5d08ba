package dev.mayfly.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TaskSetTest {
  @Test
  void indexesAreThoseOfTheJob() {
    var taskSet = TaskSet.none(100).with(100).with(107);

    assertThat(taskSet.has(107)).isTrue();
    assertThat(taskSet.has(7)).isFalse();
    assertThat(taskSet.indexes()).containsExactly(100L, 107L);
  }

  @Test
  void bytesKeepEverything() {
    var taskSet = TaskSet.none(5).with(5).with(70);

    assertThat(TaskSet.of(5, taskSet.toBytes())).isEqualTo(taskSet);
  }

  @Test
  void aRangeStartsAnew() {
    var part = TaskSet.none(0).with(3).with(8).within(5, 10);

    assertThat(part.first()).isEqualTo(5);
    assertThat(part.indexes()).containsExactly(8L);
  }

  @Test
  void aUnionLeavesOutWhatLiesBefore() {
    assertThat(TaskSet.none(5).or(TaskSet.none(0).with(1).with(6)).indexes()).containsExactly(6L);
  }

  @Test
  void nextClearStaysWithinTheRange() {
    var taskSet = TaskSet.where(0, 4, i -> true);

    assertThat(taskSet.nextClear(0, 4)).isEqualTo(4);
    assertThat(taskSet.nextClear(0, 9)).isEqualTo(4);
  }
}
