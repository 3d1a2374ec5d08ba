package dev.mayfly.core.plan;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.ago;
import static dev.mayfly.core.plan.PlanFixtures.idleFor;
import static dev.mayfly.core.plan.PlanFixtures.launch;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision.Drain;
import dev.mayfly.core.plan.veto.JobVeto;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs with a restricted placement. */
class PlacementInPlansTest {
  private static final String OTHER = "us-central2-c";

  private static JobDemand in(String zone, long ready) {
    return demand(new Placement(List.of(), List.of(zone), List.of()), ready);
  }

  private static JobDemand on(String worker, long ready) {
    return demand(new Placement(List.of(), List.of(), List.of(worker)), ready);
  }

  private static JobDemand demand(Placement placement, long ready) {
    return SpecFixtures.demand("u", "x", Resources.cpu(2, GIB), ready, 0).at(placement);
  }

  @Test
  void machinesAreLaunchedInTheJobsZones() {
    var cpu = pool("cpu").cpus(2).zones(ZONE, OTHER).build();

    assertThat(view(cpu).job(in(OTHER, 1)).plan())
        .containsExactly(launch("cpu", OTHER, 1, "1 task of job x has no room"));
  }

  @Test
  void roomWithOtherLabelsIsNoRoom() {
    var plain = pool("cpu").cpus(2).build();
    var ssd = pool("ssd").cpus(2).build().withLabels(Map.of("disk", "ssd"));
    var job = demand(Placement.ANYWHERE.withLabels(Map.of("disk", "ssd")), 1);

    assertThat(view(plain, ssd).worker("cpu", idleFor(Duration.ZERO)).job(job).plan())
        .containsExactly(launch("ssd", ZONE, 1, "1 task of job x has no room"));
    assertThat(
            view(plain, ssd)
                .worker("ssd", idleFor(Duration.ZERO))
                .with(w -> w.withLabels(ssd.labels()))
                .job(job)
                .plan())
        .isEmpty();
  }

  @Test
  void aRegionStandsForAllOfItsZones() {
    var cpu = pool("cpu").cpus(2).zones("europe-west4-a", ZONE).build();

    assertThat(view(cpu).job(in("us-central2", 1)).plan())
        .containsExactly(launch("cpu", ZONE, 1, "1 task of job x has no room"));
  }

  @Test
  void roomElsewhereIsNoRoom() {
    var cpu = pool("cpu").cpus(2).zones(ZONE, OTHER).build();

    assertThat(view(cpu).worker("cpu", idleFor(Duration.ZERO)).job(in(OTHER, 1)).plan())
        .containsExactly(launch("cpu", OTHER, 1, "1 task of job x has no room"));
  }

  @Test
  void theSpareWorkerThatAJobsZoneNeedsStays() {
    var cpu = pool("cpu").cpus(2).zones(ZONE, OTHER).build();
    var spare = idleFor(cpu.idleAfter().plusSeconds(1));
    var plan =
        view(cpu)
            .worker(cpu, ZONE, spare, ago(Duration.ofHours(1)))
            .worker(cpu, OTHER, spare, ago(Duration.ofHours(1)))
            .job(in(ZONE, 1))
            .plan();

    assertThat(plan)
        .singleElement()
        .isInstanceOfSatisfying(
            Drain.class,
            d -> {
              assertThat(d.worker()).isEqualTo("cpu-1");
            });
  }

  @Test
  void jobNamingWorkersLaunchesNothing() {
    var cpu = pool("cpu").cpus(2).build();

    var view = view(cpu).job(on("cpu-7", 1));
    assertThat(view.plan()).isEmpty();
    assertThat(view.vetoes("x")).containsExactly(new JobVeto.Pinned(List.of("cpu-7")));
  }

  @Test
  void theSpareWorkerThatAJobNamesStays() {
    var cpu = pool("cpu").cpus(2).build();
    var spare = idleFor(cpu.idleAfter().plusSeconds(1));
    var plan = view(cpu).worker("cpu", spare).worker("cpu", spare).job(on("cpu-0", 1)).plan();

    assertThat(plan)
        .singleElement()
        .isInstanceOfSatisfying(
            Drain.class,
            d -> {
              assertThat(d.worker()).isEqualTo("cpu-1");
            });
  }
}
