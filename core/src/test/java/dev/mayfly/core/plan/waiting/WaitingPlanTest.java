package dev.mayfly.core.plan.waiting;

import static dev.mayfly.core.SpecFixtures.stockout;
import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.idleFor;
import static dev.mayfly.core.plan.PlanFixtures.job;
import static dev.mayfly.core.plan.PlanFixtures.launching;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.worker.HostArrivals;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.PlanFixtures;
import dev.mayfly.core.plan.capacity.HeldLimit;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.veto.ComingVeto;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.LimitVeto;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.VetoText;
import dev.mayfly.core.plan.veto.WorkerVeto;
import dev.mayfly.core.plan.veto.ZoneVeto;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitingPlanTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static List<Veto> why(PlanFixtures.Of view, String job) {
    return why(view, WaitingFacts.NONE, job);
  }

  private static List<Veto> why(PlanFixtures.Of view, WaitingFacts facts, String job) {
    return new WaitingPlan(view.build(), facts).of("uid-" + job);
  }

  private static Worker.Held held(String job, int cpus, boolean gang) {
    var need = Resources.cpu(cpus, GIB);
    var running = List.of(0L);
    return new Worker.Held("uid-" + job, 0, 1, need, NOW, running, gang, 1, List.of(), List.of());
  }

  @Test
  void readyWorkerWithRoomIsNamedWithItsReport() {
    var soon = NOW.plusSeconds(9);
    var view = view(pool("cpu").max(2).build());
    view.worker("cpu", idleFor(MINUTE)).worker("cpu", idleFor(MINUTE)).job(job("a", 2, 1));

    assertThat(
            why(
                view,
                WaitingFacts.NONE.withDue(Map.of("cpu-1", soon, "cpu-0", soon.plusSeconds(9))),
                "a"))
        .containsExactly(new ComingVeto.NextReport(List.of("cpu-1", "cpu-0"), Optional.of(soon)));
  }

  @Test
  void machineThatIsSharedComesForBothJobs() {
    var ordered = view(pool("cpu").cpus(4).max(1).build()).job(job("a", 1, 1)).job(job("b", 1, 1));
    var booting = view(pool("cpu").cpus(4).max(1).build()).worker("cpu", launching());
    booting.job(job("a", 1, 1)).job(job("b", 1, 1));

    assertThat(why(booting, "a")).singleElement().isInstanceOf(ComingVeto.Booting.class);
    assertThat(why(booting, "b")).isEqualTo(why(booting, "a"));
    assertThat(why(ordered, "b")).containsExactly(new ComingVeto.Ordering("cpu", ZONE, 1));
    // A machine of the minimum has no job.
    var minimum = view(pool("cpu").cpus(4).min(1).build()).job(job("a", 1, 1));
    assertThat(why(minimum, "a")).containsExactly(new ComingVeto.Ordering("cpu", ZONE, 1));
  }

  @Test
  void whatComesStandsBeforeWhatKeepsMore() {
    var view = view(pool("cpu").max(1).build()).worker("cpu", launching()).job(job("a", 2, 9));

    assertThat(why(view, "a"))
        .satisfiesExactly(
            first -> assertThat(first).isInstanceOf(ComingVeto.Booting.class),
            then -> assertThat(then).isEqualTo(new PoolVeto.AtMaximum("cpu", 1, 1, 2)));
  }

  @Test
  void pausedPoolHoldsJobsBeforeTheirTurn() {
    var unfit = stockout("unfit", "pool.u1.cpu", MINUTE, MINUTE, MINUTE);
    var view = view(pool("cpu").build()).job(job("a", 2, 1)).job(job("b", 2, 1)).stockout(unfit);

    assertThat(why(view, "b"))
        .satisfiesExactly(
            first -> assertThat(first).isInstanceOf(PoolVeto.Unfit.class),
            then -> assertThat(then).isEqualTo(new JobVeto.Ahead(List.of("a"))));
  }

  @ParameterizedTest
  @CsvSource({"v4-32, 0", "v4-32, 1", "n2-standard-8, 0"})
  void poolThatCannotRunItIsNoAdvice(String type, int max) {
    var small = pool("cpu").max(1).build();
    var other =
        new PoolSpec(
            "other",
            type,
            Resources.cpu(240, 400 * GIB),
            List.of(ZONE),
            Provisioning.SPOT,
            0,
            max,
            Duration.ofMinutes(10),
            Duration.ofHours(24),
            MachineSpec.PLAIN);

    assertThat(why(view(small, other).job(job("a", 2, 9)), "a"))
        .filteredOn(PoolVeto.class::isInstance)
        .extracting(veto -> ((PoolVeto) veto).pool())
        .containsExactly("cpu");
  }

  @Test
  void machinesTooSmallForItsTasksAreNoReason() {
    var view = view(pool("small").cpus(1).max(1).build(), pool("cpu").cpus(4).max(1).build());
    view.worker("small", busy(), held("x", 1, false)).worker("cpu", busy(), held("y", 3, false));

    assertThat(why(view.job(job("a", 2, 1)), "a"))
        .filteredOn(WorkerVeto.Full.class::isInstance)
        .extracting(veto -> ((WorkerVeto.Full) veto).worker())
        .containsExactly("cpu-1");
  }

  @Test
  void machineOfGangHasNoRoomForOthers() {
    var view = view(pool("cpu").cpus(4).max(2).build());
    view.worker("cpu", busy(), held("ring", 1, true)).job(job("a", 1, 1));

    assertThat(why(view, "a")).first().isInstanceOf(ComingVeto.Ordering.class);
    assertThat(view.plan()).as("a machine is launched").hasSize(1);
  }

  @Test
  void workerWithTheMostBlocksTakesNothingMore() {
    var small = new Worker.Held[HeldLimit.SHARDS];
    Arrays.setAll(small, _ -> held("many", 1, false));
    var alone = view(pool("cpu").cpus(360).max(1).build()).worker("cpu", busy(), small);
    var more = view(pool("cpu").cpus(360).max(2).build()).worker("cpu", busy(), small);

    assertThat(why(alone.job(job("a", 2, 1)), "a"))
        .contains(new WorkerVeto.HoldsMost("cpu-0", HeldLimit.SHARDS))
        .noneMatch(ComingVeto.class::isInstance);
    assertThat(why(more.job(job("a", 2, 1)), "a"))
        .contains(new ComingVeto.Ordering("cpu", ZONE, 1));
  }

  @Test
  void fullDiskPromisesNoReport() {
    var full = MachineProblem.Kind.DISK_FULL.of("disk full");
    var view =
        view(pool("cpu").max(1).build())
            .worker("cpu", idleFor(MINUTE))
            .with(w -> w.withProblem(Optional.of(full)))
            .job(job("a", 2, 1));

    assertThat(why(view, "a"))
        .contains(new WorkerVeto.Unfit(List.of("cpu-0"), "disk full"))
        .noneMatch(ComingVeto.class::isInstance);
  }

  @Test
  void gangThatFormsNowSaysWhere() {
    var view = view(pool("cpu").max(2).build());
    view.worker("cpu", idleFor(MINUTE)).worker("cpu", idleFor(MINUTE));

    assertThat(why(view.job(job("a", 2, 1).together(2)), "a"))
        .containsExactly(new ComingVeto.GangForms(List.of("cpu-0", "cpu-1")));
  }

  @Test
  void usersOfFullWorkerAreNamed() {
    var view = view(pool("cpu").max(1).build()).worker("cpu", busy(), held("old", 2, false));
    var snapshot = view.job(job("a", 2, 1)).build();

    var why =
        new WaitingPlan(snapshot, WaitingFacts.NONE.withNames(Map.of("uid-old", "old")))
            .of("uid-a");

    assertThat(why)
        .filteredOn(WorkerVeto.Full.class::isInstance)
        .extracting(veto -> ((WorkerVeto.Full) veto).users())
        .containsExactly(List.of(new WorkerVeto.User("old", Resources.cpu(2, GIB))));
  }

  @Test
  void refusalSaysWhenItIsAskedAgain() {
    var view = view(pool("cpu").build()).job(job("a", 2, 1));
    view.stockout(stockout(ZONE, "n2-standard-2", Duration.ofMinutes(4)));

    assertThat(why(view, "a"))
        .singleElement()
        .isInstanceOfSatisfying(
            ZoneVeto.Refused.class,
            refused -> {
              assertThat(refused.cause()).isEqualTo(ZoneVeto.Cause.STOCK);
              assertThat(refused.next()).contains(NOW.plusSeconds(61));
            });
  }

  @Test
  void ordersThatEndAgainAndAgainComeFirst() {
    var ended = stockout(ZONE, "unclear.n2-standard-2", MINUTE, MINUTE.multipliedBy(2));
    var view = view(pool("cpu").build()).worker("cpu", launching()).job(job("a", 2, 1));

    assertThat(why(view.stockout(ended), "a"))
        .satisfiesExactly(
            first -> assertThat(first).isInstanceOf(ZoneVeto.Refused.class),
            then -> assertThat(then).isInstanceOf(ComingVeto.Booting.class));
  }

  @Test
  void orderInTheCloudsQueueIsToldAsThat() {
    var queue = new WorkerState.CloudQueue(NOW.minusSeconds(700), "WAITING_FOR_RESOURCES");
    var queued = new WorkerState.Booting(NOW, NOW, "op", Optional.of(queue), Optional.empty());
    var view = view(pool("cpu").build()).worker("cpu", queued).job(job("a", 2, 1));

    assertThat(why(view, "a"))
        .containsExactly(new ComingVeto.Queued("cpu", 1, queue.since(), "WAITING_FOR_RESOURCES"));
  }

  @Test
  void requestByFlexStartSaysUntilWhenItStands() {
    var queue = new WorkerState.CloudQueue(NOW.minusSeconds(60), "queued");
    var since = NOW.minus(MINUTE.multipliedBy(20));
    var requested = new WorkerState.Booting(since, NOW, "op", Optional.of(queue), Optional.empty());
    var pool = pool("cpu").provisioning(Provisioning.FLEX_START).build();
    var view = view(pool).worker("cpu", requested).job(job("a", 2, 1));

    assertThat(why(view, "a"))
        .containsExactly(
            new ComingVeto.Requested("cpu", 1, since, since.plus(MINUTE.multipliedBy(120))));
    assertThat(VetoText.of(why(view, "a").getFirst(), NOW))
        .satisfies(said -> {
          assertThat(said.text())
              .contains("requested by flex-start 20m ago", "keeps the request for 1h40m more");
          assertThat(said.next()).contains(since.plus(MINUTE.multipliedBy(120)));
        });
  }

  @Test
  void hostThatIsMissingIsNamed() {
    var first = NOW.minus(MINUTE);
    var booting = new WorkerState.Booting(first.minus(MINUTE), NOW.plus(MINUTE), "op");
    var view = view(pool("cpu").build()).worker("cpu", booting).job(job("a", 2, 1));
    var arrivals = Map.of("cpu-0", new HostArrivals(3, Map.of(0, first)));
    var facts = WaitingFacts.NONE.withArrivals(arrivals, MINUTE.multipliedBy(2));

    assertThat(why(view, facts, "a"))
        .containsExactly(
            new ComingVeto.HostsAwaited(
                "cpu-0", 3, List.of(1, 2), first, first.plus(MINUTE.multipliedBy(2))));
  }

  @Test
  void jobAtItsLimitWaitsForThatAlone() {
    var limited =
        SpecFixtures.demand(
                "uid-a", "a", Resources.cpu(2, GIB), 9, 3, new JobDemand.Standing("", 50, false, 3))
            .at(job("a", 2, 1).place());

    assertThat(why(view(pool("cpu").max(1).build()).worker("cpu", busy()).job(limited), "a"))
        .singleElement()
        .isInstanceOf(LimitVeto.OfJob.class);
  }

  @Test
  void mostMachinesHoldJobsOfWhichNothingRuns() {
    var standing = new JobDemand.Standing("", 50, false, 0);
    var runs =
        SpecFixtures.demand("uid-a", "a", Resources.cpu(2, GIB), 9, 1, standing)
            .at(job("a", 2, 1).place());
    var view = view(pool("cpu").max(1).build()).worker("cpu", busy(), held("a", 2, false));
    view.job(runs).job(job("b", 2, 1));

    assertThat(new WaitingPlan(view.build(), WaitingFacts.NONE).held())
        .singleElement()
        .satisfies(held ->
            assertThat(held.text(NOW)).contains("maximum of workers, 1", "job b waits for it"));
  }

  @Test
  void jobsThatOnlyRunAreNotBeforeIt() {
    var view = view(pool("cpu").max(1).build()).worker("cpu", busy(), held("a", 2, false));
    view.job(job("a", 2, 0)).job(job("b", 2, 1));

    assertThat(why(view, "b")).noneMatch(JobVeto.Ahead.class::isInstance);
  }

  @Test
  void olderJobOfAnotherOwnerIsNotBeforeIt() {
    var view = view(pool("cpu").max(1).build()).worker("cpu", busy());
    view.job(owned("a", "ada", 50)).job(owned("b", "bob", 50)).job(owned("c", "bob", 50));

    assertThat(why(view, "b")).noneMatch(JobVeto.Ahead.class::isInstance);
    assertThat(why(view, "b")).anyMatch(JobVeto.Shares.class::isInstance);
    assertThat(why(view, "c")).contains(new JobVeto.Ahead(List.of("b")));
  }

  @Test
  void higherPriorityOfAnotherOwnerIsBeforeIt() {
    var view = view(pool("cpu").max(1).build()).worker("cpu", busy());
    view.job(owned("a", "ada", 60)).job(owned("b", "bob", 50));

    assertThat(why(view, "b")).contains(new JobVeto.Ahead(List.of("ada/a")));
  }

  private static JobDemand owned(String name, String owner, int priority) {
    var standing = new JobDemand.Standing(owner, priority, false, Integer.MAX_VALUE);
    return SpecFixtures.demand("uid-" + name, name, Resources.cpu(2, GIB), 9, 0, standing)
        .at(job(name, 2, 1).place());
  }
}
