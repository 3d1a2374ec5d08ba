package dev.mayfly.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which regions a bucket is in. */
class LocationTest {
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
    assertThat(Location.of(name, NONE).orElseThrow().holds(region)).isEqualTo(holds);
  }

  @Test
  void twoChosenRegionsCountAndNotTheirContinent() {
    var chosen = Location.of("US", List.of("US-WEST1", "US-EAST1")).orElseThrow();

    assertThat(chosen.text()).isEqualTo("us-east1+us-west1");
    assertThat(chosen.holds("us-west1")).isTrue();
    assertThat(chosen.holds("us-central1")).isFalse();
  }

  @Test
  void aNameThatIsNoRegionTellsNothing() {
    assertThat(Location.of("LAPTOP", NONE)).isEmpty();
    assertThat(Location.of("", NONE)).isEmpty();
  }

  @Test
  void aWorkerMustBeInAllOfTheLocations() {
    assertThat(Location.all(List.of("us", "us-east1"), "us-east1-b")).isTrue();
    assertThat(Location.all(List.of("us", "us-east1"), "us-west1-b")).isFalse();
    assertThat(Location.all(List.of(), "anywhere")).isTrue();
  }
}
