package dev.mayfly.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.HourlyBudget;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.model.worker.KeptAttempt;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.budget.HourlySpending;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.VetoText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No launch raises the hourly cost above the cluster's budget. */
class BudgetInPlansTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Resources CPU_TASK = Resources.cpu(1, 1L << 30);
  private static final Resources TWO = Resources.cpu(2, 8L << 30);

  private static PoolSpec pool(String name, String type, Provisioning how, int min) {
    return new PoolSpec(
        name,
        type,
        TWO,
        List.of("z-a"),
        how,
        min,
        100,
        Duration.ofMinutes(10),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }

  private static Plan plan(
      HourlyBudget budget, List<Worker> workers, long tasks, PoolSpec... pools) {
    var job = SpecFixtures.demand("uid", "job", CPU_TASK, tasks, 0);
    return plan(budget, workers, tasks == 0 ? List.of() : List.of(job), pools);
  }

  private static Plan plan(
      HourlyBudget budget, List<Worker> workers, List<JobDemand> jobs, PoolSpec... pools) {
    var spec = SpecFixtures.cluster(pools);
    var cluster =
        new Cluster("c", spec.withBudget(budget), Cluster.Phase.UP, 1, 0, NOW, Optional.empty());
    return Planner.planWithReasons(new ClusterSnapshot(NOW, cluster, workers, jobs, List.of()));
  }

  private static HourlyBudget budget(double usd, String type, double price) {
    return new HourlyBudget(usd, Map.of(type, price));
  }

  private static int launched(Plan plan) {
    return plan.decisions().stream()
        .mapToInt(d -> d instanceof PlanDecision.Launch l ? l.count() : 0)
        .sum();
  }

  private static List<Worker> workers(int n, WorkerState state) {
    var workers = new ArrayList<Worker>();
    for (var i = 0; i < n; i++) workers.add(worker(i, state));
    return workers;
  }

  private static Worker worker(int number, WorkerState state) {
    return worker("cpu", number, state);
  }

  private static Worker worker(String pool, int number, WorkerState state) {
    return new Worker(
        "c",
        "w-" + number,
        pool,
        "z-a",
        "n2-standard-2",
        state,
        1,
        1,
        "",
        Optional.empty(),
        TWO,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        1,
        NOW,
        Optional.empty(),
        Optional.empty(),
        Provisioning.SPOT,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static final PoolSpec CPU = pool("cpu", "n2-standard-2", Provisioning.SPOT, 0);

  @Test
  void launchesUpToBudgetWithReason() {
    var plan = plan(budget(1.0, "n2-standard-2", 0.1), List.of(), 100, CPU);

    assertThat(launched(plan)).isEqualTo(10);
    assertThat(PlanFixtures.texts(plan.ofJob("uid")))
        .contains(
            "the cluster's budget is $1.00 an hour: its machines cost $1.00, and one more of pool cpu $0.10; raise budget.usdPerHour to 1.10, or wait until machines end");
  }

  @Test
  void countsMachinesUntilTheyAreGone() {
    var lost = new WorkerState.Lost(NOW, FailureCause.PREEMPTED, "taken");
    var there = workers(7, lost);

    assertThat(launched(plan(budget(1.0, "n2-standard-2", 0.1), there, 100, CPU))).isEqualTo(3);
  }

  @Test
  void addsUpFractionsWithoutLosingAMachine() {
    assertThat(launched(plan(budget(0.3, "n2-standard-2", 0.1), List.of(), 100, CPU))).isEqualTo(3);
  }

  @Test
  void keepsToTheBudgetForTheMinimumToo() {
    var warm = pool("cpu", "n2-standard-2", Provisioning.SPOT, 5);

    assertThat(launched(plan(budget(0.2, "n2-standard-2", 0.1), List.of(), 0, warm))).isEqualTo(2);
  }

  @Test
  void buysCheaperPoolWithinBudget() {
    var dear = pool("dear", "n2-standard-2", Provisioning.ON_DEMAND, 0);
    var prices = Map.of("n2-standard-2", 0.1, "n2-standard-2.on-demand", 5.0);

    var plan = plan(new HourlyBudget(1, prices), List.of(), 6, dear, CPU);

    assertThat(plan.decisions())
        .filteredOn(PlanDecision.Launch.class::isInstance)
        .extracting(d -> ((PlanDecision.Launch) d).pool())
        .containsExactly("cpu");
  }

  @Test
  void buysNothingWithoutAPrice() {
    var plan = plan(budget(1, "v4-8", 0.1), List.of(), 6, CPU);

    assertThat(launched(plan)).isZero();
    assertThat(plan.ofJob("uid")).containsExactly(new PoolVeto.NoPrice("cpu", "n2-standard-2"));
  }

  private static List<String> drained(Plan plan) {
    return plan.decisions().stream()
        .flatMap(
            d -> d instanceof PlanDecision.Drain drain ? Stream.of(drain.worker()) : Stream.of())
        .toList();
  }

  @Test
  void loweredBudgetEndsNothingThatTasksNeed() {
    var idle = new WorkerState.Ready(NOW, Optional.of(NOW));
    var busy = new WorkerState.Ready(NOW, Optional.empty());

    var needed = plan(budget(0, "n2-standard-2", 0.1), workers(3, idle), 100, CPU);
    var running = plan(budget(0, "n2-standard-2", 0.1), workers(3, busy), 0, CPU);

    assertThat(drained(needed)).isEmpty();
    assertThat(drained(running)).isEmpty();
    assertThat(launched(needed)).isZero();
    assertThat(PlanFixtures.texts(needed.ofJob("uid")))
        .anySatisfy(text -> assertThat(text).contains("running tasks continue"));
  }

  @Test
  void machineKeptByItsJobEndsForTheBudget() {
    var until = NOW.plusSeconds(60);
    var attempt = new KeptAttempt("uid", "job", 0, "s0e1", 0, until, Optional.empty());
    var idle = worker(0, new WorkerState.Ready(NOW, Optional.of(NOW)));
    var byJob = idle.withCordon(Optional.of(Cordon.of(attempt, NOW)));
    var byHand = idle.withCordon(Optional.of(new Cordon(NOW, until.plusSeconds(1), "by hand")));
    var little = budget(0.05, "n2-standard-2", 0.1);

    assertThat(drained(plan(little, List.of(byJob), 0, CPU))).hasSize(1);
    assertThat(drained(plan(little, List.of(byHand), 0, CPU))).isEmpty();
    assertThat(drained(plan(budget(1, "n2-standard-2", 0.1), List.of(byJob), 0, CPU))).isEmpty();
  }

  @Test
  void idleMachinesAboveTheBudgetEndAtOnce() {
    var workers = new ArrayList<Worker>();
    for (var i = 0; i < 5; i++)
      workers.add(worker(i, new WorkerState.Ready(NOW, Optional.of(NOW.minusSeconds(i)))));

    var plan = plan(budget(0.3, "n2-standard-2", 0.1), workers, 0, CPU);

    assertThat(plan.decisions())
        .extracting(d ->
            ((PlanDecision.Drain) d).worker() + ": " + ((PlanDecision.Drain) d).reason().text())
        .containsExactly(
            "w-4: the cluster's machines cost more than its budget of $0.30 an hour, and this machine runs no task",
            "w-3: the cluster's machines cost more than its budget of $0.30 an hour, and this machine runs no task");
    assertThat(drained(plan(budget(0.5, "n2-standard-2", 0.1), workers, 0, CPU))).isEmpty();
  }

  @Test
  void minimumIsNotKeptAboveTheBudget() {
    var warm = pool("cpu", "n2-standard-2", Provisioning.SPOT, 5);
    var idle = new WorkerState.Ready(NOW, Optional.of(NOW));

    var plan = plan(budget(0.3, "n2-standard-2", 0.1), workers(5, idle), 0, warm);

    assertThat(drained(plan)).hasSize(2);
    assertThat(launched(plan)).isZero();
  }

  @Test
  void machinesInFlightEndBeforeThoseThatTasksUse() {
    var workers = new ArrayList<>(workers(2, new WorkerState.Ready(NOW, Optional.of(NOW))));
    workers.add(worker(7, new WorkerState.Launching(NOW, NOW.plusSeconds(600))));
    workers.add(worker(8, new WorkerState.Launching(NOW, NOW.plusSeconds(600))));

    assertThat(drained(plan(budget(0.3, "n2-standard-2", 0.1), workers, 100, CPU)))
        .containsExactly("w-7");
  }

  @Test
  void unneededIdleMachineEndsBeforeOneInFlight() {
    var other = pool("other", "n2-standard-2", Provisioning.SPOT, 0);
    var flying = worker(1, new WorkerState.Launching(NOW, NOW.plusSeconds(600)));
    var idle = worker("other", 2, new WorkerState.Ready(NOW, Optional.of(NOW)));
    var job =
        SpecFixtures.demand("uid", "job", CPU_TASK, 100, 0).at(Placement.inPools(List.of("cpu")));

    var plan =
        plan(budget(0.1, "n2-standard-2", 0.1), List.of(flying, idle), List.of(job), CPU, other);

    assertThat(drained(plan)).containsExactly("w-2");
  }

  @Test
  void drainingMachineCountsAsSaved() {
    var workers = new ArrayList<>(workers(2, new WorkerState.Ready(NOW, Optional.of(NOW))));
    workers.add(worker(7, new WorkerState.Draining(NOW, PlanFixtures.IDLE, NOW.plusSeconds(300))));

    assertThat(drained(plan(budget(0.2, "n2-standard-2", 0.1), workers, 0, CPU))).isEmpty();
  }

  @Test
  void saysThatAClusterIsAboveItsBudget() {
    var ready = new WorkerState.Ready(NOW, Optional.of(NOW));

    assertThat(HourlySpending.aboveBudget(budget(0.3, "n2-standard-2", 0.1), workers(3, ready)))
        .isEmpty();
    assertThat(
            HourlySpending.aboveBudget(budget(0.3, "n2-standard-2", 0.1), workers(4, ready))
                .map(veto -> VetoText.of(veto, NOW).text())
                .orElseThrow())
        .startsWith("its machines cost $0.40 an hour, above the budget of $0.30;");
  }
}
