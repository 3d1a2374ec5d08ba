package dev.mayfly.core.plan.capacity;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.catalog.TransferPrice;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.plan.PlanFixtures;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.plan.veto.InfeasibleReason;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.ShapeVeto;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Machines are launched where a job's buckets are. */
class RegionsInPlansTest {
  private static final PoolSpec WEST = in("west", "us-west1-a");
  private static final PoolSpec BOTH = in("both", "us-west1-b", "us-east1-b");

  private static PoolSpec in(String name, String... zones) {
    return pool(name).zones(zones).build();
  }

  private static JobDemand job(long ready, String... locations) {
    return SpecFixtures.demand("u", "j", Resources.cpu(1, GIB), ready, 0)
        .at(Placement.ANYWHERE.withLocations(List.of(locations)));
  }

  @Test
  void onlyZonesThatTheBucketIsInAreAsked() {
    var plan = Planner.plan(view(WEST, BOTH).job(job(1, "us-east1")).build());

    assertThat(plan)
        .filteredOn(d -> d instanceof PlanDecision.Launch)
        .singleElement()
        .satisfies(d -> {
          var launch = (PlanDecision.Launch) d;
          assertThat(launch.pool()).isEqualTo("both");
          assertThat(launch.zone()).isEqualTo("us-east1-b");
        });
  }

  @Test
  void roomInOtherRegionIsNotUsed() {
    var idle = PlanFixtures.idleFor(Duration.ofSeconds(1));
    var view = view(BOTH).worker(BOTH, "us-west1-b", idle, PlanFixtures.ago(Duration.ofHours(1)));

    var near = Planner.plan(view.job(job(1, "us-east1")).build());
    assertThat(near).filteredOn(d -> d instanceof PlanDecision.Launch).hasSize(1);
  }

  @Test
  void unrestrictedJobUsesRoomAnywhere() {
    var idle = PlanFixtures.idleFor(Duration.ofSeconds(1));
    var view = view(BOTH).worker(BOTH, "us-west1-b", idle, PlanFixtures.ago(Duration.ofHours(1)));

    assertThat(Planner.plan(view.job(job(1)).build()))
        .filteredOn(d -> d instanceof PlanDecision.Launch)
        .isEmpty();
  }

  @Test
  void aPoolElsewhereIsNamedWithItsZones() {
    assertThat(view(WEST).job(job(1, "us-east1")).vetoes("j"))
        .singleElement()
        .isInstanceOfSatisfying(
            JobVeto.Impossible.class,
            no ->
                assertThat(no.why().pools())
                    .containsExactly(
                        new InfeasibleReason.Considered(
                            "west",
                            new ShapeVeto.OtherZones(List.of("us-west1-a"), List.of("us-east1")))));
  }

  @Test
  void dataAreCheaperToMoveOnOneContinent() {
    var here = StorageLocation.of("us-central1", List.of()).orElseThrow();

    assertThat(TransferPrice.perGib(here, "us-east1")).isEqualTo(0.02);
    assertThat(TransferPrice.perGib(here, "europe-west4")).isEqualTo(0.05);
    assertThat(TransferPrice.perGib(here, "asia-east1")).isEqualTo(0.08);
    assertThat(TransferPrice.perGib(here, "southamerica-east1")).isEqualTo(0.14);
    assertThat(TransferPrice.reading(here, "us-east1", 100L << 30, true))
        .contains("100.0 GiB", "about $2.00", "$0.02 a GiB", "July 2025");
  }
}
