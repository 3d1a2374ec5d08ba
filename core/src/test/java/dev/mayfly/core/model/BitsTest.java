package dev.mayfly.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BitsTest {
  @Test
  void indexesAreThoseOfTheJob() {
    var bits = Bits.none(100).with(100).with(107);

    assertThat(bits.has(107)).isTrue();
    assertThat(bits.has(7)).isFalse();
    assertThat(bits.indexes()).containsExactly(100L, 107L);
  }

  @Test
  void bytesKeepEverything() {
    var bits = Bits.none(5).with(5).with(70);

    assertThat(Bits.of(5, bits.toBytes())).isEqualTo(bits);
  }

  @Test
  void aRangeStartsAnew() {
    var part = Bits.none(0).with(3).with(8).within(5, 10);

    assertThat(part.first()).isEqualTo(5);
    assertThat(part.indexes()).containsExactly(8L);
  }

  @Test
  void aUnionLeavesOutWhatLiesBefore() {
    assertThat(Bits.none(5).or(Bits.none(0).with(1).with(6)).indexes()).containsExactly(6L);
  }

  @Test
  void nextClearStaysWithinTheRange() {
    var bits = Bits.where(0, 4, i -> true);

    assertThat(bits.nextClear(0, 4)).isEqualTo(4);
    assertThat(bits.nextClear(0, 9)).isEqualTo(4);
  }
}
