package dev.mayfly.core.plan.preemption;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ago;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.KeptTask;
import dev.mayfly.core.model.Outranked;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.PreemptionRule;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.plan.PlanFixtures;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.capacity.OutrankedTasks;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.model.PlanDecision.EndTasks;
import dev.mayfly.core.plan.veto.JobVeto;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A pool of at most so many machines of two processors, all of them in use. */
class RunningPreemptionTest {
  private static final Resources ONE = Resources.cpu(1, GIB);
  private static final JobDemand LOW = job("low", 10, 0);
  private static final JobDemand HIGH = job("high", 90, 1);

  private static PoolSpec ending(int max) {
    return pool("cpu").cpus(2).max(max).build().withPreemption(PreemptionRule.RUNNING);
  }

  private static JobDemand job(String name, int priority, long ready) {
    return job(name, priority, ready, ONE);
  }

  private static JobDemand job(String name, int priority, long ready, Resources need) {
    return SpecFixtures.demand(
        "uid-" + name, name, need, ready, 0, new JobDemand.Standing("ann", priority, false, 0));
  }

  private static JobDemand longest(JobDemand job, Duration timeout) {
    return job.waiting(
        new JobDemand.Waiting(NOW, List.of(), Optional.of(timeout), Optional.empty()));
  }

  private static JobDemand exclusive(JobDemand job) {
    return SpecFixtures.demand(
        job.job(),
        job.name(),
        job.need(),
        job.ready(),
        0,
        new JobDemand.Standing("ann", job.standing().priority(), true, 0));
  }

  /** A lease whose tasks began so long ago. */
  private static Worker.Held lease(String job, long start, Duration... ran) {
    return lease(job, start, ONE, false, ran);
  }

  private static Worker.Held lease(
      String job, long start, Resources need, boolean gang, Duration... ran) {
    var tasks = IntStream.range(0, ran.length).mapToObj(i -> start + i).toList();
    var began = List.of(ran).stream().map(PlanFixtures::ago).toList();
    return new Worker.Held(
        "uid-" + job,
        start,
        3,
        need,
        ago(ofHours(5)),
        tasks,
        gang,
        Math.max(1, ran.length),
        began,
        List.of());
  }

  private static Worker.Held kept(Worker.Held held, long task, Duration since) {
    return new Worker.Held(
        held.job(),
        held.start(),
        held.epoch(),
        held.need(),
        held.since(),
        held.running(),
        held.gang(),
        held.slots(),
        held.startedAt(),
        held.stalled(),
        Optional.empty(),
        Optional.of(List.of(new KeptTask(task, ago(since)))),
        Optional.empty());
  }

  private static List<EndTasks> ends(PlanFixtures.Of view) {
    return ends(view.build());
  }

  private static List<EndTasks> ends(ClusterSnapshot snapshot) {
    return Planner.plan(snapshot).stream()
        .filter(EndTasks.class::isInstance)
        .map(EndTasks.class::cast)
        .toList();
  }

  private static List<String> victims(PlanFixtures.Of view) {
    return ends(view).stream()
        .flatMap(end ->
            end.victims().stream()
                .map(it -> end.worker() + " " + end.lease().job() + " " + it.index()))
        .toList();
  }

  private static PlanFixtures.Of twoOfOne() {
    return view(ending(1)).worker("cpu", busy(), lease("low", 0, ofMinutes(20), ofMinutes(9)));
  }

  @Test
  void higherPriorityTakesWhatLosesLeast() {
    var ends = ends(twoOfOne().job(HIGH).job(LOW));

    assertThat(ends)
        .singleElement()
        .satisfies(end -> {
          assertThat(end.victims()).containsExactly(new EndTasks.Victim(1, ofMinutes(9), false));
          assertThat(end.taker()).isEqualTo(new EndTasks.For("uid-high", "ann/high", 90));
          assertThat(end.beside()).containsExactly(end.lease());
        });
  }

  @Test
  void nothingEndsWherePoolDoesNotSaySo() {
    var view =
        view(pool("cpu").cpus(2).max(1).build())
            .worker("cpu", busy(), lease("low", 0, ofMinutes(20), ofMinutes(9)))
            .job(HIGH)
            .job(LOW);

    assertThat(victims(view)).isEmpty();
    assertThat(view.reasons("high"))
        .contains(
            "pool cpu ends no running task for it: those of a lower priority go on to their ends; write preemption: running in the pool, or wait");
  }

  @Test
  void equalAndHigherPrioritiesAndSameJobStay() {
    assertThat(victims(twoOfOne().job(job("high", 10, 1)).job(LOW))).isEmpty();
    assertThat(victims(twoOfOne().job(job("low", 95, 0)).job(HIGH))).isEmpty();
    assertThat(victims(twoOfOne().job(job("low", 10, 5)))).isEmpty();
  }

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
  void onlySoManyEndAsWait() {
    var view =
        view(ending(2))
            .worker("cpu", busy(), lease("low", 0, ofMinutes(20), ofMinutes(9)))
            .worker("cpu", busy(), lease("low", 10, ofMinutes(5), ofMinutes(30)))
            .job(job("high", 90, 3))
            .job(LOW);

    assertThat(victims(view))
        .containsExactly("cpu-0 uid-low 0", "cpu-0 uid-low 1", "cpu-1 uid-low 10");
  }

  @Test
  void taskWithFreshCheckpointEndsBeforeYoungerOne() {
    var lease = kept(lease("low", 0, ofMinutes(50), ofMinutes(9)), 0, ofMinutes(2));

    assertThat(ends(view(ending(1)).worker("cpu", busy(), lease).job(HIGH).job(LOW)))
        .singleElement()
        .satisfies(end ->
            assertThat(end.victims()).containsExactly(new EndTasks.Victim(0, ofMinutes(2), true)));
  }

  @Test
  void lowestPriorityEndsBeforeLeastLoss() {
    var view =
        view(ending(1))
            .worker("cpu", busy(), lease("low", 0, ofMinutes(40)), lease("mid", 0, ofMinutes(1)))
            .job(HIGH)
            .job(job("mid", 50, 0))
            .job(LOW);

    assertThat(victims(view)).containsExactly("cpu-0 uid-low 0");
  }

  @Test
  void whatLosesMoreThanItGainsGoesOn() {
    var view = twoOfOne().job(longest(HIGH, ofMinutes(8))).job(LOW);

    assertThat(victims(view)).isEmpty();
    assertThat(view.reasons("high"))
        .contains(
            "pool cpu ends no running task for it: all of a lower priority would lose more since their last checkpoint or start than 8m, the least of them 9m");
    assertThat(victims(twoOfOne().job(longest(HIGH, ofMinutes(10))).job(LOW)))
        .containsExactly("cpu-0 uid-low 1");
  }

  @Test
  void nobodyLosesMoreThanAnHour() {
    var lease = lease("low", 0, ofMinutes(61), ofMinutes(62));

    assertThat(victims(view(ending(1)).worker("cpu", busy(), lease).job(HIGH).job(LOW))).isEmpty();
    assertThat(
            victims(
                view(ending(1))
                    .worker("cpu", busy(), kept(lease, 1, ofMinutes(59)))
                    .job(HIGH)
                    .job(LOW)))
        .containsExactly("cpu-0 uid-low 1");
  }

  @Test
  void unknownStartCountsFromTheGrant() {
    var known = lease("low", 0, ofMinutes(1));
    var old =
        new Worker.Held(
            known.job(), 0, 3, ONE, ago(ofHours(2)), List.of(0L), false, 1, List.of(), List.of());
    var young =
        new Worker.Held(
            known.job(), 5, 3, ONE, ago(ofMinutes(7)), List.of(5L), false, 1, List.of(), List.of());

    assertThat(ends(view(ending(1)).worker("cpu", busy(), old, young).job(HIGH).job(LOW)))
        .singleElement()
        .satisfies(end ->
            assertThat(end.victims()).containsExactly(new EndTasks.Victim(5, ofMinutes(7), false)));
  }

  @Test
  void tasksThatNoReportNamesStay() {
    var unreported = lease("low", 0);

    assertThat(victims(view(ending(1)).worker("cpu", busy(), unreported, unreported).job(HIGH)))
        .isEmpty();
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

  /** What ends for the job on a machine that is kept for this one. */
  private static List<PlanDecision> endedBeside(String keeper) {
    var snapshot = twoOfOne().job(HIGH).job(LOW).build();
    return new RunningPreemptionPlanner(snapshot, List.of(), Map.of("cpu-0", job(keeper, 95, 1)))
            .end(List.of(new RunningPreemptionPlanner.Lack(HIGH, 1)), Map.of(), Map.of())
            .decisions()
            .stream()
            .filter(EndTasks.class::isInstance)
            .toList();
  }

  private static Cordon cordon() {
    return new Cordon(ago(ofMinutes(1)), NOW.plusSeconds(600), "ann");
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
    assertThat(PlanFixtures.texts(Planner.planWithReasons(asked).ofJob("uid-high")))
        .contains(
            "room is made for it: task 1 of job ann/low ends by 2026-11-21T10:01:00Z, and runs again when there is room");
  }

  /** The snapshot once its plan is carried out. */
  private static ClusterSnapshot asked(ClusterSnapshot snapshot) {
    var workers = new ArrayList<Worker>();
    for (var worker : snapshot.workers()) {
      var next = worker;
      for (var end : ends(snapshot))
        if (end.worker().equals(worker.name()))
          next =
              next.withLeases(
                  next.held().stream()
                      .map(held -> held.ref().equals(end.lease()) ? asked(held, end) : held)
                      .toList(),
                  NOW);
      workers.add(next);
    }
    return new ClusterSnapshot(
        snapshot.now(), snapshot.cluster(), workers, snapshot.jobs(), snapshot.stockouts());
  }

  private static Worker.Held asked(Worker.Held held, EndTasks end) {
    var taker = end.taker();
    Instant until = NOW.plusSeconds(60);
    return OutrankedTasks.ending(
        held,
        end.victims().stream()
            .map(it ->
                new Outranked(
                    it.index(), taker.job(), taker.address(), taker.priority(), NOW, until))
            .toList());
  }

  @Test
  void roomOnItsWayIsForTheFirstInTheQueue() {
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
    var loop = new JobVeto.CrashLoop(3, 3, 1, 1);
    var failing =
        HIGH.waiting(new JobDemand.Waiting(NOW, List.of(), Optional.empty(), Optional.of(loop)));

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
