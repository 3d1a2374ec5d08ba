package dev.mayfly.core.plan.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.FairShareSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FairShareRuleTest {
  private static FairShareRule weights(double ada, double bob) {
    return new FairShareRule(new FairShareSpec(Map.of("ada", ada, "bob", bob), Optional.empty()));
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
  void roomGoesToTheLowerLevel(double ada, double bob, long runs, long others, boolean gives) {
    assertThat(weights(ada, bob).givesWay("ada", runs, "bob", others)).isEqualTo(gives);
  }

  @Test
  void whatWentBackIsNotAskedBack() {
    for (var ada = 1; ada <= 5; ada++)
      for (var bob = 1; bob <= 5; bob++)
        for (var runs = 0; runs <= 20; runs++)
          for (var others = 0; others <= 20; others++) {
            var rule = weights(ada, bob);
            if (rule.givesWay("ada", runs, "bob", others))
              assertThat(rule.givesWay("bob", others + 1, "ada", runs - 1)).isFalse();
          }
  }

  @Test
  void ownersWhoAreNotNamedHaveOneShare() {
    var rule = weights(3, 2);

    assertThat(List.of(rule.weight("ada"), rule.weight("cat"), rule.weight("")))
        .containsExactly(3.0, 1.0, 1.0);
  }

  @Test
  void sharesAreTold() {
    var equal = List.of(new OwnerShare("", 1, 0), new OwnerShare("ada", 1, 3));
    var weighted = List.of(new OwnerShare("ada", 3, 5), new OwnerShare("bob", 0.5, 2));

    assertThat(ShareText.turns(50, equal))
        .isEqualTo(
            "owners of priority 50 take turns, the one with the fewest running tasks first: jobs without an owner 0, ada 3");
    assertThat(ShareText.turns(50, weighted))
        .isEqualTo(
            "owners of priority 50 take turns, the one with the fewest running tasks for each share first: ada 5 with 3 of 3.5 shares, bob 2 with 0.5 of 3.5 shares");
  }
}
