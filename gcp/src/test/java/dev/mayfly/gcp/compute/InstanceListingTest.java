package dev.mayfly.gcp.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.InstanceAggregatedList;
import com.google.cloud.compute.v1.InstancesScopedList;
import com.google.cloud.compute.v1.Warning;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.CloudMachine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
  void unreachableZoneMakesTheListIncomplete() {
    var list = InstancesScopedList.newBuilder().addInstances(instance("a", TIME));
    var listing = new InstanceListing();

    listing.add(
        InstanceAggregatedList.newBuilder()
            .putItems("zones/z", list.build())
            .addUnreachables("zones/y")
            .build());

    assertThat(listing.total().machines()).extracting(m -> m.name().name()).containsExactly("a");
    assertThat(listing.total().complete()).isFalse();
    assertThat(listing.total().warnings()).containsExactly("zones/y did not answer");
  }

  @ParameterizedTest
  @CsvSource({"NO_RESULTS_ON_PAGE, true", "UNREACHABLE, false"})
  void onlyTheWarningOfAnEmptyZoneIsHarmless(String code, boolean complete) {
    var warning = Warning.newBuilder().setCode(code).setMessage("text").build();
    var ofZone = new InstanceListing();
    var ofPage = new InstanceListing();

    ofZone.add(
        InstanceAggregatedList.newBuilder()
            .putItems("zones/z", InstancesScopedList.newBuilder().setWarning(warning).build())
            .build());
    ofPage.add(InstanceAggregatedList.newBuilder().setWarning(warning).build());

    assertThat(ofZone.total().complete()).isEqualTo(complete);
    assertThat(ofPage.total().complete()).isEqualTo(complete);
  }

  @ParameterizedTest
  @CsvSource({
    "PENDING, QUEUED",
    "PROVISIONING, STARTING",
    "STAGING, STARTING",
    "RUNNING, RUNNING",
    "STOPPING, STOPPING",
    "TERMINATED, STOPPED",
    "SUSPENDED, STOPPED",
    "REPAIRING, UNKNOWN",
  })
  void wordOfAMachineIsItsStatus(String word, CloudMachine.Status status) {
    var instance = instance("a", TIME).toBuilder().setStatus(word).build();

    assertThat(InstanceReader.machine(instance).status()).isEqualTo(status);
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
