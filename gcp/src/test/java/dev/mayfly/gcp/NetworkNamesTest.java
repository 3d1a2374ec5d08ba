package dev.mayfly.gcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkNamesTest {
  @ParameterizedTest
  @CsvSource({
    "mayfly, projects/lab/global/networks/mayfly",
    "global/networks/mayfly, projects/lab/global/networks/mayfly",
    "projects/host/global/networks/shared, projects/host/global/networks/shared",
    "https://www.googleapis.com/compute/v1/projects/host/global/networks/n, projects/host/global/networks/n",
    "https://compute.googleapis.com/compute/beta/projects/host/global/networks/n, projects/host/global/networks/n",
  })
  void networkNamesItsProject(String written, String full) {
    assertThat(NetworkNames.network("lab", written)).isEqualTo(full);
  }

  @ParameterizedTest
  @CsvSource({
    "mayfly, projects/lab/regions/us-central1/subnetworks/mayfly",
    "regions/us-east1/subnetworks/n, projects/lab/regions/us-east1/subnetworks/n",
    "projects/host/regions/us-east1/subnetworks/n, projects/host/regions/us-east1/subnetworks/n",
  })
  void subnetworkNamesProjectAndRegion(String written, String full) {
    assertThat(NetworkNames.subnetwork("lab", "us-central1-a", written)).isEqualTo(full);
  }
}
