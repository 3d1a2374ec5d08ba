package dev.mayfly.gcp.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.InstanceAggregatedList;
import com.google.cloud.compute.v1.InstancesScopedList;
import dev.mayfly.core.error.UnavailableException;
import org.junit.jupiter.api.Test;

class InstanceListingTest {
  private static final String TIME = "2026-01-02T03:04:05.000-07:00";

  @Test
  void unreadableMachineIsNamed() {
    var list =
        InstancesScopedList.newBuilder()
            .addInstances(instance("a", TIME))
            .addInstances(instance("b", "yesterday"))
            .addInstances(instance("c", TIME));
    var count = new InstanceListing();

    count.add(InstanceAggregatedList.newBuilder().putItems("zones/z", list.build()).build());

    assertThat(count.total().machines()).extracting(m -> m.name().name()).containsExactly("a", "c");
    assertThat(count.total().complete()).isFalse();
    assertThat(count.total().warnings())
        .singleElement()
        .asString()
        .contains("machine b")
        .contains("'yesterday'");
  }

  @Test
  void unreadableMachineIsNotMissing() {
    assertThatThrownBy(() -> InstanceReader.machine(instance("b", "")))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("machine b exists");
  }

  private static Instance instance(String name, String created) {
    return Instance.newBuilder()
        .setName(name)
        .setZone("projects/p/zones/z")
        .setStatus("RUNNING")
        .setCreationTimestamp(created)
        .build();
  }
}
