package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.sim.fixture.LabCluster;
import org.junit.jupiter.api.Test;

/** Two processes handle one retry. */
class JobRetryTest {
  private final LabCluster labCluster = new LabCluster();

  private void end() {
    labCluster.stop("j");
    labCluster.deliver();
    assertThat(labCluster.job("j").state().ended()).isTrue();
  }

  private ObjectInfo outcome() {
    var at = BucketLayout.of("gs://lab").outcome(labCluster.job("j").uid(), 0);
    return labCluster.objects.find(at).orElseThrow();
  }

  /** The other copy runs, and its job ends again, before this one stores that it runs. */
  @Test
  void lateCopySparesOutcomeOfTheNextEnd() {
    labCluster.submit(LabCluster.count("j", 1));
    end();
    var before = outcome();
    var retry = labCluster.message(new UserCommand.RetryJob("lab", "j"));
    labCluster.ledger.after(
        writes -> writes.stream().anyMatch(w -> w.key() instanceof DocumentKey.OfShard),
        () -> {
          labCluster.controlPlane.commandHandler().handle(retry);
          end();
        });

    var late = labCluster.control("b").commandHandler();
    assertThatThrownBy(() -> late.handle(retry)).isInstanceOf(UnavailableException.class);
    late.handle(retry);

    assertThat(labCluster.job("j").state().ended()).isTrue();
    assertThat(outcome().generation()).isGreaterThan(before.generation());
  }

  @Test
  void outcomeOfTheEarlierEndIsDeleted() {
    labCluster.submit(LabCluster.count("j", 1));
    end();
    var at = outcome().url();

    labCluster.publish(new UserCommand.RetryJob("lab", "j"));

    assertThat(labCluster.job("j").running()).isTrue();
    assertThat(labCluster.objects.find(at)).isEmpty();
  }
}
