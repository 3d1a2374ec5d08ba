package dev.mayfly.core.query.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RestOfJobTest {
  private static final int TRIALS = 40;

  /** How many tasks that ended an estimate is made from. */
  private static final int SAMPLE = 30;

  /** A kind of task of which none has ended can be known to nobody: there is none here. */
  @Test
  void nineOfTenEndsAreWithinTheSpread() {
    var all = 0;
    var within = 0;
    for (var kind : List.of("even", "exponential", "skewed"))
      for (var wide : List.of(false, true))
        for (var part : List.of(0.2, 0.5, 0.9)) {
          var some = within(kind, wide ? 64 : 400, wide ? 32 : 8, part);
          assertThat((double) some / TRIALS)
              .as("%s, %s, at %s", kind, wide, part)
              .isGreaterThan(0.7);
          all += TRIALS;
          within += some;
        }
    assertThat((double) within / all).isBetween(0.88, 0.97);
  }

  /** Reports are late, by more than tasks take: what is running has ended, and others after it. */
  @Test
  void lateReportsAreNoLaterEnds() {
    for (var unheard : List.of(600.0, 3_000.0)) {
      var within = 0;
      for (var kind : List.of("even", "exponential", "skewed"))
        for (var seed = 0; seed < TRIALS; seed++)
          if (new Trial(kind, 400, 8, 0.8, unheard, new SplittableRandom(seed)).isWithin())
            within++;
      assertThat((double) within / (3 * TRIALS)).as("%s s", unheard).isBetween(0.85, 1.0);
    }
  }

  private static int within(String kind, int tasks, int atOnce, double part) {
    var within = 0;
    for (var seed = 0; seed < TRIALS; seed++)
      if (new Trial(kind, tasks, atOnce, part, new SplittableRandom(seed)).isWithin()) within++;
    return within;
  }

  @Test
  void spreadOfEvenTasksIsNarrow() {
    var trial = new Trial("even", 400, 8, 0.5, new SplittableRandom(1));
    var spread = trial.spread();
    assertThat((spread.most() - spread.least()) / trial.actual()).isLessThan(0.3);
  }

  @Test
  void repeatsTakeTime() {
    var calm = rest(0).spread(new SplittableRandom(1));
    var stormy = rest(SAMPLE).spread(new SplittableRandom(1));
    assertThat(stormy.isMuchLaterThan(calm)).isTrue();
    assertThat(
            new RestOfJob.Spread(80, 180, 0, 0)
                .isMuchLaterThan(new RestOfJob.Spread(75, 175, 0, 0)))
        .isFalse();
    assertThat(stormy.least()).isGreaterThan(calm.most());
    assertThat(stormy.leastOfTasks()).isGreaterThan(calm.mostOfTasks());
  }

  @Test
  void machinesThatComeShortenTheRest() {
    var alone = coming(List.of()).spread(new SplittableRandom(1));
    var joined = coming(List.of(60.0, 60.0, 60.0, 60.0)).spread(new SplittableRandom(1));
    assertThat(joined.most()).isLessThan(alone.least());
    assertThat(joined.mostOfTasks()).isCloseTo(alone.mostOfTasks(), withinPercentage(10));
    // One that comes after the end of all is not waited for.
    var late = coming(List.of(1e9)).spread(new SplittableRandom(1));
    assertThat(late.most()).isEqualTo(alone.most());
  }

  private static RestOfJob coming(List<Double> seconds) {
    return new RestOfJob(
        List.of(100.0, 110.0, 90.0), 3, List.of(), 4, seconds, 400, RestOfJob.Losses.NONE);
  }

  private static RestOfJob rest(long lost) {
    var losses = lost == 0 ? RestOfJob.Losses.NONE : new RestOfJob.Losses(lost, 4, 60, false);
    var ended = new ArrayList<Double>();
    for (var i = 0; i < SAMPLE; i++) ended.add(100.0);
    return new RestOfJob(ended, SAMPLE, List.of(), 4, List.of(), 400, losses);
  }

  @Test
  void millionTasksTakeAsLongAsTheirMean() {
    var spread =
        new RestOfJob(
                List.of(10.0, 10.0), 2, List.of(), 100, List.of(), 1_000_000, RestOfJob.Losses.NONE)
            .spread(new SplittableRandom(1));
    assertThat(spread.least()).isLessThan(100_000);
    assertThat(spread.most()).isGreaterThan(100_000).isLessThan(200_000);
  }

  /** What runs longer than everything that ended is waited for. */
  @Test
  void oldestTaskIsExpectedToGoOn() {
    var spread =
        new RestOfJob(
                List.of(10.0, 11.0, 12.0),
                3,
                List.of(new RestOfJob.Running(500, 0)),
                1,
                List.of(),
                0,
                RestOfJob.Losses.NONE)
            .spread(new SplittableRandom(1));
    assertThat(spread.most()).isGreaterThan(10);
  }

  /** Tasks of a minute, one at once: one of them runs. */
  private static RestOfJob minutes(int ended, double age, long waiting) {
    return new RestOfJob(
        Collections.nCopies(ended, 60.0),
        ended,
        List.of(new RestOfJob.Running(age, 0)),
        1,
        List.of(),
        waiting,
        RestOfJob.Losses.NONE);
  }

  @Test
  void noTaskEndsBeforeAllThatEnded() {
    var last = minutes(SAMPLE, 20, 0).spread(new SplittableRandom(1));
    var five = minutes(SAMPLE, 20, 5).spread(new SplittableRandom(1));
    assertThat(last.least()).isEqualTo(40);
    assertThat(last.most()).isGreaterThan(42);
    assertThat(five.least()).isEqualTo(40 + 5 * 60);
  }

  /** Of so few the next may well be shorter, but it is not over. */
  @Test
  void runningTaskHasNotEnded() {
    for (var age : List.of(30.0, 50.0, 59.0)) {
      var spread = minutes(1, age, 0).spread(new SplittableRandom(1));
      assertThat(spread.least()).as("%s", age).isPositive().isLessThan(60 - age);
      assertThat(spread.most()).as("%s", age).isGreaterThan(60 - age);
    }
  }

  /** One task of a day, that has a tenth of it left by its count. */
  private static RestOfJob counting(RestOfJob.Losses losses) {
    var running = new RestOfJob.Running(77_760, 0, Optional.of(8_640.0), RestOfJob.Next.AT_ONCE);
    return new RestOfJob(List.of(86_400.0), 0, List.of(running), 1, List.of(), 0, losses);
  }

  @Test
  void countSaysWhatIsLeft() {
    var spread = counting(RestOfJob.Losses.NONE).spread(new SplittableRandom(1));
    assertThat(spread.least()).isBetween(6_000.0, 8_640.0);
    assertThat(spread.most()).isBetween(8_640.0, 12_000.0);
    assertThat(spread.mostOfTasks()).isEqualTo(spread.most());
  }

  /** How much of a spread is losses that may come is said by the one without. */
  @Test
  void withoutMoreLossesTheCountAloneSays() {
    var stormy = counting(new RestOfJob.Losses(4, 1, 60, true));
    var calm = stormy.undisturbed().spread(new SplittableRandom(1));
    assertThat(calm).isEqualTo(counting(RestOfJob.Losses.NONE).spread(new SplittableRandom(1)));
    assertThat(stormy.spread(new SplittableRandom(1)).most()).isGreaterThan(calm.most());
  }

  @Test
  void checkpointKeepsWhatWasDone() {
    var anew = counting(new RestOfJob.Losses(4, 1, 60, false)).spread(new SplittableRandom(1));
    var resumed = counting(new RestOfJob.Losses(4, 1, 60, true)).spread(new SplittableRandom(1));
    assertThat(anew.most()).isGreaterThan(86_400);
    assertThat(resumed.most()).isLessThan(2 * 8_640);
  }

  /** A job whose tasks run as soon as a place is free, seen when a part of them has ended. */
  private static final class Trial {
    private final List<Double> ended = new ArrayList<>();
    private final List<RestOfJob.Running> running = new ArrayList<>();
    private final double actual;
    private final int atOnce;
    private final long waiting;
    private final RandomGenerator random;

    Trial(String kind, int tasks, int atOnce, double part, RandomGenerator random) {
      this(kind, tasks, atOnce, part, 0, random);
    }

    /**
     * @param unheard how old the newest report is
     */
    Trial(String kind, int tasks, int atOnce, double part, double unheard, RandomGenerator random) {
      this.atOnce = atOnce;
      this.random = random;
      var duration = duration(kind);
      var began = new ArrayList<Double>();
      var ends = new ArrayList<Double>();
      var free = new PriorityQueue<Double>();
      for (var i = 0; i < atOnce; i++) free.add(0.0);
      for (var i = 0; i < tasks; i++) {
        began.add(free.remove());
        ends.add(began.getLast() + duration.applyAsDouble(random));
        free.add(ends.getLast());
      }
      var now = ends.stream().sorted().toList().get((int) (tasks * part));
      var heard = now - unheard;
      for (var i = 0; i < tasks; i++)
        if (ends.get(i) <= heard) ended.add(ends.get(i) - began.get(i));
        else if (began.get(i) <= heard)
          running.add(new RestOfJob.Running(heard - began.get(i), unheard));
      waiting = (long) tasks - ended.size() - running.size();
      actual = ends.stream().mapToDouble(end -> end).max().orElseThrow() - now;
    }

    private static ToDoubleFunction<RandomGenerator> duration(String kind) {
      return switch (kind) {
        case "even" -> random -> 1_200 + 30 * random.nextGaussian();
        case "exponential" -> random -> -1_200 * Math.log(1 - random.nextDouble());
        case "skewed" -> random -> 600 * Math.exp(random.nextGaussian());
        default -> throw new IllegalArgumentException(kind);
      };
    }

    double actual() {
      return actual;
    }

    RestOfJob.Spread spread() {
      var sample = new ArrayList<Double>();
      for (var i = 0; i < Math.min(SAMPLE, ended.size()); i++)
        sample.add(ended.get((int) ((long) i * ended.size() / Math.min(SAMPLE, ended.size()))));
      return new RestOfJob(
              sample, ended.size(), running, atOnce, List.of(), waiting, RestOfJob.Losses.NONE)
          .spread(random);
    }

    boolean isWithin() {
      var spread = spread();
      return actual >= spread.least() && actual <= spread.most();
    }
  }

  /** Five tasks of 150 seconds, two at once: two were lost with their machine, at their half. */
  @Test
  void oneLossInYoungJobIsNotItsHeadline() {
    var running = List.of(new RestOfJob.Running(75, 0), new RestOfJob.Running(75, 0));
    var once = new RestOfJob.Losses(2, 2, 30, false);
    var rest = new RestOfJob(List.of(150.0, 150.0), 2, running, 2, List.of(), 1, once);
    var calm = rest.undisturbed().spread(new SplittableRandom(1));
    var spread = rest.spread(new SplittableRandom(1));

    assertThat(spread.least()).isCloseTo(calm.least(), withinPercentage(10));
    assertThat(spread.most()).isBetween(calm.most(), 4 * calm.most());
  }

  private static RestOfJob beside(RestOfJob.Next next) {
    var ended = List.of(100.0, 110.0, 90.0);
    var open = new RestOfJob.Running(50, 0);
    var other = new RestOfJob.Running(50, 0, Optional.empty(), next);
    var replacing = new RestOfJob.Losses(0, 0, 60, false);
    return new RestOfJob(ended, 3, List.of(open, other), 2, List.of(), 20, replacing);
  }

  @Test
  void nothingFollowsOnMachineThatIsCordoned() {
    var both = beside(RestOfJob.Next.AT_ONCE).spread(new SplittableRandom(1));
    var later = beside(RestOfJob.Next.ELSEWHERE).spread(new SplittableRandom(1));
    var one = beside(RestOfJob.Next.NEVER).spread(new SplittableRandom(1));

    assertThat(one.least()).isGreaterThan(1.5 * both.least());
    assertThat(later.least()).isBetween(both.least() + 10, one.least());
    assertThat(one.mostOfTasks()).isCloseTo(both.mostOfTasks(), withinPercentage(20));
  }
}
