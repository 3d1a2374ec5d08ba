package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which tasks of a machine run is stored once they are long: plans know it by no other way. */
class StartedTasksTest extends RetriedTaskScene {
  private List<Long> stored() {
    return labCluster.worker("w").held().getFirst().running();
  }

  @Test
  void longTasksAreStoredAsStartedOnce() {
    begin();
    assertThat(stored()).as("they may be over in a moment").isEmpty();

    labCluster.advance(25_000);
    agent.syncAndWait();

    assertThat(stored()).containsExactly(0L, 1L, 2L, 3L, 4L);
    var version = version();
    labCluster.advance(25_000);
    agent.syncAndWait();
    assertThat(version()).as("and not again").isEqualTo(version);
  }

  private Object version() {
    return labCluster.shards("j").getFirst().checkpointAt();
  }
}
