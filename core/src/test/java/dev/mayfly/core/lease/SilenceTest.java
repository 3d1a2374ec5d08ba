package dev.mayfly.core.lease;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Served;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SilenceTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final Silence RULE = new Silence(ofSeconds(5), ofSeconds(12), ofSeconds(120));

  private static Instant at(long seconds) {
    return T0.plusSeconds(seconds);
  }

  private static Served.Interval served(long from, long to) {
    return new Served.Interval(at(from), at(to));
  }

  /** One worker that was due at 0, and others that are due later than now. */
  private static Map<String, Instant> oneFrozenAmong(int workers, Instant now) {
    var due = new HashMap<String, Instant>();
    for (var i = 0; i < workers - 1; i++) due.put("peer" + i, now.plusSeconds(5));
    due.put("frozen", at(0));
    return due;
  }

  @ParameterizedTest
  @CsvSource({"2", "3", "5"})
  void oneFrozenWorkerAmongOthersIsLostAfterTwelveServedSeconds(int workers) {
    var intervals = List.of(served(-60, 18));

    assertThat(RULE.lost(oneFrozenAmong(workers, at(16)), List.of(served(-60, 16)), at(16)))
        .isEmpty();
    assertThat(RULE.lost(oneFrozenAmong(workers, at(18)), intervals, at(18)))
        .extracting(Silence.Verdict::worker)
        .containsExactly("frozen");
  }

  @Test
  void aWorkerAloneIsLostAfterTwoServedMinutes() {
    var due = Map.of("alone", at(0));

    assertThat(RULE.lost(due, List.of(served(0, 100)), at(100))).isEmpty();
    assertThat(RULE.lost(due, List.of(served(0, 126)), at(126))).hasSize(1);
  }

  @Test
  void timeInWhichNobodyWasServedDoesNotCount() {
    var due = oneFrozenAmong(3, at(700));

    assertThat(RULE.lost(due, List.of(served(-60, 2), served(690, 700)), at(700))).isEmpty();
  }

  @Test
  void silenceThatEverybodySharesLosesNobodySoon() {
    var due = Map.of("a", at(0), "b", at(0), "c", at(0));

    assertThat(RULE.lost(due, List.of(served(-60, 60)), at(60))).isEmpty();
  }

  @Test
  void silenceThatMostShareLosesNobodySoon() {
    var due = Map.of("a", at(0), "b", at(0), "c", at(0), "d", at(100));

    assertThat(RULE.lost(due, List.of(served(-60, 60)), at(60))).isEmpty();
  }

  @Test
  void fiveSecondsPastItsDueTimeNobodyIsSilent() {
    assertThat(RULE.silent(Map.of("a", at(0)), at(5))).isEmpty();
    assertThat(RULE.silent(Map.of("a", at(0)), at(6))).containsExactly("a");
  }

  @Test
  void anIntervalThatEndedAMomentAgoIsExtended() {
    var next = Silence.extend(List.of(served(0, 10)), at(20), ofSeconds(15), ofMinutes(10));

    assertThat(next).containsExactly(served(0, 20));
  }

  @Test
  void aGapIsNeverBridged() {
    var next = Silence.extend(List.of(served(0, 10)), at(26), ofSeconds(15), ofMinutes(10));

    assertThat(next).containsExactly(served(0, 10), served(26, 26));
  }

  @Test
  void whatIsOlderThanTenMinutesIsForgotten() {
    var next =
        Silence.extend(
            List.of(served(-700, -650), served(0, 10)), at(12), ofSeconds(15), ofMinutes(10));

    assertThat(next).containsExactly(served(0, 12));
  }

  @Test
  void aClockThatStepsBackShortensNothing() {
    var next = Silence.extend(List.of(served(0, 10)), at(8), ofSeconds(15), ofMinutes(10));

    assertThat(next).containsExactly(served(0, 10));
  }
}
