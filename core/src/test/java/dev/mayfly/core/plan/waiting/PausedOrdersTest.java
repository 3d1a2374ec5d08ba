package dev.mayfly.core.plan.waiting;

import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.plan.veto.ClusterVeto;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.ZoneVeto;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PausedOrdersTest {
  private static final Instant LATER = NOW.plus(Duration.ofDays(3));
  private static final PoolSpec CPU = pool("cpu").zones(ZONE).build();

  private static List<Instant> ordered(Veto veto) {
    return PausedOrders.of(List.of(veto), List.of(CPU), NOW).stream()
        .map(PausedOrders.Later::at)
        .toList();
  }

  private static PoolVeto.OverMonth overMonth(String pool) {
    return new PoolVeto.OverMonth(pool, 100, 90, 1, 1, 1, Duration.ofHours(2), 200, LATER);
  }

  @Test
  void monthsMoneyComesWithTheNextMonth() {
    assertThat(ordered(overMonth("cpu"))).containsExactly(LATER);
    assertThat(ordered(new ClusterVeto.MonthUsedUp(100, 100, 1, 200, LATER)))
        .containsExactly(LATER);
  }

  @Test
  void pauseOfAnotherPoolIsNone() {
    assertThat(ordered(overMonth("gpu"))).isEmpty();
  }

  @Test
  void nextPassOrdersWhatThisOneCouldNot() {
    assertThat(ordered(new PoolVeto.PlanFull("cpu", 500))).containsExactly(NOW.plusSeconds(60));
    assertThat(ordered(new PoolVeto.CreationRate("cpu", 0))).containsExactly(NOW.plusSeconds(60));
  }

  @Test
  void zoneThatTookMachinesBackIsAskedAgain() {
    var shortLived =
        new ZoneVeto.ShortLived(
            "cpu", ZONE, "n2-standard-2", Provisioning.SPOT, 2, 0, NOW, Optional.of(LATER));

    assertThat(PausedOrders.of(List.of(shortLived), List.of(CPU), NOW))
        .containsExactly(new PausedOrders.Later(CPU, ZONE, LATER));
  }

  /** Nobody knows whether the cloud has a machine when it is asked again. */
  @Test
  void refusalIsWaitedForByNobody() {
    var refused =
        new ZoneVeto.Refused(
            ZoneVeto.Cause.STOCK,
            "cpu",
            ZONE,
            ZONE,
            "n2-standard-2",
            Provisioning.SPOT,
            "ZONE_RESOURCE_POOL_EXHAUSTED",
            "",
            3,
            NOW,
            Optional.of(LATER));

    assertThat(ordered(refused)).isEmpty();
  }
}
