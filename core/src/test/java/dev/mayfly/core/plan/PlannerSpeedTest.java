package dev.mayfly.core.plan;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("speed")
class PlannerSpeedTest {
  /** The budget is 50 ms, four times as much on a loaded machine; the best of ten runs counts. */
  @Test
  void planOfFourThousandWorkersIsFast() {
    var clusterSnapshot = large();

    var best = Duration.ofHours(1);
    for (var i = 0; i < 10; i++) {
      var from = System.nanoTime();
      var plan = Planner.plan(clusterSnapshot);
      var took = Duration.ofNanos(System.nanoTime() - from);
      assertThat(plan).isNotEmpty();
      if (took.compareTo(best) < 0) best = took;
    }

    System.err.println("plan of 4,096 workers and 1,000 jobs: " + best.toMillis() + " ms");
    assertThat(best).isLessThan(Duration.ofMillis(200));
  }

  /** Every worker has a different load, and every job has a thousand tasks of a different size. */
  private static ClusterSnapshot large() {
    var random = new Random(7);
    var view = view(pool("a").cpus(32).max(5_000).build());
    for (var i = 0; i < 4_096; i++) {
      var need = Resources.cpu(1 + random.nextInt(12_000) / 1000.0, GIB + random.nextInt(1 << 30));
      var held = SpecFixtures.held("uid-" + random.nextInt(1_000), 0, need, List.of(1L, 2L));
      view.worker("a", busy(), held);
    }
    for (var i = 0; i < 1_000; i++) {
      var need = Resources.cpu(1 + random.nextInt(8), GIB + random.nextInt(1 << 30));
      view.job(SpecFixtures.demand("uid-" + i, "job-" + i, need, 900, 100));
    }
    return view.build();
  }
}
