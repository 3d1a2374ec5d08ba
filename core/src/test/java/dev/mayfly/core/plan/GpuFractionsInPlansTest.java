package dev.mayfly.core.plan;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.launch;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision.Launch;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A task's part of a GPU is on one device. */
class GpuFractionsInPlansTest {
  private static PoolSpec gpu(int gpus) {
    return pool("gpu").cpus(64).gpus(gpus).build();
  }

  private static JobDemand job(String name, int millis, long ready) {
    return SpecFixtures.demand("uid-" + name, name, new Resources(100, GIB, millis, 0), ready, 0);
  }

  private static Worker.Held held(String job, int millis, int running) {
    var tasks = LongStream.range(0, running).boxed().toList();
    return SpecFixtures.held("uid-" + job, 0, new Resources(100, GIB, millis, 0), tasks);
  }

  @ParameterizedTest
  @CsvSource({"2,600,3,2", "8,600,13,2", "8,400,20,2", "8,300,26,2", "8,250,32,1", "3,250,12,1"})
  void machinesAreBoughtByWhatDevicesHold(int gpus, int millis, int tasks, int machines) {
    assertThat(view(gpu(gpus)).job(job("a", millis, tasks)).plan())
        .singleElement()
        .satisfies(d -> assertThat(((Launch) d).count()).isEqualTo(machines));
  }

  private static JobDemand memoryJob(long gib, int millis, long ready) {
    var need = new Resources(100, GIB, millis, 0, gib * GIB);
    return SpecFixtures.demand("uid-m", "m", need, ready, 0);
  }

  @ParameterizedTest
  @CsvSource({"2,4,0,8,1", "2,4,0,9,2", "2,10,250,2,1", "2,10,250,3,2", "2,4,500,5,2"})
  void machinesAreBoughtByMemoryOfDevices(int gpus, long gib, int millis, int tasks, int machines) {
    var t4s = pool("gpu").cpus(64).gpus(gpus).gpuMemory(16 * GIB).build();

    assertThat(view(t4s).job(memoryJob(gib, millis, tasks)).plan())
        .singleElement()
        .satisfies(d -> assertThat(((Launch) d).count()).isEqualTo(machines));
  }

  @Test
  void memoryThatRunningTasksHaveIsNotFree() {
    var t4 = pool("gpu").cpus(64).gpus(1).gpuMemory(16 * GIB).build();
    var need = new Resources(100, GIB, 250, 0, 10 * GIB);
    var running = SpecFixtures.held("uid-a", 0, need, List.of(0L));

    var plan = view(t4).worker("gpu", busy(), running).job(memoryJob(8, 0, 1)).plan();

    assertThat(plan).containsExactly(launch("gpu", ZONE, 1, "1 task of job m has no room"));
    assertThat(view(t4).worker("gpu", busy(), running).job(memoryJob(6, 0, 1)).plan()).isEmpty();
  }

  @Test
  void remainderOfEachDeviceIsTooSmall() {
    var plan =
        view(gpu(4))
            .worker("gpu", busy(), held("a", 400, 8))
            .job(job("a", 400, 0))
            .job(job("b", 500, 1))
            .plan();

    assertThat(plan).containsExactly(launch("gpu", ZONE, 1, "1 task of job b has no room"));
  }

  @Test
  void scatteredTasksLeaveNoWholeDevice() {
    var halves = held("a", 500, 2);
    var whole = job("b", 1_000, 1);
    var packed = view(gpu(2)).worker("gpu", busy(), halves).job(whole);
    assertThat(packed.plan()).as("both may be on one").isEmpty();

    var reportedView =
        view(gpu(2))
            .worker("gpu", busy())
            .with(w -> w.withLeases(List.of(halves), List.of(500, 500), List.of(), NOW))
            .job(whole);
    assertThat(reportedView.plan()).hasOnlyElementsOfType(Launch.class);
  }

  @Test
  void leasedUnstartedTaskReservesRoom() {
    var plan =
        view(gpu(1))
            .worker("gpu", busy())
            .with(w -> w.withLeases(List.of(held("a", 500, 0)), List.of(0), List.of(), NOW))
            .job(job("b", 500, 2))
            .plan();

    assertThat(plan).containsExactly(launch("gpu", ZONE, 1, "1 task of job b has no room"));
  }

  @Test
  void tasksWithoutGpusGoToMachinesWithoutThem() {
    var cpus = SpecFixtures.demand("uid-c", "c", Resources.cpu(1, GIB), 3, 0);
    var plan =
        view(pool("gpu").cpus(1).gpus(1).max(1).build(), pool("cpu").cpus(3).max(1).build())
            .job(cpus)
            .job(job("g", 1_000, 1))
            .plan();

    assertThat(plan)
        .containsExactly(
            launch("cpu", ZONE, 1, "3 tasks of job c have no room"),
            launch("gpu", ZONE, 1, "1 task of job g has no room"));
  }
}
