package dev.mayfly.core.plan.share;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.FairShareSpec;
import dev.mayfly.core.model.job.Placement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FairShareRuleTest {
  private static FairShareRule weights(double ada, double bob) {
    return new FairShareRule(
        new FairShareSpec(Map.of("ada", ada, "bob", bob), Optional.empty()), List.of(), Map.of());
  }

  @ParameterizedTest
  @CsvSource({
    // weights, what runs, whether ada's next room is bob's
    "1, 1, 4, 0, true",
    "1, 1, 2, 1, false",
    "1, 1, 3, 1, true",
    "1, 1, 1, 0, false",
    "3, 1, 6, 2, false",
    "3, 1, 8, 0, true",
    "3, 1, 7, 2, false",
    "3, 1, 8, 2, true",
    "1, 3, 2, 2, true",
    "100, 1, 2, 0, true",
    "0.5, 1, 2, 1, true"
  })
  void roomGoesToTheLowerLevel(double ada, double bob, double runs, double others, boolean gives) {
    assertThat(weights(ada, bob).givesWay("ada", runs, 1, "bob", others)).isEqualTo(gives);
  }

  @Test
  void whatWentBackIsNotAskedBack() {
    for (var ada = 1; ada <= 5; ada++)
      for (var bob = 1; bob <= 5; bob++)
        for (var runs = 0; runs <= 20; runs++)
          for (var others = 0; others <= 20; others++) {
            var rule = weights(ada, bob);
            if (rule.givesWay("ada", runs, 1, "bob", others))
              assertThat(rule.givesWay("bob", others + 1, 1, "ada", runs - 1)).isFalse();
          }
  }

  @Test
  void ownersWhoAreNotNamedHaveOneShare() {
    var rule = weights(3, 2);

    assertThat(List.of(rule.weight("ada"), rule.weight("cat"), rule.weight("")))
        .containsExactly(3.0, 1.0, 1.0);
  }

  @Test
  void partsOfMachinesCountWithAHalfLife() {
    var pools = List.of(pool("small").cpus(4).build(), pool("large").cpus(16).build());
    var day = new FairShareSpec(Map.of("ada", 2.0), Optional.of(Duration.ofDays(1)));
    var rule = new FairShareRule(day, pools, Map.of("ada", 3.0));
    var one = Resources.cpu(1, GIB);

    assertThat(rule.part("j1", one, Placement.ANYWHERE, 1)).isEqualTo(0.25);
    assertThat(rule.part("j2", Resources.cpu(8, GIB), Placement.ANYWHERE, 1)).isEqualTo(0.5);
    assertThat(rule.part("j3", one, Placement.inPools(List.of("large")), 1)).isEqualTo(0.0625);
    assertThat(rule.part("j4", one, Placement.ANYWHERE, 2)).as("a gang's host").isEqualTo(1);
    assertThat(FairShareRule.EQUAL.part("j5", one, Placement.ANYWHERE, 1)).isEqualTo(1);
    assertThat(rule.level("ada", 1)).isEqualTo(2);
    assertThat(rule.givesWay("ada", 0.25, 0.25, "bob", 1)).isTrue();
    assertThat(rule.givesWay("bob", 1.75, 0.25, "ada", 0)).isFalse();
  }
}
