package dev.mayfly.core.plan.capacity;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.job;
import static dev.mayfly.core.plan.PlanFixtures.launching;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.worker.LaunchedFor;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.PlanFixtures;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tasks of several jobs packed together: the hardest get their machines first. */
class PackingInPlansTest {
  private static final PoolSpec CPU = pool("cpu").cpus(16).max(40).build();
  private static final PoolSpec GPU = pool("gpu").cpus(16).gpus(1).max(40).build();

  private static Map<String, Integer> launches(PlanFixtures.Of view) {
    var launches = new HashMap<String, Integer>();
    for (var decision : view.plan())
      if (decision instanceof PlanDecision.Launch launch)
        launches.merge(launch.pool(), launch.count(), Integer::sum);
    return launches;
  }

  private static JobDemand gpuJob(long ready) {
    return SpecFixtures.demand("uid-g", "g", new Resources(1_000, GIB, 1_000, 0), ready, 0);
  }

  private static JobDemand above(JobDemand job, int priority) {
    return SpecFixtures.demand(
            job.job(),
            job.name(),
            job.need(),
            job.ready(),
            0,
            new JobDemand.Standing("", priority, false, 0))
        .at(job.place());
  }

  @Test
  void smallTasksFillTheGpuMachine() {
    assertThat(launches(view(CPU, GPU).job(job("a", 1, 30)).job(gpuJob(1))))
        .isEqualTo(Map.of("cpu", 1, "gpu", 1));
    assertThat(launches(view(CPU, GPU).job(job("a", 1, 100)).job(gpuJob(1))))
        .isEqualTo(Map.of("cpu", 6, "gpu", 1));
  }

  @Test
  void smallTasksFillWhatLargeOnesLeave() {
    assertThat(launches(view(CPU).job(job("small", 1, 100)).job(job("large", 11, 20))))
        .isEqualTo(Map.of("cpu", 20));
  }

  @Test
  void thePackedTasksGoFirstOnNewMachines() {
    var plan = Planner.plan(view(CPU, GPU).job(job("a", 1, 30)).job(gpuJob(1)).build());

    assertThat(plan)
        .filteredOn(d -> d instanceof PlanDecision.Launch launch && launch.pool().equals("gpu"))
        .extracting(d -> ((PlanDecision.Launch) d).jobs())
        .containsExactly(List.of(new LaunchedFor("g", Optional.empty(), Optional.of("uid-g"))));
  }

  @Test
  void theNextPlanLaunchesNothingMore() {
    var large = job("large", 11, 2);
    var view =
        view(CPU)
            .worker("cpu", launching())
            .launchedFirstFor(large)
            .worker("cpu", launching())
            .launchedFirstFor(large)
            .job(job("small", 1, 10))
            .job(large);

    // In the order of the queue, ten small ones would take most of one machine.
    assertThat(view.plan()).isEmpty();
    assertThat(launches(view.job(job("more", 1, 1)))).isEqualTo(Map.of("cpu", 1));
  }

  @Test
  void aServedMachineHasNoPlaceForAJob() {
    var fresh = new WorkerState.Ready(NOW, Optional.of(NOW));
    var served = new WorkerState.Ready(NOW.minusSeconds(60), Optional.of(NOW));

    assertThat(nominee(fresh)).contains("uid-g");
    assertThat(nominee(served)).isEmpty();
    assertThat(nominee(new WorkerState.Ready(NOW, Optional.empty()))).isEmpty();
  }

  private static Optional<String> nominee(WorkerState state) {
    return view(GPU)
        .worker("gpu", state)
        .launchedFirstFor(gpuJob(1))
        .build()
        .workers()
        .getFirst()
        .nominee();
  }

  @Test
  void thePriorityComesBeforeThePacking() {
    var small = above(job("small", 1, 100), 60);

    assertThat(launches(view(CPU).job(small).job(job("large", 11, 20))))
        .isEqualTo(Map.of("cpu", 26));
  }

  @Test
  void theQueueComesFirstWhereMachinesAreTooFew() {
    var few = pool("cpu").cpus(16).max(19).build();
    var plan = Planner.plan(view(few).job(job("small", 1, 100)).job(job("large", 11, 20)).build());

    assertThat(plan)
        .extracting(d -> ((PlanDecision.Launch) d).jobs().stream().map(LaunchedFor::job).toList())
        .first()
        .satisfies(jobs -> assertThat(jobs).startsWith("small", "small", "small", "small"));
    assertThat(plan)
        .flatExtracting(d -> ((PlanDecision.Launch) d).jobs())
        .allMatch(it -> it.nominee().isEmpty());
  }

  @Test
  void aMaximumThatHoldsAllTasksPackedIsEnough() {
    var just = pool("cpu").cpus(16).max(20).build();
    var view = view(just).job(job("small", 1, 100)).job(job("large", 11, 20));

    assertThat(launches(view)).isEqualTo(Map.of("cpu", 20));
    assertThat(view.vetoes("large")).isEmpty();
  }

  /**
   * What a plan launches holds all tasks, so that the next one neither launches nor ends any: in
   * all but 29 of these 1,500 snapshots. In the order of the queue alone, 159 plans change their
   * mind.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 501, 1_001})
  void launchedMachinesAreEnough(long first) {
    var changed = 0L;
    for (var seed = first; seed < first + 500; seed++) {
      var jobs = jobs(new Random(seed));
      var before = view(CPU, GPU);
      jobs.forEach(before::job);
      var after = view(CPU, GPU);
      for (var decision : Planner.plan(before.build()))
        if (decision instanceof PlanDecision.Launch launch) come(launch, after, jobs);
      jobs.forEach(after::job);

      if (!after.plan().isEmpty()) changed++;
    }
    assertThat(changed).isLessThanOrEqualTo(13);
  }

  private static List<JobDemand> jobs(Random dice) {
    return IntStream.range(0, 2 + dice.nextInt(4))
        .mapToObj(i -> {
          var gpus = dice.nextInt(3) == 0 ? 250L * (1 + dice.nextInt(4)) : 0;
          var need = new Resources(500L * (1 + dice.nextInt(24)), GIB, gpus, 0);
          return SpecFixtures.demand("uid-" + i, "j" + i, need, 1 + dice.nextInt(20), 0);
        })
        .toList();
  }

  private static void come(PlanDecision.Launch launch, PlanFixtures.Of view, List<JobDemand> jobs) {
    for (var i = 0; i < launch.count(); i++) {
      view.worker(launch.pool(), launching());
      var nominee = launch.launchedFor(i).orElseThrow().nominee();
      jobs.stream()
          .filter(job -> nominee.filter(job.job()::equals).isPresent())
          .forEach(view::launchedFirstFor);
    }
  }
}
