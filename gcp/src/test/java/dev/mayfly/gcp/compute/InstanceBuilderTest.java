package dev.mayfly.gcp.compute;

import dev.mayfly.gcp.PoolCases;
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
}
