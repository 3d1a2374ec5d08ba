package dev.mayfly.core.plan.preemption;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.HIGH;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.LOW;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.asked;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.cordon;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.endedBeside;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.ending;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.ends;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.exclusive;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.job;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.lease;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.twoOfOne;
import static dev.mayfly.core.plan.preemption.PreemptionFixtures.victims;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.plan.PlanFixtures;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.model.PlanDecision.EndTasks;
import dev.mayfly.core.plan.model.TaskTime;
import dev.mayfly.core.plan.veto.JobVeto;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where tasks end for a higher priority, and for whom the room is. */
class PreemptionRoomTest {
  @Test
  void nothingEndsWhileMachineCanBeHad() {
    assertThat(
            victims(
                view(ending(2))
                    .worker("cpu", busy(), lease("low", 0, ofMinutes(20), ofMinutes(9)))
                    .job(HIGH)
                    .job(LOW)))
        .isEmpty();
  }

  @Test
  void nothingEndsWhileMachineIsOnItsWay() {
    assertThat(
            victims(
                view(ending(2))
                    .worker("cpu", busy(), lease("low", 0, ofMinutes(20), ofMinutes(9)))
                    .worker("cpu", PlanFixtures.launching())
                    .job(HIGH)
                    .job(LOW)))
        .isEmpty();
  }

  @Test
  void taskEndsWhereZoneHasNoMachine() {
    var stockout = SpecFixtures.stockout(PlanFixtures.ZONE, "n2-standard-2", ofMinutes(1));

    assertThat(
            victims(
                view(ending(2))
                    .worker("cpu", busy(), lease("low", 0, ofMinutes(20), ofMinutes(9)))
                    .stockout(stockout)
                    .job(HIGH)
                    .job(LOW)))
        .containsExactly("cpu-0 uid-low 1");
  }

  @Test
  void largeTaskClearsOneMachine() {
    var view =
        view(ending(2))
            .worker("cpu", busy(), lease("low", 0, ofMinutes(20), ofMinutes(9)))
            .worker("cpu", busy(), lease("low", 10, ofMinutes(5), ofMinutes(30)))
            .job(job("high", 90, 1, Resources.cpu(2, GIB)))
            .job(LOW);

    assertThat(victims(view)).containsExactly("cpu-0 uid-low 0", "cpu-0 uid-low 1");
  }

  @Test
  void smallOneIsSparedWhereLargeOneIsEnough() {
    var half = Resources.cpu(0.5, GIB);
    var view =
        view(ending(1))
            .worker(
                "cpu",
                busy(),
                lease("low", 0, half, false, ofMinutes(1)),
                lease("mid", 0, Resources.cpu(1.5, GIB), false, ofMinutes(2)))
            .job(job("high", 90, 1, Resources.cpu(1.5, GIB)))
            .job(job("mid", 10, 0, Resources.cpu(1.5, GIB)))
            .job(job("low", 10, 0, half));

    assertThat(victims(view)).containsExactly("cpu-0 uid-mid 0");
  }

  @Test
  void gangsAndExclusiveTasksStay() {
    var gang = lease("low", 0, Resources.cpu(2, GIB), true, ofMinutes(1));
    var view = view(ending(1)).worker("cpu", busy(), gang).job(HIGH).job(LOW.together(2));

    assertThat(victims(view)).isEmpty();
    assertThat(view.reasons("high"))
        .contains(
            "pool cpu ends no running task for it: those of a lower priority are of gangs, or beside exclusive ones");
    assertThat(victims(twoOfOne().job(HIGH).job(exclusive(LOW)))).isEmpty();
  }

  @Test
  void cordonedMachinesAndThoseOfOthersStay() {
    var cordoned = twoOfOne().with(w -> w.withCordon(Optional.of(cordon()))).job(HIGH).job(LOW);

    assertThat(victims(cordoned)).isEmpty();
    assertThat(victims(twoOfOne().with(w -> w.withNotice(NOW)).job(HIGH).job(LOW))).isEmpty();
    assertThat(endedBeside("other")).isEmpty();
    assertThat(endedBeside("high")).hasSize(1);
  }

  @Test
  void machinesThatJobMayNotUseStay() {
    var pinned = HIGH.at(Placement.inPools(List.of("other")));

    assertThat(
            victims(
                view(ending(1), pool("other").cpus(2).max(0).build())
                    .worker("cpu", busy(), lease("low", 0, ofMinutes(20), ofMinutes(9)))
                    .job(pinned)
                    .job(LOW)))
        .isEmpty();
  }

  @Test
  void repeatedPlanEndsNothingMore() {
    var first = twoOfOne().job(HIGH).job(LOW).build();
    var asked = asked(first);

    assertThat(ends(first)).hasSize(1);
    assertThat(ends(asked)).isEmpty();
    assertThat(PlanFixtures.texts(Planner.planWithReasons(first).ofJob("uid-high")))
        .as("nobody is told yet")
        .contains(
            "room is to be made for it: task 1 of job ann/low is asked to end next, unless that changes before, and runs again when there is room");
    assertThat(PlanFixtures.texts(Planner.planWithReasons(asked).ofJob("uid-high")))
        .contains(
            "room is made for it: task 1 of job ann/low ends by 2026-11-21T10:01:00Z, and runs again when there is room");
  }

  @Test
  void roomOnItsWayIsForTheFirst() {
    var asked = asked(twoOfOne().job(HIGH).job(LOW).build());
    var higher = job("top", 95, 1);
    var both = asked.withJobs(List.of(higher, HIGH, LOW));

    assertThat(ends(both))
        .singleElement()
        .satisfies(end -> {
          assertThat(end.taker().job()).isEqualTo("uid-high");
          assertThat(end.victims()).extracting(EndTasks.Victim::index).containsExactly(0L);
        });
  }

  @Test
  void tasksOfStoppedJobAreRoomOnItsWay() {
    assertThat(victims(twoOfOne().job(HIGH))).isEmpty();
  }

  @Test
  void jobWhoseTasksFailAlikeEndsNobody() {
    var loop = new JobVeto.CrashLoop(3, 3, 3, 1, 1);
    var failing =
        HIGH.waiting(
            new JobDemand.Waiting(
                NOW, List.of(), Optional.empty(), Optional.of(loop), TaskTime.NEVER));

    assertThat(victims(twoOfOne().job(failing).job(LOW))).isEmpty();
  }

  @Test
  void unstartedTasksThereGoBackInTheSamePlan() {
    var view =
        view(ending(1))
            .worker("cpu", busy(), lease("low", 0, ofMinutes(20)), lease("mid", 0, ofMinutes(9)))
            .job(HIGH)
            .job(job("mid", 50, 0))
            .job(LOW);
    var goBack =
        Planner.plan(view.build()).stream()
            .filter(PlanDecision.PreemptLease.class::isInstance)
            .map(it -> ((PlanDecision.PreemptLease) it).lease().job());

    assertThat(goBack).containsExactlyInAnyOrder("uid-low", "uid-mid");
  }

  @Test
  void orderOfTheLedgerDoesNotMatter() {
    var jobs = List.of(job("high", 90, 2), job("mid", 50, 0), LOW);
    var one = lease("low", 0, ofMinutes(4));
    var two = lease("mid", 7, ofMinutes(4));
    var three = lease("low", 20, ofMinutes(4), ofMinutes(4));
    var view = view(ending(2)).worker("cpu", busy(), one, two).worker("cpu", busy(), three);
    var other = view(ending(2)).worker("cpu", busy(), two, one).worker("cpu", busy(), three);
    jobs.forEach(view::job);
    jobs.forEach(other::job);
    var workers = new ArrayList<>(other.build().workers());
    Collections.reverse(workers);
    var snapshot = other.build();

    assertThat(
            ends(
                new ClusterSnapshot(
                    snapshot.now(),
                    snapshot.cluster(),
                    workers,
                    snapshot.jobs(),
                    snapshot.stockouts())))
        .isEqualTo(ends(view))
        .isNotEmpty();
  }
}
