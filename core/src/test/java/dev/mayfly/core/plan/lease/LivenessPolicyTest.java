package dev.mayfly.core.plan.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Heartbeats;
import dev.mayfly.core.model.document.ServingHistory;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LivenessPolicyTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final LivenessPolicy RULE =
      new LivenessPolicy(
          Timings.DEFAULT.silentAfter(),
          Timings.DEFAULT.lostAfter(),
          Timings.DEFAULT.lostRegardless());

  private static Instant at(long seconds) {
    return T0.plusSeconds(seconds);
  }

  private static ServingHistory.Interval served(long from, long to) {
    return new ServingHistory.Interval(at(from), at(to));
  }

  /** One worker was due at 0; the others are due in the future. */
  private static Map<String, Instant> oneFrozenAmong(int workers, Instant now) {
    var due = new HashMap<String, Instant>();
    for (var i = 0; i < workers - 1; i++) due.put("peer" + i, now.plusSeconds(5));
    due.put("frozen", at(0));
    return due;
  }

  private static List<LivenessPolicy.LostWorker> lost(
      Map<String, Instant> due,
      List<ServingHistory.Interval> served,
      Instant now,
      Heartbeats... instances) {
    return lost(due, served, List.of(), now, instances);
  }

  private static List<LivenessPolicy.LostWorker> lost(
      Map<String, Instant> due,
      List<ServingHistory.Interval> served,
      List<ServingHistory.Interval> away,
      Instant now,
      Heartbeats... instances) {
    var instanceActivity =
        new InstanceActivity(
            List.of(instances),
            Timings.DEFAULT.instanceGone(),
            Timings.DEFAULT.stallPatience(),
            away);
    return RULE.lost(due, served, instanceActivity, now);
  }

  @ParameterizedTest
  @CsvSource({"2", "3", "5"})
  void frozenWorkerIsLostAfterTwelveServedSeconds(int workers) {
    assertThat(lost(oneFrozenAmong(workers, at(16)), List.of(served(-60, 16)), at(16))).isEmpty();
    assertThat(lost(oneFrozenAmong(workers, at(17)), List.of(served(-60, 17)), at(17)))
        .extracting(LivenessPolicy.LostWorker::worker)
        .containsExactly("frozen");
  }

  @Test
  void silenceOfAnyHostIsTheWorkers() {
    var due = new TreeMap<>(Map.of("w1", at(50), "w1/1", at(0), "w1/2", at(10)));

    assertThat(RULE.silentSince("w1", due, at(60))).contains(at(0));
  }

  @Test
  void othersWithLikeNamesAreNotItsHosts() {
    var due =
        new TreeMap<>(
            Map.of("w1", at(58), "w10", at(0), "w1-a/1", at(0), "w0/1", at(0), "w", at(0)));

    assertThat(RULE.silentSince("w1", due, at(60))).isEmpty();
    assertThat(RULE.silentSince("none", due, at(60))).isEmpty();
  }

  @Test
  void aWorkerAloneIsLostAfterTwoServedMinutes() {
    var due = Map.of("alone", at(0));

    assertThat(lost(due, List.of(served(0, 124)), at(124))).isEmpty();
    assertThat(lost(due, List.of(served(0, 125)), at(125))).hasSize(1);
  }

  @Test
  void unservedTimeDoesNotCount() {
    var due = oneFrozenAmong(3, at(700));

    assertThat(lost(due, List.of(served(-60, 2), served(690, 700)), at(700))).isEmpty();
  }

  @Test
  void silenceOfAllLosesNoWorkerSoon() {
    var due = Map.of("a", at(0), "b", at(0), "c", at(0));

    assertThat(lost(due, List.of(served(-60, 60)), at(60))).isEmpty();
  }

  @Test
  void silenceOfMostLosesNoWorkerSoon() {
    var due = Map.of("a", at(0), "b", at(0), "c", at(0), "d", at(100));

    assertThat(lost(due, List.of(served(-60, 60)), at(60))).isEmpty();
  }

  @Test
  void noWorkerIsSilentFiveSecondsPastDue() {
    assertThat(RULE.silent(Map.of("a", at(0)), at(5))).isEmpty();
    assertThat(RULE.silent(Map.of("a", at(0)), at(6))).containsExactly("a");
  }

  private static List<ServingHistory.Interval> extend(
      List<ServingHistory.Interval> intervals, long now) {
    return extend(intervals, List.of(), now);
  }

  private static List<ServingHistory.Interval> extend(
      List<ServingHistory.Interval> intervals, List<ServingHistory.Interval> outages, long now) {
    return LivenessPolicy.extend(
        intervals, at(now), outages, Timings.DEFAULT.servedGap(), Timings.DEFAULT.servedKept());
  }

  @Test
  void recentIntervalIsExtended() {
    var next = extend(List.of(served(0, 10)), 25);

    assertThat(next).containsExactly(served(0, 25));
  }

  @Test
  void aGapIsNeverBridged() {
    var next = extend(List.of(served(0, 10)), 26);

    assertThat(next).containsExactly(served(0, 10), served(26, 26));
  }

  @Test
  void aShortOutageIsNeverBridged() {
    var before = List.of(served(0, 10));

    assertThat(extend(before, List.of(served(11, 15)), 15))
        .containsExactly(served(0, 10), served(15, 15));
    assertThat(extend(before, List.of(served(5, 15)), 16))
        .containsExactly(served(0, 10), served(16, 16));
    assertThat(extend(before, List.of(served(-9, 0)), 15)).containsExactly(served(0, 15));
  }

  @Test
  void intervalsExpireAfterTenMinutes() {
    var before = List.of(served(-700, -589), served(-580, -579), served(0, 10));

    assertThat(extend(before, 11)).containsExactly(before.get(0), before.get(1), served(0, 11));
    assertThat(extend(before, 12)).containsExactly(before.get(1), served(0, 12));
  }

  @Test
  void aClockThatStepsBackShortensNothing() {
    var next = extend(List.of(served(0, 10)), 8);

    assertThat(next).containsExactly(served(0, 10));
  }

  /** A function instance that wrote then, suspended until {@code stalled} if given. */
  private static Heartbeats instance(long written, Optional<Instant> stalled) {
    return new Heartbeats("c", "f", at(written), stalled, Map.of());
  }

  @Test
  void silenceCountsOnlyWhileEachInstanceIsProvedAwake() {
    var due = oneFrozenAmong(5, at(60));
    var served = List.of(served(-60, 60));

    assertThat(lost(due, served, at(60), instance(4, Optional.empty()))).isEmpty();
    assertThat(lost(due, served, at(60), instance(16, Optional.empty()))).isEmpty();
    assertThat(lost(due, served, at(60), instance(17, Optional.empty()))).hasSize(1);
    assertThat(
            lost(
                due, served, at(60), instance(40, Optional.empty()), instance(4, Optional.empty())))
        .isEmpty();
  }

  @Test
  void silenceDuringStallDoesNotCount() {
    var due = oneFrozenAmong(5, at(60));
    var served = List.of(served(-60, 60));

    assertThat(lost(due, served, at(60), instance(40, Optional.of(at(29))))).isEmpty();
    assertThat(lost(due, served, at(60), instance(40, Optional.of(at(28))))).hasSize(1);
  }

  @Test
  void silentInstanceIsNotAwaitedLong() {
    var due = oneFrozenAmong(5, at(90));

    assertThat(lost(due, List.of(served(-60, 76)), at(76), instance(4, Optional.empty())))
        .isEmpty();
    assertThat(lost(due, List.of(served(-60, 77)), at(77), instance(4, Optional.empty())))
        .hasSize(1);
  }

  /** It wakes for a moment, writes, and holds the calls that it took meanwhile. */
  @Test
  void instanceSuspendedAgainIsAwaitedAgain() {
    var due = oneFrozenAmong(5, at(130));
    var suspended = instance(45, Optional.of(at(45)));

    assertThat(lost(due, List.of(served(-60, 116)), at(116), suspended)).isEmpty();
    assertThat(lost(due, List.of(served(-60, 117)), at(117), suspended)).hasSize(1);
  }

  /** Instances from before the outage may be gone; one suspended since has no document yet. */
  @Test
  void outageUsesUpNoPatienceWithInstances() {
    var due = oneFrozenAmong(5, at(300));
    var before = served(-60, 20);

    assertThat(lost(due, List.of(before, served(200, 256)), at(256), instance(4, Optional.empty())))
        .isEmpty();
    assertThat(lost(due, List.of(before, served(200, 257)), at(257), instance(4, Optional.empty())))
        .hasSize(1);
  }

  @Test
  void instanceGoneBeforeSilenceExcusesNothing() {
    var due = oneFrozenAmong(5, at(60));

    assertThat(lost(due, List.of(served(-60, 18)), at(18), instance(-175, Optional.empty())))
        .hasSize(1);
  }

  /** Suspended since before the end of an outage in which no instance could write. */
  @ParameterizedTest
  @CsvSource({"0, 1", "170, 1", "171, 0", "300, 0"})
  void outageMakesNoInstanceLookGone(long seconds, int lost) {
    var due = oneFrozenAmong(5, at(60));
    var outage = List.of(served(-900, -400), served(-340, -340 + seconds));
    var before = instance(-345, Optional.empty());

    assertThat(lost(due, List.of(served(-30, 18)), outage, at(18), before)).hasSize(lost);
  }

  @Test
  void twoServedMinutesCountRegardlessOfInstances() {
    var due = Map.of("alone", at(0));

    assertThat(lost(due, List.of(served(0, 126)), at(126), instance(4, Optional.empty())))
        .hasSize(1);
  }
}
