package dev.mayfly.core.plan.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.Budget;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.MonthSpent;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.veto.VetoText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** No launch takes a month's cost above the cluster's budget, and what runs ends within it. */
class MonthInPlansTest {
  private static final Instant NOW = PricedWorkers.NOW;
  private static final Resources CPU_TASK = Resources.cpu(1, 1L << 30);
  private static final WorkerState BUSY = new WorkerState.Ready(NOW, Optional.empty());
  private static final WorkerState IDLE = new WorkerState.Ready(NOW, Optional.of(NOW));
  private static final WorkerState COMING = new WorkerState.Launching(NOW, NOW.plusSeconds(600));
  private static final PoolSpec CPU = pool("n2-standard-2", Provisioning.SPOT, 0);

  private static PoolSpec pool(String type, Provisioning how, int min) {
    return new PoolSpec(
        "cpu",
        type,
        PricedWorkers.ONE,
        List.of("z-a"),
        how,
        min,
        100,
        Duration.ofMinutes(10),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }

  private static ClusterSnapshot snapshot(
      Instant now, double spent, List<Worker> workers, long tasks, PoolSpec pool) {
    var budget = new Budget(Optional.empty(), Map.of("n2-standard-2", 1.0), Optional.of(100.0));
    var spec = SpecFixtures.cluster(pool).withBudget(budget);
    var cluster = new Cluster("c", spec, Cluster.Phase.UP, 1, 0, now, Optional.empty());
    var job = SpecFixtures.demand("uid", "job", CPU_TASK, tasks, 0);
    return new ClusterSnapshot(
            now, cluster, workers, tasks == 0 ? List.of() : List.of(job), List.of())
        .withSpentThisMonth(Optional.of(MonthSpent.known(spent)));
  }

  private static Plan plan(double spent, List<Worker> workers, long tasks, PoolSpec pool) {
    return Planner.planWithReasons(snapshot(NOW, spent, workers, tasks, pool));
  }

  private static int launched(Plan plan) {
    return plan.decisions().stream()
        .mapToInt(d -> d instanceof PlanDecision.Launch launch ? launch.count() : 0)
        .sum();
  }

  private static List<PlanDecision.Drain> drains(Plan plan) {
    return plan.decisions().stream()
        .filter(PlanDecision.Drain.class::isInstance)
        .map(PlanDecision.Drain.class::cast)
        .filter(drain -> drain.reason().cause() == DrainCause.OVER_BUDGET)
        .toList();
  }

  private static List<Worker> workers(int n, WorkerState state, Optional<Double> usdPerHour) {
    var workers = new ArrayList<Worker>();
    for (var i = 0; i < n; i++)
      workers.add(PricedWorkers.worker("w-" + i, "cpu", state, Provisioning.SPOT, usdPerHour));
    return workers;
  }

  private static List<Worker> workers(int n, WorkerState state) {
    return workers(n, state, Optional.of(1.0));
  }

  private static List<String> reasons(Plan plan) {
    return plan.ofJob("uid").stream().map(veto -> VetoText.of(veto, NOW).text()).toList();
  }

  @Test
  void launchesWhatCanWorkForAnHourWithReason() {
    var plan = plan(79, List.of(), 100, CPU);

    assertThat(launched(plan)).as("$21 for 2 h 5 min at $1").isEqualTo(10);
    assertThat(reasons(plan))
        .contains(
            "of the cluster's budget of $100.00 a month $79.00 are spent; its machines cost $10.00 an hour, one more of pool cpu $1.00, and another is bought only while the money lasts for 2h5m of all of them; raise budget.usdPerMonth to 125 or more (mayfly up with the changed file), or wait until the next month begins at 2026-12-01T00:00:00Z");
    assertThat(plan.ofJob("uid").stream().map(veto -> VetoText.of(veto, NOW).next()).toList())
        .contains(Optional.of(Instant.parse("2026-12-01T00:00:00Z")));
  }

  /** Whatever the queue asks for: 100 machines at $1 for twice 2 h 5 min, and what is spent. */
  @Test
  void noMoreIsAskedForThanAllMachinesCost() {
    var spending = new MonthlySpending(snapshot(NOW, 99, List.of(), 0, CPU));

    assertThat(spending.veto(CPU, 0, 1, 5_000).map(veto -> VetoText.of(veto, NOW).text()))
        .hasValueSatisfying(
            text -> assertThat(text).contains("raise budget.usdPerMonth to 516 or more"));
  }

  @Test
  void machinesOnTheirWayAreCounted() {
    assertThat(launched(plan(79, workers(4, COMING), 100, CPU))).isEqualTo(6);
  }

  @Test
  void nothingIsLaunchedOnceItIsSpent() {
    assertThat(launched(plan(100, List.of(), 100, CPU))).isZero();
    assertThat(launched(plan(130, List.of(), 0, pool("n2-standard-2", Provisioning.SPOT, 2))))
        .isZero();
  }

  @Test
  void machinesOfUnknownPriceCountAsNothing() {
    var unknown = pool("new-1", Provisioning.SPOT, 0);

    assertThat(launched(plan(100, List.of(), 3, unknown))).isEqualTo(3);
    assertThat(drains(plan(100, workers(3, BUSY, Optional.empty()), 0, unknown))).isEmpty();
  }

  @Test
  void withoutASumThereIsNoLimit() {
    var unknown = snapshot(NOW, 0, List.of(), 3, CPU).withSpentThisMonth(Optional.empty());

    assertThat(launched(Planner.planWithReasons(unknown))).isEqualTo(3);
  }

  @Test
  void nothingIsLaunchedWhileTheSumIsUnknown() {
    var spent = new MonthSpent(1, Optional.of("the document usage/ended.w cannot be read"));
    var snapshot = snapshot(NOW, 0, workers(2, BUSY), 3, CPU);
    var plan = Planner.planWithReasons(snapshot.withSpentThisMonth(Optional.of(spent)));

    assertThat(launched(plan)).isZero();
    assertThat(drains(plan)).isEmpty();
    assertThat(reasons(plan))
        .anySatisfy(reason ->
            assertThat(reason)
                .contains(
                    "is unknown, $1.00 at least", "the document usage/ended.w cannot be read"));
  }

  @Test
  void unreadableMachineHasCostWhatNobodyKnows() {
    var known = snapshot(NOW, 0, List.of(), 3, CPU);
    var unread =
        new ClusterSnapshot(
                NOW,
                known.cluster(),
                List.of(),
                known.jobs(),
                List.of(),
                known.tpuCreations(),
                Map.of(CPU.name(), 1))
            .withSpentThisMonth(known.spentThisMonth());

    assertThat(launched(Planner.planWithReasons(known))).isEqualTo(3);
    assertThat(launched(Planner.planWithReasons(unread))).isZero();
  }

  @Test
  void machinesAreDrainedInTimeToEndWithinIt() {
    assertThat(drains(plan(95.5, workers(4, BUSY), 0, CPU))).isEmpty();

    var late = drains(plan(95.7, workers(4, BUSY), 0, CPU));

    assertThat(late).hasSize(4);
    assertThat(late.getFirst().until()).contains(NOW.plus(Duration.ofHours(1)));
    assertThat(late.getFirst().reason().text())
        .isEqualTo(
            "of the cluster's budget of $100.00 a month $95.70 are spent, and the rest is for the end of its machines");
  }

  @Test
  void idleMachinesTakeNoMoreTasksThen() {
    assertThat(drains(plan(95.7, workers(4, IDLE), 100, CPU))).hasSize(4);
    assertThat(drains(plan(90, workers(4, IDLE), 100, CPU))).isEmpty();
  }

  @Test
  void reservedMachinesStay() {
    var reserved = pool("n2-standard-2", Provisioning.RESERVED, 0);

    assertThat(drains(plan(130, workers(2, BUSY, Optional.of(0.0)), 0, reserved))).isEmpty();
    assertThat(launched(plan(130, List.of(), 2, reserved))).isEqualTo(2);
  }

  @Test
  void onlyTheRestOfTheMonthIsCounted() {
    var late = Instant.parse("2026-11-30T23:30:00Z");

    var plan = Planner.planWithReasons(snapshot(late, 97, List.of(), 100, CPU));

    assertThat(launched(plan)).as("$3 for half an hour at $1").isEqualTo(6);
  }

  @Test
  void statusSaysThatItIsUsedUp() {
    var usedUp =
        new MonthlySpending(snapshot(NOW, 95.7, workers(4, BUSY), 0, CPU)).usedUp().orElseThrow();

    assertThat(VetoText.of(usedUp, NOW).text())
        .isEqualTo(
            "of its budget of $100.00 a month $95.70 are spent, and its machines cost $4.00 an hour: none is launched, those that run take no new tasks, and running tasks are given time to end; raise budget.usdPerMonth to 113 or more (mayfly up with the changed file), or wait until the next month begins at 2026-12-01T00:00:00Z");
    assertThat(new MonthlySpending(snapshot(NOW, 90, workers(4, BUSY), 0, CPU)).usedUp()).isEmpty();
  }
}
