package dev.mayfly.core.plan.share;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.FairShareSpec;
import dev.mayfly.core.model.document.JobQueue.OwnerUse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LaterTurnTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final Duration DAY = Duration.ofHours(24);

  private static OwnerShare share(String owner, double weight, long running, double lately) {
    var machines = new OwnerShare.Machines(running * 0.25, lately);
    return new OwnerShare(owner, weight, running, Optional.of(machines));
  }

  private static Optional<LaterTurn> of(OwnerShare... owners) {
    return LaterTurn.of("ada", List.of(owners), DAY, T0);
  }

  @Test
  void oneWhoHadAllIsFirstWhereLevelsMeet() {
    var turn = of(share("ada", 1, 0, 4), share("bob", 1, 16, 0)).orElseThrow();

    // 3.75 run without the task that ends: 3.75 + 4 × (1 − k) = 4 × k, and 24 h × log2(1 / k).
    assertThat(Duration.between(T0, turn.until())).isCloseTo(ofSeconds(3_957), ofSeconds(2));
    assertThat(turn.other().owner()).isEqualTo("bob");
  }

  @Test
  void onlyThePastIsACause() {
    assertThat(of(share("ada", 1, 0, 0), share("bob", 1, 8, 0))).as("ada is first").isEmpty();
    assertThat(of(share("ada", 1, 8, 1), share("bob", 1, 4, 1))).as("ada runs more").isEmpty();
    var large = new OwnerShare("ada", 1, 1, Optional.of(new OwnerShare.Machines(0.8, 0)));
    assertThat(of(large, share("bob", 1, 4, 0))).as("nobody ran anything").isEmpty();
    assertThat(of(share("ada", 1, 0, 4), share("bob", 1, 0, 0))).as("nobody runs").isEmpty();
    assertThat(of(share("ada", 1, 0, 4))).as("alone").isEmpty();
    assertThat(of(share("bob", 1, 8, 1), share("cy", 1, 8, 1))).as("ada is not there").isEmpty();
  }

  @Test
  void theOtherWhoseRoomComesFirstIsNamed() {
    var all =
        of(
            share("ada", 1, 0, 4),
            share("bob", 1, 4, 1),
            share("cy", 1, 8, 2),
            share("dee", 1, 2, 0));

    assertThat(all.orElseThrow().other().owner()).isEqualTo("cy");
  }

  /** The rule itself gives way then, and did not a moment before. */
  @Test
  void theRuleGivesWayThenAndNotBefore() {
    var seen = 0;
    for (var seed = 0; seed < 2_000; seed++) {
      var random = new SplittableRandom(seed);
      var weights = Map.of("ada", random.nextInt(1, 4) * 1.0, "bob", random.nextInt(1, 4) * 1.0);
      var ada = share("ada", weights.get("ada"), random.nextInt(8), random.nextDouble() * 6);
      var bob = share("bob", weights.get("bob"), random.nextInt(1, 16), random.nextDouble() * 6);
      var turn = of(ada, bob);
      var spec = new FairShareSpec(weights, Optional.of(DAY));
      if (turn.isEmpty()) {
        var never = new FairShareRule(spec, List.of(), Map.of());
        assertThat(gives(spec, ada, bob, T0) || !gives(never, ada, bob)).as("%d", seed).isTrue();
        continue;
      }
      seen++;
      assertThat(gives(spec, ada, bob, turn.get().until().minusSeconds(1)))
          .as("%d", seed)
          .isFalse();
      assertThat(gives(spec, ada, bob, turn.get().until().plusSeconds(1))).as("%d", seed).isTrue();
    }
    assertThat(seen).isGreaterThan(300);
  }

  private static boolean gives(FairShareSpec spec, OwnerShare ada, OwnerShare bob, Instant at) {
    var uses = List.of(use(ada), use(bob));
    return gives(
        new FairShareRule(spec, List.of(), PastUse.at(uses, Optional.of(DAY), at)), ada, bob);
  }

  private static boolean gives(FairShareRule rule, OwnerShare ada, OwnerShare bob) {
    return rule.givesWay(
        "bob", bob.machines().orElseThrow().now(), 0.25, "ada", ada.machines().orElseThrow().now());
  }

  private static OwnerUse use(OwnerShare it) {
    var machines = it.machines().orElseThrow();
    return new OwnerUse(it.owner(), machines.lately(), machines.now(), T0);
  }
}
