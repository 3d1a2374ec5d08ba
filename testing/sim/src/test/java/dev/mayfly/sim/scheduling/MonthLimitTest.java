package dev.mayfly.sim.scheduling;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.Budget;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.veto.VetoText;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.query.cost.CostBy;
import dev.mayfly.core.query.cost.CostReader;
import dev.mayfly.core.query.cost.CostRequest;
import dev.mayfly.sim.control.CoreControlPlane;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.fake.UsageCounter;
import dev.mayfly.sim.fixture.ScriptedWorld;
import dev.mayfly.sim.observation.StoredSnapshot;
import dev.mayfly.sim.scenario.PlannedJob;
import dev.mayfly.sim.world.World;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clusters whose machines may cost no more in a month than their user says. */
class MonthLimitTest {
  private static ClusterSpec lab(int machines, double usdPerMonth) {
    return ScriptedWorld.cluster(List.of(ScriptedWorld.small(0, machines)))
        .withBudget(
            new Budget(Optional.empty(), Map.of("n2-standard-4", 1.0), Optional.of(usdPerMonth)));
  }

  private static ScriptedWorld world(long seed, ClusterSpec lab, PlannedJob... jobs) {
    return ScriptedWorld.of(CoreControlPlane::new, seed, 2, lab, jobs);
  }

  private static PlannedJob work(int tasks) {
    return ScriptedWorld.job(0, tasks, 1, ofMinutes(3), false);
  }

  private static Cluster cluster(ScriptedWorld world) {
    return world.world.truth().all(Cluster.class).getFirst();
  }

  private static boolean isIdle(ScriptedWorld world) {
    return world.world.truth().fleet().machines().isEmpty();
  }

  /** As {@code mayfly cost} says. */
  private static double spent(ScriptedWorld world) {
    var truth = world.world.truth();
    var since = LocalDate.ofInstant(world.now(), ZoneOffset.UTC).withDayOfMonth(1);
    return new CostReader(truth.ledger(), world.world.time())
        .read(cluster(world), new CostRequest(CostBy.DAY, since, Optional.empty()))
        .month()
        .usd();
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 6", "2, 2, 9", "3, 4, 14", "4, 8, 20"})
  void machinesEndWithinTheMoneyOfTheMonth(long seed, int machines, double usdPerMonth) {
    var world = world(seed, lab(machines, usdPerMonth), work(10_000));
    world.until(() -> !isIdle(world), ofHours(1));

    for (var hours = 0; hours < 20; hours++) {
      world.advance(ofHours(1));
      assertThat(spent(world)).isLessThan(usdPerMonth);
    }

    assertThat(isIdle(world)).isTrue();
    assertThat(spent(world)).isGreaterThan(usdPerMonth - 2.2);
    assertThat(world.world.truth().all(Job.class)).allMatch(Job::running);
  }

  @Test
  void peopleAreToldOnceForEachLimit() {
    var world = world(6, lab(1, 8), work(10_000));
    world.advance(ofHours(9));

    assertThat(told(world))
        .singleElement()
        .satisfies(event ->
            assertThat(event.why())
                .startsWith("in 2026-01 (UTC) its machines cost $6.4")
                .contains("of its budget of $8.00 a month", "raise budget.usdPerMonth"));
    raise(world, lab(8, 20));
    world.advance(ofHours(9));
    assertThat(told(world)).hasSize(2);
    assertThat(told(world))
        .as("before four fifths, with the end of six machines")
        .anySatisfy(event -> assertThat(event.why()).contains("cost $13.", " of $20.00 a month"));
  }

  private static List<EventRecord> told(ScriptedWorld world) {
    return world.world.truth().all(EventRecord.class).stream()
        .filter(event -> event.what().equals("spending"))
        .toList();
  }

  private static void raise(ScriptedWorld world, ClusterSpec lab) {
    world.world.users().publish(new UserCommand.ApplyCluster(lab, Optional.empty(), false));
  }

  @Test
  void raisedLimitLetsItGoOn() {
    var world = world(5, lab(1, 4), work(500));
    world.until(() -> !isIdle(world), ofHours(1));
    world.until(() -> isIdle(world), ofHours(9));
    world.advance(ofMinutes(30));
    assertThat(isIdle(world)).isTrue();

    raise(world, lab(1, 40));

    world.until(world::ended, ofHours(9));
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void machinesThatAreTakenAreCounted(long seed) {
    var world = world(seed, lab(4, 12), work(10_000));
    for (var i = 0; i < 40; i++) {
      world.advance(ofMinutes(11));
      var machines = world.world.truth().fleet().machines();
      if (!machines.isEmpty())
        world.world.truth().fleet().preempt(machines.iterator().next(), true, ofMinutes(1), false);
    }

    world.advance(ofHours(2));

    assertThat(spent(world)).isBetween(8.0, 12.0);
  }

  @Test
  void dayThatCannotBeReadLaunchesNothing() {
    var night = ScriptedWorld.job(1, 10_000, 1, ofMinutes(3), false);
    var tomorrow =
        new PlannedJob(
            1, night.spec(), ofHours(25), Optional.empty(), Optional.empty(), 0, 0, night.tasks());
    var world = world(14, lab(2, 200), work(100), tomorrow);
    world.until(() -> world.now().isAfter(World.START.plus(ofHours(26))), ofHours(30));
    var before = sums(world).getFirst();
    var day = firstDay(world).key();
    ledger(world).spoil(day);
    var _ = ledger(world).commit(List.of(new LedgerWrite.Delete(before.key())));
    preemptOne(world);

    world.advance(ofMinutes(30));

    assertThat(machines(world)).as("the other one goes on").isEqualTo(1);
    assertThat(sums(world)).as("it would lack that day").isEmpty();
    assertThat(StoredSnapshot.of(world.world.truth(), cluster(world)))
        .satisfies(snapshot ->
            assertThat(reasons(snapshot))
                .anySatisfy(
                    text -> assertThat(text).contains("is unknown", day.path(), "cannot be read")));
    ledger(world).mend(day);
    world.until(() -> machines(world) == 2, ofMinutes(10));
    world.advance(ofMinutes(20));
    preemptOne(world);
    world.until(() -> !sums(world).isEmpty(), ofHours(1));
    assertThat(sums(world).getFirst().usd()).isGreaterThan(before.usd());
  }

  private static List<String> reasons(ClusterSnapshot snapshot) {
    return Planner.planWithReasons(snapshot).ofJob(snapshot.jobs().getFirst().job()).stream()
        .map(veto -> VetoText.of(veto, snapshot.now()).text())
        .toList();
  }

  private static Usage firstDay(ScriptedWorld world) {
    return world.world.truth().all(Usage.class).stream()
        .filter(usage -> !usage.isEnded())
        .min(Comparator.comparing(Usage::id))
        .orElseThrow();
  }

  private static SimLedger ledger(ScriptedWorld world) {
    return world.world.ledger();
  }

  private static int machines(ScriptedWorld world) {
    return world.world.truth().fleet().machines().size();
  }

  private static void preemptOne(ScriptedWorld world) {
    var fleet = world.world.truth().fleet();
    fleet.preempt(fleet.machines().iterator().next(), true, ofMinutes(1), false);
  }

  private static List<Usage.Month> sums(ScriptedWorld world) {
    return world.world.truth().all(Usage.Month.class);
  }

  @Test
  void clusterWithoutWorkReadsNoSum() {
    var limited = world(8, lab(2, 5));
    var unlimited = world(8, ScriptedWorld.cluster(List.of(ScriptedWorld.small(0, 2))));

    assertThat(reads(limited)).isEqualTo(reads(unlimited));
  }

  /** Until the ticks pause. */
  private static long reads(ScriptedWorld world) {
    world.advance(ofHours(1));
    return world.world.tally().read().of(UsageCounter.Kind.READ);
  }
}
