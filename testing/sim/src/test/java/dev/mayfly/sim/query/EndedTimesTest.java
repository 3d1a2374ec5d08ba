package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.sim.fixture.JobChains;
import dev.mayfly.sim.fixture.LabCluster;
import org.junit.jupiter.api.Test;

class EndedTimesTest {
  private final JobChains chains = new JobChains();
  private final LabCluster labCluster = chains.labCluster;

  /** Its head says what it took, and its reason must not call another time so. */
  @Test
  void bothTimesOfAnEndedJobAreNamed() {
    chains.submit(LabCluster.count("first", 1), "s1");
    chains.submit(JobChains.successor("second", JobChains.submitted("first", "s1")));
    labCluster.advance(200_000);
    chains.succeed("first");
    labCluster.advance(5_000);
    chains.succeed("second");

    assertThat(summary("first")).contains(" ago after ").doesNotContain("since it was accepted");
    assertThat(summary("second"))
        .containsPattern("ago after \\d+s \\(3m\\d+s since it was accepted\\):");
  }

  private String summary(String job) {
    return labCluster.controlPlane.statusQueries().explain("lab", job).summary();
  }
}
