package dev.mayfly.core.plan.spending;

import static dev.mayfly.core.plan.PlanFixtures.job;
import static dev.mayfly.core.plan.PlanFixtures.launch;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.plan.PlanFixtures;
import org.junit.jupiter.api.Test;

/** Plain tasks on machines with GPUs. */
class UnaskedPurchasesTest {
  private static final PoolSpec CPU = pool("cpu").cpus(4).max(1).build();
  private static final PoolSpec GPU = pool("gpu").cpus(24).gpus(2).max(2).build();

  @Test
  void authorIsToldWhatJobMayBuyBesides() {
    var cluster = SpecFixtures.cluster(CPU, GPU);

    assertThat(UnaskedPurchases.of(SpecFixtures.job(24, SpecFixtures.run("x")), cluster))
        .get()
        .satisfies(warning -> assertThat(warning.path()).isEqualTo("pools"))
        .satisfies(warning ->
            assertThat(warning.message())
                .contains("pool gpu (" + GPU.machineType())
                .endsWith("pools: [cpu]"));
    assertThat(UnaskedPurchases.of(SpecFixtures.job(24, SpecFixtures.run("x"), "cpu"), cluster))
        .isEmpty();
  }

  @Test
  void whereAllMachinesHaveGpusNobodyIsWarned() {
    var cluster = SpecFixtures.cluster(GPU);
    assertThat(UnaskedPurchases.of(SpecFixtures.job(24, SpecFixtures.run("x")), cluster)).isEmpty();
  }

  @Test
  void orderSaysThatItsGpusAreNotAskedFor() {
    assertThat(PlanFixtures.plan(view(CPU, GPU).job(job("grid", 1, 12)).build()))
        .contains(
            launch(
                "gpu",
                PlanFixtures.ZONE,
                1,
                "8 tasks of job grid have no room on machines without GPUs"));
  }
}
