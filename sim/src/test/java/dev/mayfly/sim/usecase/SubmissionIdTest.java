package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Command;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An id that a submitter chose is for one job. */
class SubmissionIdTest {
  private final Lab lab = new Lab();

  /** Else the second one would never begin, and nobody would hear of it. */
  @Test
  void submissionOfAnotherJobIsRefused() {
    var id = Optional.of("nightly-7");
    lab.publish(new Command.SubmitJob(Lab.count("r", 10), id));

    var again = lab.publish(new Command.SubmitJob(Lab.count("r", 10), id));
    var changed = lab.publish(new Command.SubmitJob(Lab.count("r", 11), id));
    var renamed = lab.publish(new Command.SubmitJob(Lab.count("weekly", 10), id));

    assertThat(lab.refused(again)).isEmpty();
    assertThat(lab.refused(changed))
        .singleElement()
        .asString()
        .contains("submission", "was used by job r", "choose another id");
    assertThat(lab.refused(renamed)).singleElement().asString().contains("was used by job r");
    assertThat(lab.jobs()).hasSize(1);
  }
}
