package dev.mayfly.core.agent.sync;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.job;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentDriver;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.job.PinnedImage;
import dev.mayfly.core.model.sync.SyncReport;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An agent reports the digest that a job's image tag resolved to. */
class PulledImagesTest {
  private static final PinnedImage FIRST = new PinnedImage("lab/x:1", "sha256:" + "a".repeat(64));
  private static final PinnedImage OTHER = new PinnedImage("lab/x:1", "sha256:" + "b".repeat(64));

  private final AgentDriver agent = new AgentDriver(machine(2), job());

  @Test
  void imageDigestIsReportedWhileLeaseIsHeld() {
    agent.granted(order(0, 4)).servedFor(java.time.Duration.ofSeconds(20), order(0, 4)).syncs();
    agent.on(new AgentEvent.ImagePulled(attempt(0, 0), FIRST)).millis(1_000);

    assertThat(agent.report().images()).containsExactly(new SyncReport.Pulled("j1", FIRST));
    assertThat(agent.syncs()).isEqualTo(1);
    agent.orders(order(0, 4)).on(new AgentEvent.ImagePulled(attempt(0, 1), FIRST));
    agent.servedFor(java.time.Duration.ofSeconds(20), order(0, 4));
    assertThat(agent.report().images()).containsExactly(new SyncReport.Pulled("j1", FIRST));
  }

  @Test
  void laterDigestReplacesEarlierOne() {
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

    agent.orders().servedFor(java.time.Duration.ofSeconds(20));
    assertThat(agent.report().images()).isEmpty();
  }
}
