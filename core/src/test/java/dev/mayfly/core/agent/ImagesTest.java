package dev.mayfly.core.agent;

import static dev.mayfly.core.agent.Fixtures.attempt;
import static dev.mayfly.core.agent.Fixtures.job;
import static dev.mayfly.core.agent.Fixtures.machine;
import static dev.mayfly.core.agent.Fixtures.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.ExactImage;
import dev.mayfly.core.model.SyncReport;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An agent tells what the tag of a job's image named. */
class ImagesTest {
  private static final ExactImage FIRST = new ExactImage("lab/x:1", "sha256:" + "a".repeat(64));
  private static final ExactImage OTHER = new ExactImage("lab/x:1", "sha256:" + "b".repeat(64));

  private final Driven agent = new Driven(machine(2), job());

  @Test
  void aTagIsToldAtOnceAndAgainAtEachSyncWhileThereIsALeaseOfTheJob() {
    agent.granted(order(0, 4)).heardFor(java.time.Duration.ofSeconds(20), order(0, 4)).syncs();
    agent.on(new AgentEvent.ImagePulled(attempt(0, 0), FIRST)).millis(1_000);

    assertThat(agent.report().images()).containsExactly(new SyncReport.Pulled("j1", FIRST));
    assertThat(agent.syncs()).isEqualTo(1);
    agent.orders(order(0, 4)).on(new AgentEvent.ImagePulled(attempt(0, 1), FIRST));
    agent.heardFor(java.time.Duration.ofSeconds(20), order(0, 4));
    assertThat(agent.report().images()).containsExactly(new SyncReport.Pulled("j1", FIRST));
  }

  @Test
  void whatWasPulledLaterForTheJobTakesItsPlace() {
    agent.granted(order(0, 4));
    agent.on(new AgentEvent.ImagePulled(attempt(0, 0), FIRST));
    agent.on(new AgentEvent.ImagePulled(attempt(0, 1), OTHER)).millis(1_000);

    assertThat(agent.report().images()).isEqualTo(List.of(new SyncReport.Pulled("j1", OTHER)));
  }

  @Test
  void aJobWithoutALeaseIsForgotten() {
    agent.granted(order(0, 1)).on(new AgentEvent.ImagePulled(attempt(0, 0), FIRST));
    agent.succeeds(attempt(0, 0)).millis(1_000);
    assertThat(agent.report().images()).as("the report that gives it back").hasSize(1);

    agent.orders().heardFor(java.time.Duration.ofSeconds(20));
    assertThat(agent.report().images()).isEmpty();
  }
}
