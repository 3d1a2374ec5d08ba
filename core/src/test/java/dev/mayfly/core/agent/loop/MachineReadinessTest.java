package dev.mayfly.core.agent.loop;

import static dev.mayfly.core.agent.AgentFixtures.job;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.needing;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentDriver;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.sync.SyncReport.BootStep;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An agent's offers while its machine is being prepared, and after a failed preparation. */
class MachineReadinessTest {
  private static final List<BootStep> STEPS =
      List.of(new BootStep("mount /data", Duration.ofSeconds(30), Optional.of("port 2049")));
  private static final Resources ALL = Resources.cpu(64, 1L << 40);

  private final AgentDriver agent = new AgentDriver(machine(2), job());

  private void equipped(MachineReadiness machineReadiness) {
    agent.on(new AgentEvent.ReadinessChanged(STEPS, machineReadiness));
    agent.after(Duration.ofSeconds(1));
  }

  @Test
  void preparingMachineOffersNoRoom() {
    equipped(new MachineReadiness.Preparing("mount /data"));
    agent.on(new AgentEvent.Started(STEPS));

    assertThat(agent.report().room()).isEqualTo(Resources.ZERO);
    assertThat(agent.report().total()).isEqualTo(machine(2).visible());
    assertThat(agent.report().machineProblem())
        .contains(MachineProblem.Kind.PREPARING.of("mount /data"));
  }

  @Test
  void failedMountRunsNothingAndReportsCause() {
    equipped(new MachineReadiness.Unfit("mount /data: port 2049"));
    agent.granted(order(0, 3));

    assertThat(agent.take(AgentEffect.Start.class)).isEmpty();
    assertThat(agent.report().room()).isEqualTo(Resources.ZERO);
    assertThat(agent.report().machineProblem())
        .contains(MachineProblem.Kind.UNFIT.of("mount /data: port 2049"));
    assertThat(agent.report().boot()).isEqualTo(STEPS);
  }

  @Test
  void unfitMachineReturnsItsLeases() {
    equipped(new MachineReadiness.Unfit("mount /data: port 2049"));
    agent.granted(order(0, 3));
    agent.servedFor(Duration.ofSeconds(70), order(0, 3));

    assertThat(agent.lease(0).released()).isTrue();
  }

  /** Two tasks run and others wait for them when a device goes; one of the two. */
  private TaskAttempt losesDevice() {
    agent.granted(order(0, 5));
    var running = agent.take(AgentEffect.Start.class).getFirst().attempt();
    agent.on(new AgentEvent.DevicesLost("the driver shows 1 GPUs of 2"));
    agent.after(Duration.ofSeconds(1));
    return running;
  }

  private void assertStartsNothingMoreAfter(TaskAttempt running) {
    agent.succeeds(running);

    assertThat(agent.started()).isEmpty();
    assertThat(agent.report().room()).isEqualTo(Resources.ZERO);
    assertThat(agent.report().machineProblem())
        .contains(MachineProblem.Kind.UNFIT.of("the driver shows 1 GPUs of 2"));
  }

  @Test
  void machineWhoseDeviceIsGoneStartsNothingMore() {
    var running = losesDevice();

    assertStartsNothingMoreAfter(running);
  }

  @Test
  void readinessDoesNotBringDeviceBack() {
    var running = losesDevice();
    equipped(new MachineReadiness.Ready(ALL));

    assertStartsNothingMoreAfter(running);
  }

  @Test
  void machineThatBecomesFitStartsItsLeases() {
    equipped(new MachineReadiness.Unfit("mount /data: port 2049"));
    agent.granted(order(0, 3));
    equipped(new MachineReadiness.Ready(ALL));

    assertThat(agent.take(AgentEffect.Start.class)).hasSize(2);
    assertThat(agent.report().machineProblem()).isEmpty();
  }

  @Test
  void offerIsLimitedToFoundAndOrderedDevices() {
    var gpus = new Resources(8_000, 1, 4_000, 0);
    var agentDriver = new AgentDriver(machine(gpus), needing(new Resources(0, 0, 1_000, 0)));
    agentDriver.on(
        new AgentEvent.ReadinessChanged(
            STEPS, new MachineReadiness.Ready(new Resources(99_000, 99, 3_000, 9))));
    agentDriver.after(Duration.ofSeconds(1));

    assertThat(agentDriver.report().total()).isEqualTo(new Resources(8_000, 1, 3_000, 0));
    agentDriver.granted(order(0, 9));
    assertThat(agentDriver.take(AgentEffect.Start.class))
        .extracting(AgentEffect.Start::gpus)
        .containsExactly(List.of(0), List.of(1), List.of(2));
  }
}
