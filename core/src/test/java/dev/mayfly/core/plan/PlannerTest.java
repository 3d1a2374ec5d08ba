package dev.mayfly.core.plan;

import static dev.mayfly.core.SpecFixtures.stockout;
import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.ago;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.draining;
import static dev.mayfly.core.plan.PlanFixtures.idleFor;
import static dev.mayfly.core.plan.PlanFixtures.job;
import static dev.mayfly.core.plan.PlanFixtures.launch;
import static dev.mayfly.core.plan.PlanFixtures.launching;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.LaunchedFor;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision.Drain;
import dev.mayfly.core.plan.model.PlanDecision.Launch;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.PoolVeto;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void anIdleClusterWithoutWorkersIsLeftAlone() {
    assertThat(view(pool("cpu").build()).plan()).isEmpty();
  }

  @Test
  void launchesMachinesForOpenTasks() {
    var plan = view(pool("cpu").cpus(4).build()).job(job("reddit", 2, 5)).plan();

    assertThat(plan).containsExactly(launch("cpu", ZONE, 3, "5 tasks of job reddit have no room"));
  }

  @Test
  void capacityInFlightCounts() {
    var plan =
        view(pool("cpu").build())
            .worker("cpu", launching())
            .worker("cpu", idleFor(Duration.ZERO))
            .job(job("reddit", 1, 4))
            .plan();

    assertThat(plan).isEmpty();
  }

  @Test
  void busyWorkerOffersUnleasedRoom() {
    var held = SpecFixtures.held("uid-a", 0, Resources.cpu(1, GIB), List.of(0L));
    var a = SpecFixtures.demand("uid-a", "a", Resources.cpu(1, GIB), 0, 1);

    var one = view(pool("cpu").build()).worker("cpu", busy(), held).job(a).job(job("b", 1, 1));
    var whole = view(pool("cpu").build()).worker("cpu", busy(), held).job(a).job(job("b", 2, 1));

    assertThat(one.plan()).isEmpty();
    assertThat(whole.plan()).containsExactly(launch("cpu", ZONE, 1, "1 task of job b has no room"));
  }

  @Test
  void leftoverRoomServesNextJob() {
    var plan = view(pool("cpu").cpus(4).build()).job(job("a", 3, 1)).job(job("b", 1, 2)).plan();

    assertThat(plan)
        .containsExactly(
            launch(
                "cpu",
                ZONE,
                2,
                "1 task of job a has no room; 1 task of job b has no room",
                List.of("a", "b")));
  }

  /** Machines are labelled with their job and its owner, for the bill. */
  @Test
  void launchNamesJobAndOwnerOfEachMachine() {
    var anns =
        SpecFixtures.demand(
            "uid-a", "a", Resources.cpu(2, GIB), 2, 0, new JobDemand.Standing("ann", 50, false, 0));
    var plan = view(pool("cpu").min(1).build()).job(anns).job(job("b", 2, 1)).plan();

    assertThat(plan)
        .singleElement()
        .isInstanceOfSatisfying(
            Launch.class,
            launch -> {
              var named = IntStream.range(0, launch.count()).mapToObj(launch::launchedFor).toList();
              assertThat(named)
                  .as("the warm minimum is for no job, and serves the first")
                  .containsExactlyInAnyOrder(
                      Optional.of(new LaunchedFor("a", Optional.of("ann"))),
                      Optional.of(new LaunchedFor("b", Optional.empty())),
                      Optional.empty());
            });
  }

  @Test
  void poolMaximumCountsDrainingWorkers() {
    var view =
        view(pool("cpu").max(3).build())
            .worker("cpu", draining())
            .worker("cpu", launching())
            .job(job("reddit", 2, 100));

    assertThat(view.plan())
        .containsExactly(launch("cpu", ZONE, 1, "99 tasks of job reddit have no room"));
    assertThat(view.vetoes("reddit")).containsExactly(new PoolVeto.AtMaximum("cpu", 3, 2, 4));
  }

  @Test
  void overflowGoesToNextPool() {
    var plan =
        view(pool("cheap").max(2).build(), pool("dear").max(5).build())
            .job(job("reddit", 2, 4))
            .plan();

    assertThat(plan)
        .containsExactly(
            launch("cheap", ZONE, 2, "4 tasks of job reddit have no room"),
            launch("dear", ZONE, 2, "2 tasks of job reddit have no room"));
  }

  @Test
  void planLaunchesAtMostFiveHundred() {
    var plan = view(pool("cpu").max(4096).build()).job(job("reddit", 2, 9_000_000_000L)).plan();

    assertThat(plan.getFirst()).extracting(d -> ((Launch) d).count()).isEqualTo(500);
  }

  @Test
  void warmMinimumServesFirstJob() {
    var plan =
        view(pool("cpu").min(2).build()).worker("cpu", launching()).job(job("a", 2, 2)).plan();

    assertThat(plan).containsExactly(launch("cpu", ZONE, 1, "workers.min is 2"));
  }

  @Test
  void longestIdleWorkerIsDrainedAboveMinimum() {
    var plan =
        view(pool("cpu").min(1).build())
            .worker("cpu", idleFor(Duration.ofMinutes(11)))
            .worker("cpu", idleFor(Duration.ofMinutes(20)))
            .plan();

    assertThat(plan)
        .containsExactly(new Drain("cpu-1", new DrainReason(DrainCause.UNNEEDED, "idle for 10m")));
  }

  @Test
  void anIdleWorkerThatOpenTasksNeedStays() {
    var plan =
        view(pool("cpu").build())
            .worker("cpu", idleFor(HOUR))
            .worker("cpu", idleFor(HOUR))
            .job(job("a", 2, 1))
            .plan();

    assertThat(plan)
        .containsExactly(new Drain("cpu-0", new DrainReason(DrainCause.UNNEEDED, "idle for 10m")));
  }

  @Test
  void workerNearEndOfLifeIsReplaced() {
    var shape = pool("cpu").life(HOUR).build();
    var held = SpecFixtures.held("uid-a", 0, Resources.cpu(2, GIB), List.of(0L));
    var plan =
        view(shape)
            .worker(shape, ZONE, busy(), ago(Duration.ofMinutes(46)), held)
            .job(SpecFixtures.demand("uid-a", "a", Resources.cpu(2, GIB), 0, 1))
            .plan();

    assertThat(plan)
        .containsExactly(
            new Drain(
                "cpu-0",
                new DrainReason(
                    DrainCause.END_OF_LIFE, "the machine's 1h (pools[].life) are nearly over"),
                Optional.of(NOW.plus(Duration.ofMinutes(13)))),
            launch("cpu", ZONE, 1, "1 task of job a has no room"));
  }

  @Test
  void stockoutZoneIsRetriedAfterFiveMinutes() {
    var spec = pool("cpu").zones("us-a", "us-b").build();
    var young = stockout("us-a", "n2-standard-2", Duration.ofMinutes(4));
    var older = stockout("us-a", "n2-standard-2", Duration.ofMinutes(6));

    assertThat(view(spec).job(job("a", 2, 1)).stockout(young).plan())
        .containsExactly(launch("cpu", "us-b", 1, "1 task of job a has no room"));
    var other = stockout("us-b", "n2-standard-2", Duration.ofMinutes(5).minusSeconds(1));
    assertThat(view(spec).job(job("a", 2, 1)).stockout(older).stockout(other).plan())
        .containsExactly(launch("cpu", "us-a", 1, "1 task of job a has no room"));
  }

  @Test
  void repeatedRefusalsLengthenPause() {
    var spec = pool("cpu").build();
    var often =
        stockout(
            ZONE,
            "n2-standard-2",
            Duration.ofMinutes(12),
            Duration.ofMinutes(8),
            Duration.ofMinutes(6));

    var view = view(spec).job(job("a", 2, 1)).stockout(often);

    assertThat(view.plan()).isEmpty();
    assertThat(view.reasons("a"))
        .containsExactly(
            "zone us-central2-b has no n2-standard-2 for pool cpu: ZONE_RESOURCE_POOL_EXHAUSTED 6m ago; the next try is in 4m40s");
  }

  @Test
  void refusalsExpireAfterHalfAnHour() {
    var ages = IntStream.range(31, 51).mapToObj(Duration::ofMinutes);
    var old = stockout(ZONE, "n2-standard-2", ages.toArray(Duration[]::new));

    assertThat(view(pool("cpu").build()).job(job("a", 2, 1)).stockout(old).plan())
        .hasOnlyElementsOfType(Launch.class);
  }

  @Test
  void quotaShortageVetoesRegionForThatType() {
    var quota = stockout("us-central2", "n2-standard-2", Duration.ofMinutes(1));
    var plan =
        view(pool("a").zones("us-central2-a", "us-central2-b").build(), pool("b").cpus(4).build())
            .job(job("x", 2, 2))
            .stockout(quota)
            .plan();

    assertThat(plan).containsExactly(launch("b", ZONE, 1, "2 tasks of job x have no room"));
  }

  @Test
  void poolRefusalVetoesThatPoolOnly() {
    var mine = stockout(ZONE, "pool.u1.a", Duration.ofMinutes(1));
    var plan = view(pool("a").build(), pool("b").build()).job(job("x", 2, 1)).stockout(mine).plan();

    assertThat(plan).containsExactly(launch("b", ZONE, 1, "1 task of job x has no room"));
  }

  @Test
  void impossibleJobIsReported() {
    var view = view(pool("cpu").build()).job(job("big", 4, 1));

    assertThat(view.plan()).isEmpty();
    assertThat(view.vetoes("big")).hasOnlyElementsOfType(JobVeto.Impossible.class);
    assertThat(view.reasons("big").getFirst()).startsWith("asks for 4 CPU a task");
  }

  @Test
  void namedPoolsAloneServeTheJob() {
    var named =
        SpecFixtures.demand("u", "x", Resources.cpu(1, GIB), 3, 0)
            .at(Placement.inPools(List.of("b")));
    var plan =
        view(pool("a").build(), pool("b").build())
            .worker("a", idleFor(Duration.ZERO))
            .job(named)
            .plan();

    assertThat(plan).containsExactly(launch("b", ZONE, 2, "3 tasks of job x have no room"));
  }

  @Test
  void goingClusterDrainsAllAndLaunchesNothing() {
    var plan =
        view(pool("cpu").min(3).build())
            .phase(Cluster.Phase.GOING)
            .worker("cpu", launching())
            .worker("cpu", busy())
            .worker("cpu", draining())
            .job(job("x", 1, 100))
            .plan();

    assertThat(plan)
        .extracting(d -> ((Drain) d).worker())
        .containsExactly("cpu-0", "cpu-1", "cpu-2");
  }

  @Test
  void tasksThatNeedNothingFitOnOneWorker() {
    var plan =
        view(pool("cpu").build())
            .job(SpecFixtures.demand("u", "x", Resources.ZERO, 1_000_000, 0))
            .plan();

    assertThat(plan).containsExactly(launch("cpu", ZONE, 1, "1000000 tasks of job x have no room"));
  }

  /** Raising it would help nothing. */
  @Test
  void maximumIsNoReasonWhereZoneMakesNothing() {
    var reasons =
        view(pool("cpu").cpus(4).max(2).build())
            .stockout(stockout(ZONE, "n2-standard-4", Duration.ofMinutes(1)))
            .job(job("reddit", 2, 50))
            .vetoes("reddit");

    assertThat(reasons).isNotEmpty().noneMatch(PoolVeto.AtMaximum.class::isInstance);
  }
}
