package dev.mayfly.core.agent.sync;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.job;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static dev.mayfly.core.agent.AgentFixtures.stopping;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentDriver;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.sync.MountUse;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of a machine on which nothing happens each report repeats the last one, until something does. */
class RepeatedReportTest {
  private static final SyncOrders.Lease LEASE = order(0, 4);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final AgentDriver agent = new AgentDriver(machine(2), job());
  private SyncReport quiet;

  @BeforeEach
  void nothingHappensForAWhile() {
    agent.granted(LEASE).servedFor(MINUTE, LEASE);
    quiet = agent.report();
    agent.servedFor(MINUTE, LEASE);
  }

  @Test
  void nothingButTheNumberChanges() {
    var last = agent.report();

    assertThat(last.seq()).isGreaterThan(quiet.seq());
    assertThat(last).isEqualTo(quiet.again(last.seq(), last.waitSeconds()));
    assertThat(last.leases()).isSameAs(quiet.leases());
  }

  @Test
  void whatIsMeasuredIsInTheNextReport() {
    var mount = new MountUse("/data", Optional.empty(), 2, 1);

    agent.on(new AgentEvent.MountsMeasured(List.of(mount))).servedFor(MINUTE, LEASE);

    assertThat(agent.report().mounts()).containsExactly(mount);
  }

  @Test
  void aCheckpointIsInTheNextReport() {
    var until = agent.now().wall();

    agent.on(new AgentEvent.CheckpointStored(attempt(0, 1), until)).servedFor(MINUTE, LEASE);

    assertThat(agent.lease(0).kept().orElseThrow())
        .singleElement()
        .satisfies(kept -> assertThat(kept.index()).isEqualTo(1));
  }

  @Test
  void aTaskThatEndedIsInTheNextReport() {
    agent.succeeds(attempt(0, 0)).servedFor(MINUTE, LEASE);

    assertThat(agent.lease(0).done().has(0)).isTrue();
    assertThat(agent.lease(0).running()).containsExactly(1L, 2L);
  }

  @Test
  void otherOrdersAreFollowedAndReported() {
    agent.started();

    agent.servedFor(MINUTE, stopping(0, 4, 3L));

    assertThat(agent.lease(0).failed())
        .singleElement()
        .satisfies(failure -> assertThat(failure.index()).isEqualTo(3));
  }

  @Test
  void aLeaseThatOrdersOmitIsReportedNoMore() {
    agent.servedFor(MINUTE);

    assertThat(agent.killed()).contains(0L, 1L);
    agent.on(new AgentEvent.Killed(attempt(0, 0))).on(new AgentEvent.Killed(attempt(0, 1)));
    agent.servedFor(MINUTE);
    assertThat(agent.report().leases()).isEmpty();
  }
}
