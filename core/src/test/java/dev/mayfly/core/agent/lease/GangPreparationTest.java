package dev.mayfly.core.agent.lease;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.job;
import static dev.mayfly.core.agent.AgentFixtures.lease;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentDriver;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.gang.GangOrder;
import dev.mayfly.core.model.gang.GangReport.Trouble;
import dev.mayfly.core.model.sync.SyncOrders;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A host prepares its part of a gang. */
class GangPreparationTest {
  private final AgentDriver agent = new AgentDriver(machine(2), job());

  private void prepare() {
    var order =
        new GangOrder(lease(0), 1, GangOrder.Step.PREPARE, 0, List.of("10.0.0.1", "10.0.0.2"));
    var now = agent.now().wall();
    agent.on(
        new AgentEvent.OrdersReceived(
            new SyncOrders(
                agent.report().seq(),
                now,
                now.plusSeconds(40),
                List.of(),
                List.of(job()),
                Optional.empty(),
                false,
                List.of(),
                List.of(order))));
    agent.nothingDone(0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void failureNamesWhoIsToBlame(boolean machine) {
    prepare();
    assertThat(agent.take(AgentEffect.Prepare.class)).hasSize(1);

    agent.on(
        new AgentEvent.PrepareFailed(
            attempt(0, 0),
            FailureCause.INFRASTRUCTURE,
            machine,
            "the device is busy",
            AgentEvent.Prospect.OPEN));

    agent.millis(1_000);
    assertThat(agent.report().gang())
        .singleElement()
        .satisfies(part ->
            assertThat(part.trouble())
                .contains(new Trouble(FailureCause.INFRASTRUCTURE, machine, "the device is busy")));
  }
}
