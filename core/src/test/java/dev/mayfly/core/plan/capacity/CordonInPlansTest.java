package dev.mayfly.core.plan.capacity;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.idleFor;
import static dev.mayfly.core.plan.PlanFixtures.job;
import static dev.mayfly.core.plan.PlanFixtures.launch;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.model.PlanDecision.Drain;
import dev.mayfly.core.plan.veto.PoolVeto;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a cordon changes in plans. */
class CordonInPlansTest {
  private static final WorkerState SPARE = idleFor(Duration.ofDays(1));
  private static final Cordon HOLDS =
      new Cordon(NOW.minusSeconds(60), NOW.plusSeconds(60), "by hand");
  private static final Cordon OVER = new Cordon(NOW.minusSeconds(60), NOW, "by hand");

  private static Worker cordoned(Worker worker) {
    return worker.withCordon(Optional.of(HOLDS));
  }

  private static List<PlanDecision> drains(List<PlanDecision> plan) {
    return plan.stream().filter(Drain.class::isInstance).toList();
  }

  @Test
  void cordonedWorkerIsNoRoomForTasks() {
    var plan =
        view(pool("cpu").build())
            .worker("cpu", idleFor(Duration.ofMinutes(1)))
            .with(CordonInPlansTest::cordoned)
            .job(job("a", 1, 1))
            .plan();

    assertThat(plan).containsExactly(launch("cpu", ZONE, 1, "1 task of job a has no room"));
  }

  /** It takes the place of one that could join. */
  @Test
  void cordonedOwnMachineIsThere() {
    var own = pool("own").max(1).provisioning(Provisioning.STATIC).build();
    var view = view(own).worker("own", SPARE).with(CordonInPlansTest::cordoned).job(job("a", 1, 1));

    assertThat(view.vetoes("a")).contains(new PoolVeto.OwnMachines("own", 1, 1, 2));
  }

  @Test
  void cordonedWorkerIsKeptHoweverIdle() {
    var kept = view(pool("cpu").build()).worker("cpu", SPARE).with(CordonInPlansTest::cordoned);
    var over =
        view(pool("cpu").build()).worker("cpu", SPARE).with(w -> w.withCordon(Optional.of(OVER)));

    assertThat(kept.plan()).isEmpty();
    assertThat(drains(over.plan())).hasSize(1);
  }

  @Test
  void cordonedWorkerIsKeptThoughUnfit() {
    var unfit = new MachineProblem(MachineProblem.Kind.UNFIT, "no driver");
    var plan =
        view(pool("cpu").build())
            .worker("cpu", SPARE)
            .with(w -> cordoned(w).withProblem(Optional.of(unfit)))
            .plan();

    assertThat(drains(plan)).isEmpty();
  }

  @Test
  void minimumIsOfMachinesThatTakeTasks() {
    var plan =
        view(pool("cpu").min(1).build())
            .worker("cpu", idleFor(Duration.ofMinutes(1)))
            .with(CordonInPlansTest::cordoned)
            .plan();

    assertThat(plan).containsExactly(launch("cpu", ZONE, 1, "workers.min is 1"));
  }

  @Test
  void unstartedTasksOfCordonedWorkerGoBack() {
    var held = SpecFixtures.held("uid-a", 0, Resources.cpu(1, GIB), List.of(0L));
    var plan =
        view(pool("cpu").build())
            .worker("cpu", busy(), held)
            .with(CordonInPlansTest::cordoned)
            .job(SpecFixtures.demand("uid-a", "a", Resources.cpu(1, GIB), 0, 5))
            .plan();

    assertThat(plan)
        .contains(
            new PlanDecision.PreemptLease("cpu-0", held.ref(), 1, "worker cpu-0 is cordoned"));
  }

  @Test
  void cordonedPoolGetsNoMachine() {
    var snapshot = view(pool("cpu").build()).job(job("a", 1, 1)).build();
    var plan = Planner.planWithReasons(cordonedPool(snapshot));

    assertThat(plan.decisions()).isEmpty();
    assertThat(plan.ofJob("uid-a")).contains(new PoolVeto.Cordoned("cpu", HOLDS.until()));
  }

  private static ClusterSnapshot cordonedPool(ClusterSnapshot snapshot) {
    return new ClusterSnapshot(
        snapshot.now(),
        snapshot.cluster().withCordon("cpu", HOLDS),
        snapshot.workers(),
        snapshot.jobs(),
        snapshot.stockouts());
  }
}
