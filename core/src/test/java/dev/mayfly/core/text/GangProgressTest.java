package dev.mayfly.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.lifecycle.GangSamples;
import dev.mayfly.core.model.gang.GangMemberStage;
import org.junit.jupiter.api.Test;

class GangProgressTest {
  @Test
  void eachPhaseNamesWaitingHosts() {
    assertThat(GangSamples.phases())
        .extracting(GangProgress::describe)
        .containsExactly(
            " is prepared on 0 of 2 hosts; it waits for v4-a/0, v4-a/1",
            " runs on 0 of 2 hosts; it waits for v4-a/0, v4-a/1",
            " has ended on 1 of 2 hosts; it waits for v4-a/1",
            " has ended on all 2 hosts; v4-a/0 publishes it",
            " is being killed on 2 hosts, because v4-a/1 (rank 1): the task ended with 1; it waits for v4-a/0, v4-a/1",
            " is published; its hosts will be free soon",
            " is cleared on all hosts, which will be free soon");
  }

  @Test
  void finishedHostIsNotListed() {
    var begun =
        GangSamples.reported(GangSamples.run(), GangSamples.ZERO, GangMemberStage.RUNNING, 0);

    assertThat(GangProgress.describe(begun))
        .isEqualTo(" runs on 1 of 2 hosts; it waits for v4-a/1");
    assertThat(
            GangProgress.describe(
                GangSamples.reported(begun, GangSamples.ONE, GangMemberStage.RUNNING, 0)))
        .isEqualTo(" runs on 2 of 2 hosts");
  }
}
