package dev.mayfly.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The regions of bucket locations. */
class StorageLocationTest {
  private static final List<String> NONE = List.of();

  @ParameterizedTest
  @CsvSource({
    "US-CENTRAL1,us-central1,true",
    "US-CENTRAL1,us-central2,false",
    "US,us-west4,true",
    "US,northamerica-northeast1,false",
    "EU,europe-west4,true",
    "EU,europe-west2,false",
    "ASIA,asia-east1,true",
    "NAM4,us-east1,true",
    "NAM4,us-east4,false",
    "EUR4,europe-north1,true",
    "europe-west12,europe-west1,false"
  })
  void aLocationHoldsItsRegions(String name, String region, boolean holds) {
    assertThat(StorageLocation.of(name, NONE).orElseThrow().contains(region)).isEqualTo(holds);
  }

  @Test
  void twoChosenRegionsCountAndNotTheirContinent() {
    var chosen = StorageLocation.of("US", List.of("US-WEST1", "US-EAST1")).orElseThrow();

    assertThat(chosen.text()).isEqualTo("us-east1+us-west1");
    assertThat(chosen.contains("us-west1")).isTrue();
    assertThat(chosen.contains("us-central1")).isFalse();
  }

  @Test
  void nameWithoutRegionIsIgnored() {
    assertThat(StorageLocation.of("LAPTOP", NONE)).isEmpty();
    assertThat(StorageLocation.of("", NONE)).isEmpty();
  }

  @Test
  void aWorkerMustBeInAllOfTheLocations() {
    assertThat(StorageLocation.allContain(List.of("us", "us-east1"), "us-east1-b")).isTrue();
    assertThat(StorageLocation.allContain(List.of("us", "us-east1"), "us-west1-b")).isFalse();
    assertThat(StorageLocation.allContain(List.of(), "anywhere")).isTrue();
  }
}
