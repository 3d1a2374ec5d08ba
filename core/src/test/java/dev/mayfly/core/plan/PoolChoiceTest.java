package dev.mayfly.core.plan;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.veto.PoolVeto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Types among which a pool chooses. Spot prices an hour by the catalog: n1-standard-4 $0.07,
 * e2-standard-4 $0.08, n2-standard-4 $0.09, n2d-standard-16 $0.20.
 */
class PoolChoiceTest {
  private static final String N1 = "gpu--n1-standard-4";
  private static final String E2 = "gpu--e2-standard-4";
  private static final String N2 = "gpu--n2-standard-4";
  private static final String LARGE = "gpu--n2d-standard-16";
  private static final String UNPRICED = "gpu--x9-standard-4";

  private static PoolSpec of(String name) {
    var type = name.substring(name.indexOf("--") + 2);
    var plain = pool(name).cpus(type.equals("n2d-standard-16") ? 16 : 4).max(4).build();
    return new PoolSpec(
        name,
        type,
        plain.visible(),
        plain.zones(),
        plain.provisioning(),
        0,
        4,
        plain.idleAfter(),
        plain.life(),
        MachineSpec.PLAIN);
  }

  private static JobDemand job(long ready) {
    return SpecFixtures.demand("u", "x", Resources.cpu(4, GIB), ready, 0);
  }

  private static List<String> order(ClusterSnapshot snapshot, long open) {
    var zones = new ZoneAvailability(snapshot.stockouts(), snapshot.now());
    return new PoolChoice(snapshot, zones)
        .inOrder(snapshot.cluster().spec().pools(), job(open), open).stream()
            .map(PoolSpec::name)
            .toList();
  }

  private static PlanFixtures.Of cluster(String... names) {
    var pools = new ArrayList<PoolSpec>();
    for (var name : names) pools.add(of(name));
    return view(pools.toArray(PoolSpec[]::new));
  }

  @Test
  void cheapestIsFirst() {
    assertThat(order(cluster(N2, E2, N1).build(), 1)).containsExactly(N1, E2, N2);
  }

  @Test
  void allTasksAreWhatIsPaidFor() {
    var snapshot = cluster(N1, LARGE).build();

    assertThat(order(snapshot, 1)).containsExactly(N1, LARGE);
    assertThat(order(snapshot, 8)).containsExactly(LARGE, N1);
    assertThat(order(snapshot, 100_000)).containsExactly(LARGE, N1);
  }

  private static Stockout lost(String zone, double hours) {
    var millis = Math.round(hours * Duration.ofHours(1).toMillis());
    var work = List.of(new Stockout.Work("u", 0, millis));
    return new Stockout(
        zone,
        "lives.n1-standard-4",
        "LIVES",
        List.of(PlanFixtures.NOW),
        Optional.empty(),
        Optional.of(List.of(new Stockout.Life(PlanFixtures.NOW, true, work))));
  }

  /** Of twice the price and more: it is bought when less than half of the work is kept. */
  @Test
  void lostWorkOutweighsAnyDifferenceOfPrice() {
    assertThat(order(cluster(N1, LARGE).stockout(lost(ZONE, 1)).build(), 1))
        .containsExactly(N1, LARGE);

    var snapshot = cluster(N1, LARGE).stockout(lost(ZONE, 8)).build();

    assertThat(order(snapshot, 1)).containsExactly(LARGE, N1);
    assertThat(launches(snapshot))
        .containsExactly(
            LARGE
                + ": 1 task of job x has no room: n1-standard-4 was taken back or lost 1 time lately in %s, with 8h of 8h of work"
                    .formatted(ZONE));
  }

  @Test
  void lossesOfAnotherZoneCountNothing() {
    assertThat(order(cluster(N1, LARGE).stockout(lost("elsewhere", 8)).build(), 1))
        .containsExactly(N1, LARGE);
  }

  private static List<String> launches(ClusterSnapshot snapshot) {
    return Planner.plan(snapshot.withJobs(List.of(job(1)))).stream()
        .filter(PlanDecision.Launch.class::isInstance)
        .map(PlanDecision.Launch.class::cast)
        .map(launch -> launch.pool() + ": " + launch.reason())
        .toList();
  }

  /** The machine of twice the price is not bought, however many leave. */
  @Test
  void memoriesMakeTypeDearerByHalfAtMost() {
    var view = cluster(N1, LARGE);
    for (var i = 0; i < 9; i++) view.worker(N1, busy()).with(w -> w.withNotice(PlanFixtures.NOW));

    assertThat(order(view.build(), 1)).containsExactly(N1, LARGE);
  }

  @Test
  void typeWithoutPriceIsLast() {
    assertThat(order(cluster(UNPRICED, N2).build(), 1)).containsExactly(N2, UNPRICED);
  }

  @Test
  void otherPoolsStayInPlace() {
    assertThat(order(cluster("first", N2, N1, "last").build(), 1))
        .containsExactly("first", N1, N2, "last");
  }

  @Test
  void typeThatIsLeavingYields() {
    var snapshot =
        cluster(E2, N2).worker(E2, busy()).with(w -> w.withNotice(PlanFixtures.NOW)).build();

    assertThat(order(snapshot, 1)).containsExactly(N2, E2);
  }

  @Test
  void recentRefusalMakesTypeDearer() {
    var snapshot =
        cluster(E2, N2)
            .stockout(SpecFixtures.stockout(ZONE, "e2-standard-4", Duration.ofMinutes(6)))
            .build();

    assertThat(order(snapshot, 1)).containsExactly(N2, E2);
  }

  @Test
  void typesHaveOneMaximum() {
    var view = cluster(N1, N2);
    for (var i = 0; i < 3; i++) view.worker(N2, busy());
    var plan = Planner.planWithReasons(view.job(job(5)).build());

    assertThat(plan.decisions())
        .filteredOn(PlanDecision.Launch.class::isInstance)
        .extracting(d -> ((PlanDecision.Launch) d).pool() + " " + ((PlanDecision.Launch) d).count())
        .containsExactly(N1 + " 1");
    assertThat(plan.jobs().get("u"))
        .filteredOn(PoolVeto.AtMaximum.class::isInstance)
        .containsExactly(new PoolVeto.AtMaximum("gpu", 4, 3, 5));
  }

  @Test
  void loweredMaximumCountsAllTypes() {
    var view = cluster(N1, N2);
    for (var i = 0; i < 3; i++) view.worker(N1, busy()).worker(N2, busy());

    assertThat(Planner.plan(view.build()))
        .filteredOn(PlanDecision.Drain.class::isInstance)
        .hasSize(2);
  }
}
