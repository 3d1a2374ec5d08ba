package dev.mayfly.core.plan.waiting;

import static dev.mayfly.core.SpecFixtures.stockout;
import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.job;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.PlanFixtures;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.ZoneVeto;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Why jobs wait for a pool that has its most machines. */
class FullPoolTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Worker.Held HELD =
      new Worker.Held(
          "uid-x", 0, 1, Resources.cpu(2, GIB), NOW, List.of(0L), false, 1, List.of(), List.of());

  private static List<Veto> why(PlanFixtures.Of view, String job) {
    return new WaitingPlan(view.build(), WaitingFacts.NONE).of("uid-" + job);
  }

  /** No zone is asked for a machine of a pool that has its most. */
  @Test
  void zoneIsNoReasonWherePoolHasItsMost() {
    var unbooted = stockout(ZONE, "unbooted.n2-standard-2", MINUTE);
    var full = view(pool("cpu").max(1).build()).worker("cpu", busy(), HELD);
    var more = view(pool("cpu").max(2).build()).worker("cpu", busy(), HELD);

    assertThat(why(full.job(job("a", 2, 1)).stockout(unbooted), "a"))
        .filteredOn(veto -> veto instanceof PoolVeto || veto instanceof ZoneVeto)
        .satisfiesExactly(
            first -> assertThat(first).isInstanceOf(PoolVeto.AtMaximum.class),
            then ->
                assertThat(then)
                    .isInstanceOfSatisfying(
                        ZoneVeto.NeverBooted.class, it -> assertThat(it.next()).isEmpty()));
    assertThat(why(more.job(job("a", 2, 1)).stockout(unbooted), "a"))
        .first()
        .isInstanceOfSatisfying(
            ZoneVeto.NeverBooted.class, it -> assertThat(it.next()).isPresent());
  }
}
