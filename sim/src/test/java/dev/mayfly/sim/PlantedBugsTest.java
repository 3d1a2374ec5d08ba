package dev.mayfly.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same seeds and the same invariants find mistakes that are known to be there. */
class PlantedBugsTest {
  private static final int SEEDS = 300;

  @ParameterizedTest
  @EnumSource(PlantedBugs.class)
  void isFound(PlantedBugs bug) {
    var detection = Seeds.Detection.of(bug, 1, SEEDS);

    System.out.println(detection.line());
    assertThat(detection.found()).as(detection.line()).isTrue();
  }
}
