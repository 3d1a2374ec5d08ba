package dev.mayfly.core.query.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BootTimesTest {
  private static double[] left(BootTimes boots, double age) {
    var random = new SplittableRandom(3);
    var all = new double[1_000];
    for (var i = 0; i < all.length; i++) all[i] = boots.left(age, random);
    Arrays.sort(all);
    return all;
  }

  @Test
  void nextBootIsLikeThoseThatWereSeen() {
    var times = left(new BootTimes(List.of(60.0, 90.0, 120.0)), 0);

    assertThat(times[25]).isBetween(35.0, 60.0);
    assertThat(times[975]).isBetween(120.0, 180.0);
  }

  @Test
  void oneSeenBootSaysLess() {
    var one = left(new BootTimes(List.of(90.0)), 0);
    var many = left(new BootTimes(Collections.nCopies(20, 90.0)), 0);

    assertThat(one[975] - one[25]).isGreaterThan(2 * (many[975] - many[25]));
  }

  @Test
  void passedTimeCounts() {
    assertThat(left(new BootTimes(List.of(90.0)), 60)[500]).isBetween(15.0, 60.0);
  }

  @Test
  void lateMachineMayBeAsLateAgain() {
    var times = left(new BootTimes(List.of(90.0)), 900);

    assertThat(times[25]).isLessThan(60);
    assertThat(times[975]).isGreaterThan(900);
  }
}
