package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Following a job's logs makes its agents store them sooner, for a while. */
class LogFollowTest {
  private final LabCluster labCluster = new LabCluster();

  private ScriptedAgent working() {
    labCluster.submit(LabCluster.count("j", 2));
    labCluster.submit(LabCluster.count("other", 2));
    labCluster.deliver();
    var worker = labCluster.machine("w");
    worker.wait = 1;
    worker.syncAndWait();
    assertThat(worker.held()).isNotEmpty();
    return worker;
  }

  private void follow(String job) {
    labCluster.publish(new UserCommand.FollowLogs("lab", job));
    labCluster.advance(2_000);
  }

  private String version(String job) {
    return labCluster
        .store
        .read(new DocumentKey.OfJob(labCluster.uid, labCluster.job(job).uid()))
        .orElseThrow()
        .version();
  }

  @Test
  void workersFollowForTwoMinutes() {
    var worker = working();
    assertThat(worker.syncAndWait().followed()).isEmpty();

    follow("j");
    assertThat(worker.syncAndWait().followed()).containsExactly(labCluster.job("j").uid());

    labCluster.time.advance(Duration.ofMinutes(2));
    assertThat(worker.syncAndWait().followed()).isEmpty();
  }

  @Test
  void continuedFollowIsRenewed() {
    var worker = working();
    follow("j");
    for (var minutes = 0; minutes < 5; minutes++) {
      labCluster.time.advance(Duration.ofMinutes(1));
      follow("j");
    }

    assertThat(worker.syncAndWait().followed()).containsExactly(labCluster.job("j").uid());
  }

  @Test
  void manyReadersWriteJobOnce() {
    working();
    follow("j");
    var before = version("j");

    for (var reader = 0; reader < 10; reader++) follow("j");

    assertThat(version("j")).isEqualTo(before);
  }

  @Test
  void lateMessageChangesNothing() {
    working();
    var userMessage = labCluster.message(new UserCommand.FollowLogs("lab", "j"));
    labCluster.time.advance(Duration.ofMinutes(3));
    var before = version("j");

    labCluster.controlPlane.commandHandler().handle(userMessage);

    assertThat(version("j")).isEqualTo(before);
    assertThat(labCluster.refused(userMessage)).isEmpty();
  }

  @Test
  void missingJobIsRefusedAndEndedJobAccepted() {
    assertThat(labCluster.refused(labCluster.publish(new UserCommand.FollowLogs("lab", "none"))))
        .singleElement()
        .asString()
        .contains("there is no job none");
    var worker = working();
    labCluster.stop("j");
    worker.release();
    worker.syncAndWait();

    assertThat(labCluster.refused(labCluster.publish(new UserCommand.FollowLogs("lab", "j"))))
        .isEmpty();
  }
}
