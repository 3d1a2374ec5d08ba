package dev.mayfly.core.plan.capacity;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.idleFor;
import static dev.mayfly.core.plan.PlanFixtures.job;
import static dev.mayfly.core.plan.PlanFixtures.launch;
import static dev.mayfly.core.plan.PlanFixtures.launching;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.PlanFixtures;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.model.PlanDecision.Drain;
import dev.mayfly.core.plan.model.PlanDecision.Launch;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Machines that a pool keeps beyond those that tasks take. */
class SpareInPlansTest {
  private static final WorkerState LONG = idleFor(Duration.ofDays(1));
  private static final String SPARE = "workers.spare is 2";

  private static Worker.Held held() {
    return held("a", 2);
  }

  private static Worker.Held held(String job, int cpus) {
    return SpecFixtures.held("uid-" + job, 0, Resources.cpu(cpus, GIB), List.of(0L));
  }

  /** One task that runs. */
  private static JobDemand running() {
    return SpecFixtures.demand("uid-a", "a", Resources.cpu(2, GIB), 0, 1);
  }

  private static List<PlanDecision> launches(PlanFixtures.Of view) {
    return view.plan().stream().filter(Launch.class::isInstance).toList();
  }

  private static List<String> drained(PlanFixtures.Of view) {
    return view.plan().stream()
        .filter(Drain.class::isInstance)
        .map(d -> ((Drain) d).worker())
        .toList();
  }

  @Test
  void spareMachinesAreLaunchedBesideWork() {
    var view = view(pool("cpu").build().withSpare(2)).worker("cpu", busy(), held()).job(running());

    assertThat(launches(view)).containsExactly(launch("cpu", ZONE, 2, SPARE));
  }

  @Test
  void spareMachinesComeWithThoseOfTasks() {
    var view = view(pool("cpu").build().withSpare(2)).job(job("a", 2, 3));

    assertThat(launches(view))
        .containsExactly(
            launch(
                "cpu", ZONE, 5, "3 tasks of job a have no room; " + SPARE, List.of("a", "a", "a")));
  }

  @Test
  void whatIsIdleOrOnItsWayCounts() {
    var view =
        view(pool("cpu").build().withSpare(2))
            .worker("cpu", busy(), held())
            .worker("cpu", LONG)
            .worker("cpu", launching())
            .job(running());

    assertThat(view.plan()).isEmpty();
  }

  @Test
  void maximumHolds() {
    var view =
        view(pool("cpu").max(2).build().withSpare(2)).worker("cpu", busy(), held()).job(running());

    assertThat(launches(view)).containsExactly(launch("cpu", ZONE, 1, SPARE));
  }

  @Test
  void noneIsLaunchedWithoutWorkOrRoom() {
    var idle = view(pool("cpu").build().withSpare(2));
    var full =
        view(pool("cpu").build().withSpare(2), pool("big").cpus(8).max(1).build())
            .worker("cpu", busy(), held())
            .worker("big", busy(), held("b", 8))
            .job(running())
            .job(job("b", 8, 1));

    assertThat(idle.plan()).isEmpty();
    assertThat(launches(full)).isEmpty();
  }

  @Test
  void spareMachinesStayWhileThereIsWork() {
    var works =
        view(pool("cpu").build().withSpare(2))
            .worker("cpu", busy(), held())
            .worker("cpu", LONG)
            .worker("cpu", LONG)
            .worker("cpu", LONG)
            .job(running());
    var done = view(pool("cpu").build().withSpare(2)).worker("cpu", LONG).worker("cpu", LONG);

    assertThat(drained(works)).hasSize(1);
    assertThat(drained(done)).hasSize(2);
  }

  @Test
  void spareMachinesGiveWayToGangOfAnotherZone() {
    var shape = pool("cpu").max(3).zones(ZONE, "z-b").build().withSpare(2);
    var gang = job("g", 2, 1).together(3);
    var view = view(shape).worker(shape, ZONE, LONG, NOW).worker(shape, "z-b", LONG, NOW).job(gang);

    assertThat(drained(view)).isNotEmpty();
  }

  @Test
  void idleMachinesAreNamedWithTheirWish() {
    var shape = pool("cpu").min(1).build().withSpare(2);
    var snapshot =
        view(shape)
            .worker(shape, ZONE, idleFor(Duration.ofHours(3)), NOW)
            .worker(shape, ZONE, idleFor(Duration.ofHours(2)), NOW)
            .worker(shape, ZONE, idleFor(Duration.ofHours(1)), NOW)
            .build();

    assertThat(IdleMachines.kept(snapshot, _ -> true))
        .containsOnlyKeys("cpu-1", "cpu-2")
        .containsEntry("cpu-2", "for workers.min: 1 of pool cpu")
        .containsEntry("cpu-1", "as spare, for workers.spare: 2 of pool cpu");
    assertThat(IdleMachines.kept(snapshot, _ -> false)).containsOnlyKeys("cpu-2");
  }
}
