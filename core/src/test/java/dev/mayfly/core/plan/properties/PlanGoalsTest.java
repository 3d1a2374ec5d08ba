package dev.mayfly.core.plan.properties;

import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.LaunchedFor;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.PlanFixtures;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What plans of random snapshots lead to; a failure names the snapshot's seed. */
class PlanGoalsTest {
  private static final int VIEWS = 1_000;

  private final RandomSnapshots snapshots = new RandomSnapshots();

  /** The ledger gives workers in any order. */
  @ParameterizedTest
  @ValueSource(longs = {1, 10_001, 20_001, 30_001})
  void orderOfWorkersChangesNothing(long first) {
    for (var seed = first; seed < first + VIEWS; seed++) {
      var view = snapshots.view(seed);
      var shuffled = new ArrayList<>(view.workers());
      Collections.shuffle(shuffled, new Random(seed));

      assertThat(Planner.planWithReasons(with(view, shuffled, view.jobs())))
          .as("seed %d", seed)
          .isEqualTo(Planner.planWithReasons(view));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 10_001, 20_001, 30_001})
  void waitingJobFindsRoomOrIsToldWhy(long first) {
    for (var seed = first; seed < first + VIEWS; seed++) {
      var view = snapshots.view(seed);
      var plan = Planner.planWithReasons(view);
      for (var job : view.jobs())
        if (job.ready() > 0 && plan.foundBy(job.job()).isEmpty() && !isFormed(plan, job))
          assertThat(plan.ofJob(job.job())).as("seed %d: %s", seed, job.name()).isNotEmpty();
    }
  }

  private static boolean isFormed(Plan plan, JobDemand job) {
    return plan.decisions().stream()
        .anyMatch(d -> d instanceof PlanDecision.FormGang gang && gang.job().equals(job.job()));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 10_001, 20_001, 30_001})
  void machinesAreLaunchedForTasksThatWait(long first) {
    for (var seed = first; seed < first + VIEWS; seed++) {
      var view = snapshots.view(seed);
      var plan = Planner.planWithReasons(view);
      var launched = new HashMap<String, Long>();
      for (var launch : of(plan, PlanDecision.Launch.class))
        for (var i = 0; i < launch.count(); i++)
          launched.merge(launch.launchedFor(i).map(LaunchedFor::job).orElse(""), 1L, Long::sum);
      for (var job : view.jobs())
        assertThat(launched.getOrDefault(job.name(), 0L))
            .as("seed %d: %s", seed, job.name())
            .isLessThanOrEqualTo((job.ready() + job.leased()) * job.gang());
      var minimum = view.cluster().spec().pools().stream().mapToLong(pool -> pool.min()).sum();
      assertThat(launched.getOrDefault("", 0L)).as("seed %d", seed).isLessThanOrEqualTo(minimum);
    }
  }

  /**
   * What a plan orders is there, so that the next one orders nothing more. That is no rule where
   * gangs gather, machines turn out unfit or below a minimum, and tasks that need no accelerators
   * share pools with those that do.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 10_001, 20_001, 30_001})
  void appliedPlanOrdersNothingMore(long first) {
    for (var seed = first; seed < first + VIEWS; seed++) {
      var view = snapshots.view(seed);
      if (!isPlain(view)) continue;
      var plan = Planner.planWithReasons(view);
      var next = Planner.planWithReasons(applied(view, plan));
      assertThat(of(next, PlanDecision.Launch.class)).as("seed %d: %s", seed, plan).isEmpty();
    }
  }

  private static boolean isPlain(ClusterSnapshot view) {
    var pools = view.cluster().spec().pools();
    return pools.stream().map(pool -> pool.visible().gpuMillis() > 0).distinct().count() == 1
        && view.jobs().stream().allMatch(job -> job.gang() == 1)
        && view.workers().stream().allMatch(worker -> worker.unfit().isEmpty())
        && pools.stream()
            .allMatch(pool ->
                view.workers().stream().filter(w -> w.pool().equals(pool.name())).count()
                    >= pool.min());
  }

  private static ClusterSnapshot with(
      ClusterSnapshot view, List<Worker> workers, List<JobDemand> jobs) {
    return new ClusterSnapshot(view.now(), view.cluster(), workers, jobs, view.stockouts());
  }

  private static <T extends PlanDecision> List<T> of(Plan plan, Class<T> type) {
    return plan.decisions().stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static ClusterSnapshot applied(ClusterSnapshot view, Plan plan) {
    var workers = new ArrayList<>(view.workers());
    for (var drain : of(plan, PlanDecision.Drain.class))
      workers.replaceAll(w -> w.name().equals(drain.worker()) ? drained(w, drain) : w);
    for (var gang : of(plan, PlanDecision.FormGang.class))
      workers.replaceAll(w -> gang.workers().contains(w.name()) ? holding(w, view, gang) : w);
    var kept = new HashMap<String, List<String>>();
    for (var keep : plan.keeps()) kept.put(keep.job(), new ArrayList<>(keep.workers()));
    for (var launch : of(plan, PlanDecision.Launch.class)) {
      var names = new ArrayDeque<String>();
      for (var i = 0; i < launch.count(); i++) {
        workers.add(launched(view, launch, i, "new-" + workers.size()));
        names.add(workers.getLast().name());
      }
      for (var keep : plan.keeps())
        for (var some : keep.launched())
          if (some.pool().equals(launch.pool()) && some.zone().equals(launch.zone()))
            for (var i = 0; i < some.count() && !names.isEmpty(); i++)
              kept.get(keep.job()).add(names.remove());
    }
    var jobs = view.jobs().stream().map(job -> applied(job, plan, kept)).toList();
    return with(view, workers, jobs);
  }

  private static JobDemand applied(JobDemand job, Plan plan, Map<String, List<String>> kept) {
    var formed =
        of(plan, PlanDecision.FormGang.class).stream()
            .filter(gang -> gang.job().equals(job.job()))
            .count();
    return job.withReady(job.ready() - formed)
        .waiting(
            new JobDemand.Waiting(
                job.waiting().since(),
                kept.getOrDefault(job.job(), List.of()),
                job.waiting().longest()));
  }

  private static Worker holding(Worker worker, ClusterSnapshot view, PlanDecision.FormGang gang) {
    var job =
        view.jobs().stream().filter(it -> it.job().equals(gang.job())).findFirst().orElseThrow();
    var held =
        new Worker.Held(
            job.job(), 99, 1, job.need(), NOW, List.of(99L), true, 1, List.of(), List.of());
    return worker.withLeases(List.of(held), NOW);
  }

  private static Worker drained(Worker worker, PlanDecision.Drain drain) {
    return worker.with(new WorkerState.Draining(NOW, drain.reason(), NOW.plusSeconds(300)));
  }

  private static Worker launched(
      ClusterSnapshot view, PlanDecision.Launch launch, int number, String name) {
    var pool = view.cluster().spec().pool(launch.pool()).orElseThrow();
    return new Worker(
        view.cluster().uid(),
        name,
        pool.name(),
        launch.zone(),
        pool.machineType(),
        PlanFixtures.launching(),
        1,
        1,
        "",
        Optional.empty(),
        pool.visible(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        1,
        NOW,
        Optional.empty(),
        Optional.empty(),
        pool.provisioning(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        launch.launchedFor(number),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
