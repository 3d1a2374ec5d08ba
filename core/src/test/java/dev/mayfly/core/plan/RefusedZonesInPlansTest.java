package dev.mayfly.core.plan;

import static dev.mayfly.core.SpecFixtures.stockout;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ago;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.job;
import static dev.mayfly.core.plan.PlanFixtures.launching;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.plan.model.PlanDecision.Launch;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.ZoneVeto;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A zone that refused lately is asked for one gang's machines, and for more once these came. */
class RefusedZonesInPlansTest {
  private static final Duration REFUSED = Duration.ofMinutes(6);
  private static final PoolSpec POOL = pool("cpu").cpus(4).max(20).build();

  /** Four tasks of two workers each, in a zone that refused six minutes ago. */
  private static PlanFixtures.Of eightWanted() {
    return view(POOL)
        .job(job("x", 4, 4).together(2))
        .stockout(stockout(PlanFixtures.ZONE, "n2-standard-4", REFUSED));
  }

  private static int launched(PlanFixtures.Of view) {
    return view.plan().stream()
        .filter(Launch.class::isInstance)
        .mapToInt(d -> ((Launch) d).count())
        .sum();
  }

  @Test
  void zoneWithoutRefusalIsAskedForAll() {
    assertThat(launched(view(POOL).job(job("x", 4, 4).together(2)))).isEqualTo(8);
  }

  @Test
  void refusingZoneIsAskedForOneGang() {
    assertThat(launched(eightWanted())).isEqualTo(2);
  }

  @Test
  void nothingMoreIsAskedWhileItsGangComes() {
    var view = eightWanted().worker("cpu", launching()).worker("cpu", launching());

    assertThat(launched(view)).isZero();
  }

  @Test
  void missingHalfOfGangIsAsked() {
    assertThat(launched(eightWanted().worker("cpu", launching()))).isOne();
  }

  @Test
  void machinesThatCameAllowAsManyMore() {
    var view = eightWanted();
    for (var i = 0; i < 4; i++)
      view.worker(POOL, PlanFixtures.ZONE, busy(), ago(Duration.ofMinutes(2)));

    assertThat(launched(view)).isEqualTo(4);
  }

  @Test
  void machinesFromBeforeRefusalProveNothing() {
    var view = eightWanted();
    for (var i = 0; i < 4; i++)
      view.worker(POOL, PlanFixtures.ZONE, busy(), ago(Duration.ofMinutes(20)));

    assertThat(launched(view)).isEqualTo(2);
  }

  @Test
  void laterJobSaysWhatZoneRefused() {
    var view = eightWanted().job(job("y", 4, 1).together(2));

    assertThat(view.vetoes("y"))
        .singleElement()
        .isInstanceOfSatisfying(
            ZoneVeto.Refused.class, no -> assertThat(no.at()).isEqualTo(NOW.minus(REFUSED)));
    assertThat(view.vetoes("x")).anyMatch(RefusedZonesInPlansTest::isRefusal);
  }

  private static boolean isRefusal(Veto veto) {
    return veto instanceof ZoneVeto.Refused;
  }
}
