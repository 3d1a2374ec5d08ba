package dev.mayfly.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegionsTest {
  @ParameterizedTest
  @CsvSource({
    "us-cental1-a, us-central1-a",
    "us-cetnral1-b, us-central1-b",
    "eurpe-west4-a, europe-west4-a",
    "us-centrall1-ai1b, us-central1-ai1b",
  })
  void misspeltZoneIsRecognized(String zone, String right) {
    assertThat(Regions.meant(zone)).contains(right);
  }

  /** Google opens regions and zones: a name that may be right is never taken for another. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "us-central1-a", "us-central1-ai1b", "us-central9-a", "europe-west13-c", "me-east1-a",
        "us-north1-b", "asia-west1-a", "africa-north1-a", "canada-east1-a", "europe-south1-a",
        "us-southwest1-a"
      })
  void zoneThatMayBeRightIsKept(String zone) {
    assertThat(Regions.meant(zone)).isEmpty();
  }
}
