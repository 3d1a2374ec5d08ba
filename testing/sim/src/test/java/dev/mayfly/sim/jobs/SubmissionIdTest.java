package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A submission id identifies one job. */
class SubmissionIdTest {
  private final LabCluster labCluster = new LabCluster();

  /** Otherwise the second job would silently never start. */
  @Test
  void submissionOfAnotherJobIsRefused() {
    var id = Optional.of("nightly-7");
    labCluster.publish(new UserCommand.SubmitJob(LabCluster.count("r", 10), id));

    var again = labCluster.publish(new UserCommand.SubmitJob(LabCluster.count("r", 10), id));
    var changed = labCluster.publish(new UserCommand.SubmitJob(LabCluster.count("r", 11), id));
    var renamed = labCluster.publish(new UserCommand.SubmitJob(LabCluster.count("weekly", 10), id));

    assertThat(labCluster.refused(again)).isEmpty();
    assertThat(labCluster.refused(changed))
        .singleElement()
        .asString()
        .contains("submission", "was used by job r", "choose another id");
    assertThat(labCluster.refused(renamed))
        .singleElement()
        .asString()
        .contains("was used by job r");
    assertThat(labCluster.jobs()).hasSize(1);
  }
}
