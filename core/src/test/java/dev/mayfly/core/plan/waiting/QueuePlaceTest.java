package dev.mayfly.core.plan.waiting;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.Veto;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueuePlaceTest {
  private static final Resources NEED = Resources.cpu(1, GIB);

  /** Why job b waits while one task of a runs on the only worker, which holds so many of it. */
  private static List<Veto> behind(long held) {
    var running = SpecFixtures.held("uid-a", 0, NEED, List.of(0L));
    var view = view(pool("cpu").cpus(1).max(1).build()).worker("cpu", busy(), running);
    view.job(SpecFixtures.demand("uid-a", "a", NEED, 0, held))
        .job(SpecFixtures.demand("uid-b", "b", NEED, 2, 0));
    return new WaitingPlan(view.build(), WaitingFacts.NONE).of("uid-b");
  }

  @Test
  void workThatAWorkerHoldsForLaterIsBefore() {
    assertThat(behind(6)).contains(new JobVeto.Ahead(List.of("a")));
  }

  @Test
  void workThatRunsIsNotBefore() {
    assertThat(behind(1)).noneMatch(JobVeto.Ahead.class::isInstance);
  }
}
