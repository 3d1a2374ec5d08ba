package dev.mayfly.core.model.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HostArrivalsTest {
  private static final Instant ORDER = Instant.parse("2026-11-21T10:00:00Z");
  private static final Duration AWAITED = Duration.ofMinutes(2);

  private static WorkerState.Booting booting(Optional<Instant> hostsUntil) {
    var deadline = ORDER.plus(Duration.ofMinutes(10));
    return new WorkerState.Booting(ORDER, deadline, "op", Optional.empty(), hostsUntil);
  }

  /** The time after the order until which the others are awaited. */
  private static Duration until(Duration first) {
    var arrivals = new HostArrivals(2, Map.of(0, ORDER.plus(first)));
    var until = arrivals.until(booting(Optional.empty()), AWAITED);
    return Duration.between(ORDER, until.orElseThrow());
  }

  @Test
  void sliceIsGivenUpSoonerAfterItsFirstHost() {
    assertThat(until(Duration.ofMinutes(1))).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void slowHostsHaveTwiceTheTimeOfTheFirst() {
    assertThat(until(Duration.ofMinutes(3))).isEqualTo(Duration.ofMinutes(9));
  }

  @Test
  void lateFirstHostGivesTheOthersTwoMinutes() {
    assertThat(until(Duration.ofMinutes(9))).isEqualTo(Duration.ofMinutes(11));
    assertThat(until(Duration.ofMinutes(5))).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void hostsAwaitedOnceMoreHaveThatTime() {
    var late = ORDER.plus(Duration.ofMinutes(20));
    var arrivals = new HostArrivals(2, Map.of(0, ORDER));

    assertThat(arrivals.until(booting(Optional.of(late)), AWAITED)).contains(late);
  }

  @Test
  void nothingIsKnownBeforeAHostReports() {
    var none = new HostArrivals(3, Map.of());

    assertThat(none.until(booting(Optional.empty()), AWAITED)).isEmpty();
    assertThat(none.missing()).containsExactly(0, 1, 2);
    assertThat(new HostArrivals(3, Map.of(1, ORDER)).missing()).containsExactly(0, 2);
  }
}
