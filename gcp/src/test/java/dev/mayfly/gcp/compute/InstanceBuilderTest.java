package dev.mayfly.gcp.compute;

import dev.mayfly.gcp.PoolCases;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The requests to Compute Engine. */
class InstanceBuilderTest {
  @Test
  void everyOptionIsInTheRequestOrRefused() {
    var settings = ComputeSettings.of("lab");

    new PoolCases("n1-standard-4", Optional.empty())
        .eachIsCarriedOutOrRefused(order -> InstanceBuilder.build(order, settings));
  }

  @Test
  void tpuMachineCarriesOutEveryOptionOrRefuses() {
    var settings = ComputeSettings.of("lab");

    for (var type : List.of("ct6e-standard-8t", "tpu7x-standard-4t"))
      new PoolCases(type, Optional.empty())
          .eachIsCarriedOutOrRefused(order -> InstanceBuilder.build(order, settings));
  }
}
