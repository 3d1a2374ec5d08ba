package dev.mayfly.core.gang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.GangStage;
import org.junit.jupiter.api.Test;

class GangProgressTest {
  @Test
  void eachPhaseTellsHowManyHostsAreThroughAndWhichAreNot() {
    assertThat(Samples.phases())
        .extracting(GangProgress::of)
        .containsExactly(
            " is prepared on 0 of 2 hosts; it waits for v4-a/0, v4-a/1",
            " runs on 0 of 2 hosts; it waits for v4-a/0, v4-a/1",
            " has ended on 1 of 2 hosts; it waits for v4-a/1",
            " has ended on all 2 hosts; v4-a/0 publishes it",
            " is being killed on 2 hosts, because v4-a/1 (rank 1): the task ended with 1; it waits for v4-a/0, v4-a/1",
            " is published; its hosts are about to be free",
            " is nowhere any more; its hosts are about to be free");
  }

  @Test
  void aHostThatIsThroughIsNotWaitedFor() {
    var begun = Samples.said(Samples.run(), Samples.ZERO, GangStage.RUNNING, 0);

    assertThat(GangProgress.of(begun)).isEqualTo(" runs on 1 of 2 hosts; it waits for v4-a/1");
    assertThat(GangProgress.of(Samples.said(begun, Samples.ONE, GangStage.RUNNING, 0)))
        .isEqualTo(" runs on 2 of 2 hosts");
  }
}
