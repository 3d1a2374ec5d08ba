package dev.mayfly.core.plan;

import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.idleFor;
import static dev.mayfly.core.plan.PlanFixtures.job;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.cluster.ClusterLimits;
import dev.mayfly.core.model.cluster.HourlyBudget;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.veto.Remedies;
import dev.mayfly.core.plan.veto.Remedy;
import dev.mayfly.core.plan.veto.Veto;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each veto of a plan names what would help, and nothing that would not. */
class RemediesInPlansTest {
  private static final WorkerState IDLE = idleFor(Duration.ofSeconds(1));
  private static final PoolSpec OWN = pool("own").max(3).provisioning(Provisioning.STATIC).build();

  private static PoolSpec slice(int machines) {
    var like = pool("slice").build();
    return new PoolSpec(
        "slice",
        "v4-8",
        like.visible(),
        like.zones(),
        Provisioning.SPOT,
        machines,
        machines,
        like.idleAfter(),
        like.life(),
        MachineSpec.PLAIN,
        true);
  }

  private static List<Remedy> remedies(List<Veto> vetoes) {
    return vetoes.stream().map(Remedies::of).toList();
  }

  private static JobDemand gang(int of) {
    return job("g", 1, 1).together(of);
  }

  @Test
  void maximumIsRaisedForJobsBeforeItToo() {
    var full = view(pool("cpu").max(1).build()).worker("cpu", busy());
    // The busy worker has room for one of the three tasks.
    full.job(job("first", 2, 3)).job(job("second", 2, 1));

    assertThat(remedies(full.vetoes("first"))).contains(new Remedy.RaiseMaximum("cpu", 2));
    assertThat(remedies(full.vetoes("second"))).contains(new Remedy.RaiseMaximum("cpu", 4));
  }

  @Test
  void maximumIsRaisedForOwnersWhoShareToo() {
    var full = view(pool("cpu").max(1).build()).worker("cpu", busy());
    full.job(job("before", 2, 1)).job(of("ada", "a", 3)).job(of("ada", "later", 9));
    full.job(of("bob", "b", 2));

    assertThat(remedies(full.vetoes("a"))).contains(new Remedy.RaiseMaximum("cpu", 4));
  }

  private static JobDemand of(String owner, String name, long tasks) {
    var like = job(name, 2, tasks);
    var standing = new JobDemand.Standing(owner, 50, false, 0);
    return SpecFixtures.demand(like.job(), name, like.need(), tasks, 0, standing).at(like.place());
  }

  @Test
  void waitingGangsMachinesCountTowardsTheMaximum() {
    var two = view(pool("cpu").max(2).build()).worker("cpu", busy()).worker("cpu", busy());
    two.job(gang(2)).job(job("second", 2, 5));

    assertThat(remedies(two.vetoes("second"))).contains(new Remedy.RaiseMaximum("cpu", 5));
  }

  @Test
  void maximumIsRaisedForGangThatHasNoPool() {
    var one = view(pool("cpu").max(1).build()).job(gang(2)).job(job("second", 2, 5));

    assertThat(remedies(one.vetoes("g"))).containsExactly(new Remedy.RaiseMaximum("cpu", 2));
    assertThat(remedies(one.vetoes("second"))).contains(new Remedy.RaiseMaximum("cpu", 4));
  }

  @Test
  void closedPoolIsOpenedForAWholeGang() {
    var none = view(pool("cpu").max(0).build()).job(gang(3));

    assertThat(remedies(none.vetoes("g"))).containsExactly(new Remedy.RaiseMaximum("cpu", 3));
  }

  @Test
  void ownersLimitIsRaisedForLaterJobsToo() {
    var spec =
        PlanFixtures.cluster(pool("cpu").build())
            .withLimits(
                new ClusterLimits(
                    Optional.of(1L),
                    Map.of(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()));
    var limits =
        new TaskLimits(List.of(of("ada", "a", 1), of("ada", "b", 1), of("ada", "c", 7)), spec);

    assertThat(Remedies.of(limits.vetoes().get("uid-b")))
        .isEqualTo(new Remedy.RaiseOwnerLimit("ada", 9));
  }

  @Test
  void fallbackHasAMaximumOfItsOwn() {
    var fallback = view(pool("cpu").build().fallback(1)).worker("cpu-fallback", busy());
    fallback.job(job("j", 2, 2).at(Placement.inPools(List.of("cpu-fallback"))));

    assertThat(fallback.reasons("j"))
        .contains(
            "pool cpu-fallback has its maximum of workers, 1; raise onDemand.max of pool cpu to 2"
                + " or more");
  }

  @Test
  void gangOnOwnMachinesWaitsForMoreToJoin() {
    var own = view(OWN).worker("own", IDLE).job(gang(3));

    assertThat(remedies(own.vetoes("g"))).containsExactly(new Remedy.JoinMachines("own", 2));
  }

  @Test
  void gangOnManualSliceHasNoMaximumToRaise() {
    var slice = view(slice(2)).worker("slice", IDLE).job(gang(2));

    assertThat(remedies(slice.vetoes("g"))).containsExactly(new Remedy.WorkEnds());
  }

  @Test
  void gangOnNamedWorkersIsToldSo() {
    var named = view(pool("cpu").build()).worker("cpu", IDLE);
    named.job(gang(2).at(new Placement(List.of(), List.of(), List.of("cpu-0"))));

    assertThat(named.reasons("g"))
        .containsExactly("it may run on cpu-0 alone; no machine is launched for it");
  }

  @Test
  void budgetIsRaisedForAllMachinesOfGang() {
    var snapshot = view(pool("cpu").build()).worker("cpu", IDLE).job(gang(4)).build();
    var budget = new HourlyBudget(0.3, Map.of("n2-standard-2", 0.1));
    var spec = snapshot.cluster().spec().withBudget(budget);
    var cluster =
        new Cluster("u1", spec, Cluster.Phase.UP, 1, 0, PlanFixtures.NOW, Optional.empty());
    var plan =
        Planner.planWithReasons(
            new ClusterSnapshot(
                PlanFixtures.NOW, cluster, snapshot.workers(), snapshot.jobs(), List.of()));

    assertThat(remedies(plan.ofJob("uid-g"))).containsExactly(new Remedy.RaiseBudget(0.4));
    assertThat(PlanFixtures.texts(plan.ofJob("uid-g")))
        .containsExactly(
            "the cluster's budget is $0.30 an hour: its machines cost $0.10, and 3 more of pool cpu"
                + " $0.30; raise budget.usdPerHour to 0.40, or wait until machines end");
  }

  @Test
  void nothingRaisesWhatHasNoMaximum() {
    var deleted =
        Feasibility.check(job("j", 1, 1).need(), inSlice(), PlanFixtures.cluster(slice(0)));
    var gang =
        Feasibility.together(job("j", 1, 1).need(), inSlice(), 3, PlanFixtures.cluster(slice(2)));

    assertThat(deleted.orElseThrow().remedy()).isInstanceOf(Remedy.AddPool.class);
    assertThat(gang.orElseThrow().remedy()).isEqualTo(new Remedy.SmallerGang(2));
  }

  private static Placement inSlice() {
    return Placement.inPools(List.of("slice"));
  }
}
