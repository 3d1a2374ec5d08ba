package dev.mayfly.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PoolOptionTest {
  /** What Mayfly's own plans or agents carry out, whatever makes the machines. */
  private static final List<String> OURS =
      List.of(
          "name",
          "visible",
          "min",
          "max",
          "spare",
          "idleAfter",
          "manual",
          "storage",
          "labels",
          "preemption");

  /** Where and what is ordered, and the dead-man switch, of which docs/reference.md speaks. */
  private static final List<String> EVERY_ORDER =
      List.of("machineType", "zones", "life", "machine");

  /**
   * Fields of a pool and its machine that are options, by the field that an option is read from.
   */
  private static final List<String> OPTIONS =
      List.of(
          "provisioning",
          "tpu",
          "gpu",
          "image",
          "diskGb",
          "diskType",
          "network",
          "subnetwork",
          "reservation",
          "compact",
          "gpuSharing");

  @Test
  void everyFieldOfPoolIsAnOptionOrOurs() {
    var fields =
        Stream.of(PoolSpec.class, MachineSpec.class)
            .flatMap(type -> Stream.of(type.getRecordComponents()))
            .map(RecordComponent::getName);

    assertThat(fields)
        .as("a new field is declared in PoolOption, and its order tested, or it is ours")
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(OURS, EVERY_ORDER, OPTIONS).flatMap(List::stream).toList());
  }

  @Test
  void flexStartIsRefusedForNodesOfCloudTpu() {
    var tpu = pool("v6e-8", Provisioning.FLEX_START);

    assertThat(PoolOption.refused(tpu))
        .extracting(InputError::toString)
        .containsExactly(
            "provisioning: is not for TPUs: Cloud TPU would make them on demand; write spot, on-demand or reserved, or api: compute in tpu");
    for (var type : List.of("g2-standard-4", "ct6e-standard-8t", "tpu7x-standard-4t"))
      assertThat(PoolOption.refused(pool(type, Provisioning.FLEX_START))).as(type).isEmpty();
  }

  /** Compute Engine makes none of these. */
  @Test
  void otherApiIsOnlyNamedWhereItHelps() {
    for (var type : List.of("v4-8", "v5litepod-8", "v6e-16"))
      assertThat(PoolOption.refused(pool(type, Provisioning.FLEX_START)))
          .as(type)
          .extracting(InputError::toString)
          .containsExactly(
              "provisioning: is not for TPUs: Cloud TPU would make them on demand; write spot, on-demand or reserved");
  }

  @Test
  void reservedMachinesNameTheirReservation() {
    assertThat(PoolOption.refused(pool("n2-standard-4", Provisioning.RESERVED)))
        .singleElement()
        .satisfies(no -> assertThat(no.message()).contains("sells on demand"));
    assertThat(PoolOption.refused(pool("ct6e-standard-8t", Provisioning.RESERVED))).hasSize(1);
    assertThat(PoolOption.refused(pool("v4-8", Provisioning.RESERVED))).isEmpty();
  }

  private static PoolSpec pool(String type, Provisioning how) {
    return new PoolSpec(
        "p",
        type,
        Resources.cpu(4, 1L << 34),
        List.of("us-central1-a"),
        how,
        0,
        1,
        Duration.ofMinutes(5),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }
}
