package dev.mayfly.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.mayfly.core.model.cluster.Provisioning;
import java.time.YearMonth;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachinePricesTest {
  @Test
  void sliceCostsAsMuchAsItsChips() {
    assertPrice("v5p-8", Provisioning.ON_DEMAND, 4 * 4.20);
    assertPrice("v5p-32", Provisioning.ON_DEMAND, 16 * 4.20);
    assertPrice("v4-16", Provisioning.ON_DEMAND, 8 * 3.22);
    assertPrice("v5litepod-8", Provisioning.ON_DEMAND, 8 * 1.20);
    assertPrice("v6e-1", Provisioning.ON_DEMAND, 2.70);
  }

  @Test
  void familyHasRatesForCpusAndMemory() {
    assertPrice("n2-standard-4", Provisioning.ON_DEMAND, 4 * 0.031611 + 16 * 0.004237);
    assertPrice("n2-standard-4", Provisioning.SPOT, 4 * 0.01499 + 16 * 0.00201);
    assertPrice("e2-micro", Provisioning.ON_DEMAND, 0.25 * 0.02181159 + 0.00292353);
    assertPrice("m3-ultramem-32", Provisioning.ON_DEMAND, 32 * 0.0348 + 976 * 0.0051);
    assertThat(MachinePrices.of("m3-ultramem-32", Provisioning.SPOT)).isEmpty();
  }

  @Test
  void lineOfItsOwnCountsBeforeTheRate() {
    assertPrice("m4-ultramem-224", Provisioning.ON_DEMAND, 41.464127);
    assertPrice("c4-standard-4-lssd", Provisioning.SPOT, 0.16792);
  }

  @Test
  void priceTellsRegionMonthAndSource() {
    var price = MachinePrices.of("v4-8", Provisioning.SPOT).orElseThrow();

    assertThat(price.region()).isEqualTo("us-central2");
    assertThat(price.source().month()).isEqualTo(YearMonth.of(2026, 3));
    assertThat(price.source().page()).startsWith("github.com/skypilot-org/skypilot-catalog@");
  }

  @Test
  void attachedGpusComeOnTop() {
    var machine = 4 * 0.031611 + 15 * 0.004237;
    var price =
        MachinePrices.of("n1-standard-4", Provisioning.ON_DEMAND, "nvidia-tesla-t4", 2)
            .orElseThrow();

    assertThat(price.usd()).isCloseTo(machine + 2 * 0.35, within(1e-6));
    assertThat(price.source().id()).isEqualTo("skypilot-2026-03");
    assertThat(MachinePrices.of("n1-standard-4", Provisioning.SPOT, "nvidia-tesla-t4", 3))
        .isEmpty();
    assertThat(MachinePrices.of("n2-standard-4", Provisioning.SPOT, "nvidia-tesla-t4", 1))
        .isEmpty();
  }

  @Test
  void whatHasNoPriceIsEmpty() {
    for (var type : List.of("n2-custom-4-8192", "h4d-standard-192", "a4-highgpu-8g", "nope", ""))
      assertThat(MachinePrices.of(type, Provisioning.ON_DEMAND)).as(type).isEmpty();
    assertThat(MachinePrices.of("a3-highgpu-1g", Provisioning.ON_DEMAND)).isEmpty();
    assertPrice("a3-highgpu-1g", Provisioning.SPOT, 6.326193);
    assertThat(MachinePrices.of("n2-standard-4", Provisioning.RESERVED)).isEmpty();
  }

  @Test
  void spotIsCheaperWhereBothAreKnown() {
    for (var entry : MachineTypes.all())
      MachinePrices.of(entry.type(), Provisioning.ON_DEMAND)
          .ifPresent(full ->
              MachinePrices.of(entry.type(), Provisioning.SPOT)
                  .ifPresent(spot ->
                      assertThat(spot.usd()).as(entry.type()).isBetween(0.0, 0.8 * full.usd())));
  }

  private static void assertPrice(String type, Provisioning how, double usd) {
    assertThat(MachinePrices.of(type, how).orElseThrow().usd())
        .as(type)
        .isCloseTo(usd, within(1e-6));
  }
}
