package dev.mayfly.core.plan;

import static dev.mayfly.core.SpecFixtures.stockout;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.ago;
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
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.model.PlanDecision.Drain;
import dev.mayfly.core.plan.model.PlanDecision.Launch;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.VetoText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A machine that can run no task offers no room, and is replaced a few times. */
class UnfitInPlansTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String LACKS = "driver: no GPU of 1";
  private static final Launch ONE = launch("cpu", ZONE, 1, "1 task of job a has no room");

  private static PoolSpec cpu() {
    return pool("cpu").max(5).build();
  }

  private static PlanFixtures.Of unfit(PlanFixtures.Of view) {
    return view.worker("cpu", idleFor(MINUTE))
        .with(w -> w.withProblem(Optional.of(MachineProblem.Kind.UNFIT.of(LACKS))));
  }

  /** Unfit machines of the pool that first synced that long ago. */
  private static dev.mayfly.core.model.document.Stockout memory(Duration... ages) {
    return stockout(ZoneAvailability.UNFIT, "pool.u1.cpu", ages);
  }

  @Test
  void unfitMachineIsNoRoomAndIsReplaced() {
    var plan = unfit(view(cpu())).job(job("a", 1, 1)).plan();

    assertThat(plan)
        .containsExactly(
            new Drain("cpu-0", new DrainReason(DrainCause.UNFIT, "it can run no task: " + LACKS)),
            ONE);
  }

  @ParameterizedTest
  @EnumSource(names = {"PREPARING", "UNLIMITED", "DEGRADED", "DISK_FULL"})
  void problemThatKeepsNoTaskAwayIsRoom(MachineProblem.Kind kind) {
    var plan =
        view(cpu())
            .worker("cpu", idleFor(MINUTE))
            .with(w -> w.withProblem(Optional.of(kind.of(LACKS))))
            .job(job("a", 1, 1))
            .plan();

    assertThat(plan).isEmpty();
  }

  @Test
  void machineMayStillFindWhatItLacks() {
    var young = new WorkerState.Ready(ago(MINUTE), Optional.of(ago(MINUTE)));
    var plan =
        view(cpu())
            .worker("cpu", young)
            .with(w ->
                w.withProblem(Optional.of(MachineProblem.Kind.UNFIT.of("mount /data: port 2049"))))
            .job(job("a", 1, 1))
            .plan();

    assertThat(plan).isEmpty();
  }

  @Test
  void busyMachineThatBecameUnfitEndsItsTasksFirst() {
    var held = SpecFixtures.held("uid-a", 0, Resources.cpu(1, 1), List.of(0L));
    var plan =
        view(cpu())
            .worker("cpu", busy(), held)
            .with(w ->
                w.withProblem(Optional.of(MachineProblem.Kind.OTHER.of("disk full: 3 MiB free"))))
            .job(job("a", 1, 1))
            .plan();

    assertThat(plan).containsExactly(ONE);
  }

  @Test
  void ownersMachinesAreLeftAlone() {
    var own = pool("cpu").max(5).provisioning(Provisioning.STATIC).build();
    assertThat(unfit(view(own)).job(job("a", 1, 1)).plan()).noneMatch(Drain.class::isInstance);
  }

  @Test
  void unfitMachinesMakeUpNoGang() {
    var view = unfit(view(cpu())).worker("cpu", idleFor(MINUTE)).job(job("x", 1, 1).together(2));

    assertThat(view.plan())
        .contains(launch("cpu", ZONE, 1, "1 task of job x takes 2 workers"))
        .noneMatch(PlanDecision.FormGang.class::isInstance);
  }

  @ParameterizedTest
  @EnumSource(names = {"PREPARING", "UNFIT", "OTHER"})
  void machineThatMayRecoverMakesUpNoGangYet(MachineProblem.Kind kind) {
    var young = new WorkerState.Ready(ago(Duration.ofSeconds(9)), Optional.of(ago(MINUTE)));
    var view =
        view(cpu())
            .worker("cpu", young)
            .with(w -> w.withProblem(Optional.of(kind.of(LACKS))))
            .worker("cpu", idleFor(MINUTE))
            .job(job("x", 1, 1).together(2));

    assertThat(view.plan()).isEmpty();
    assertThat(view.vetoes("x")).containsExactly(new JobVeto.Gathering("cpu", ZONE, 2, 1, 1, 0));
  }

  @Test
  void afterThreeUnfitMachinesThePoolPauses() {
    var plan =
        Planner.planWithReasons(
            view(cpu())
                .job(job("a", 2, 5))
                .stockout(memory(MINUTE, MINUTE.multipliedBy(2), MINUTE.multipliedBy(3)))
                .build());

    var why =
        "3 machines of pool cpu could not run tasks: ZONE_RESOURCE_POOL_EXHAUSTED; the next one is tried in 9m";
    assertThat(plan.decisions()).isEmpty();
    assertThat(plan.ofJob("uid-a"))
        .extracting(veto -> VetoText.of(veto, PlanFixtures.NOW).text())
        .containsExactly(why);
  }

  @Test
  void pausedPoolThenTriesOneMachineAtATime() {
    var afterPause =
        memory(MINUTE.multipliedBy(11), MINUTE.multipliedBy(11), MINUTE.multipliedBy(11));
    var view = view(cpu()).job(job("a", 2, 4)).stockout(afterPause);

    assertThat(view.plan()).contains(launch("cpu", ZONE, 1, "4 tasks of job a have no room"));
    assertThat(view.worker("cpu", launching()).plan()).noneMatch(Launch.class::isInstance);
  }

  @Test
  void gangBeginsWithTheMachinesThatMayBeTried() {
    var gang = job("x", 1, 1).together(4);
    var one = view(cpu()).job(gang).stockout(memory(MINUTE));
    var launched = "1 task of job x takes 4 workers";

    assertThat(one.plan()).contains(launch("cpu", ZONE, 2, launched));
    assertThat(one.worker("cpu", launching()).worker("cpu", launching()).plan())
        .noneMatch(Launch.class::isInstance);
    var many = view(cpu()).job(job("x", 1, 1_000_000).together(4)).stockout(memory(MINUTE));
    assertThat(many.plan()).contains(launch("cpu", ZONE, 2, launched));
    var paused = view(cpu()).job(gang).stockout(memory(MINUTE, MINUTE, MINUTE));
    assertThat(paused.plan()).noneMatch(Launch.class::isInstance);
  }

  @Test
  void pauseGrowsWithEachTry() {
    var again =
        memory(
            Duration.ofMinutes(80),
            Duration.ofMinutes(80),
            Duration.ofMinutes(80),
            Duration.ofMinutes(60),
            Duration.ofMinutes(30));

    assertThat(view(cpu()).job(job("a", 2, 1)).stockout(again).plan())
        .noneMatch(Launch.class::isInstance);
  }

  @Test
  void fitMachineEndsThePause() {
    var seen = memory(MINUTE, MINUTE, MINUTE);
    var clusterSnapshot =
        view(cpu()).job(job("a", 2, 3)).stockout(seen).worker("cpu", idleFor(MINUTE)).build();
    var fit = clusterSnapshot.workers().getFirst();
    var spoke =
        fit.withSync(
            new dev.mayfly.core.model.worker.Incarnation("i", "b", NOW),
            1,
            fit.total(),
            NOW.minusSeconds(1));
    var after =
        new ClusterSnapshot(
            clusterSnapshot.now(),
            clusterSnapshot.cluster(),
            List.of(spoke),
            clusterSnapshot.jobs(),
            clusterSnapshot.stockouts());

    assertThat(PlanFixtures.plan(after))
        .containsExactly(launch("cpu", ZONE, 2, "2 tasks of job a have no room"));
  }

  @Test
  void changedPoolForgetsItsUnfitMachines() {
    var clusterSnapshot =
        view(cpu()).job(job("a", 2, 1)).stockout(memory(MINUTE, MINUTE, MINUTE)).build();
    Instant changed = NOW.minusSeconds(5);
    var c = clusterSnapshot.cluster();
    var cluster =
        c.withSpec(c.spec(), 2, Map.of("cpu", new Cluster.Version(2, changed, "machine")));

    assertThat(
            PlanFixtures.plan(
                new ClusterSnapshot(
                    NOW,
                    cluster,
                    clusterSnapshot.workers(),
                    clusterSnapshot.jobs(),
                    clusterSnapshot.stockouts())))
        .containsExactly(ONE);
  }
}
