package dev.mayfly.core.agent.task;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.needing;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentDriver;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Parts of GPUs: the devices of tasks, and the reported free room. */
class GpuAllocationTest {
  private static List<List<Integer>> devices(int gpus, double share, int tasks) {
    var has = new Resources(64_000, 1, gpus * 1_000L, 0);
    var need = new Resources(0, 0, Math.round(share * 1_000), 0);
    var agent = new AgentDriver(machine(has), needing(need));
    agent.granted(order(0, tasks));
    return agent.take(AgentEffect.Start.class).stream().map(AgentEffect.Start::gpus).toList();
  }

  @Test
  void fifthsFillOneGpuFirst() {
    assertThat(devices(2, 0.2, 6))
        .containsExactly(List.of(0), List.of(0), List.of(0), List.of(0), List.of(0), List.of(1));
  }

  @Test
  void quartersFillOneGpuFirst() {
    assertThat(devices(2, 0.25, 5))
        .containsExactly(List.of(0), List.of(0), List.of(0), List.of(0), List.of(1));
  }

  @Test
  void twelveSeedsShareThreeGpus() {
    var devices = devices(3, 0.25, 13);

    assertThat(devices).hasSize(12);
    for (var i = 0; i < 3; i++) assertThat(devices).filteredOn(List.of(i)::equals).hasSize(4);
  }

  @Test
  void quartersOfMemoryFillOneGpuFirst() {
    var has = new Resources(64_000, 1, 2_000, 0, 16L << 30);
    var need = new Resources(0, 0, 0, 0, 4L << 30);
    var agent = new AgentDriver(machine(has), needing(need));
    agent.granted(order(0, 5));
    var devices =
        agent.take(AgentEffect.Start.class).stream().map(AgentEffect.Start::gpus).toList();
    agent.after(Duration.ofSeconds(11));

    assertThat(devices).containsExactly(List.of(0), List.of(0), List.of(0), List.of(0), List.of(1));
    assertThat(agent.report().gpus())
        .containsExactly(
            new SyncReport.Gpu(1_000, 0, Optional.of(16L << 30), Optional.of(0L)),
            new SyncReport.Gpu(250, 750, Optional.of(4L << 30), Optional.of(12L << 30)));
    assertThat(agent.report().freeResources().slots(need)).isEqualTo(3);
  }

  @Test
  void endedTaskReturnsItsMemory() {
    var has = new Resources(64_000, 1, 1_000, 0, 16L << 30);
    var need = new Resources(0, 0, 100, 0, 10L << 30);
    var agent = new AgentDriver(machine(has), needing(need));
    agent.granted(order(0, 2));
    assertThat(agent.take(AgentEffect.Start.class)).as("ten of sixteen GiB").hasSize(1);

    agent.exits(attempt(0, 0), 0);

    assertThat(agent.take(AgentEffect.Start.class)).hasSize(1);
  }

  @Test
  void roomIsReportedByDevice() {
    var need = new Resources(0, 0, 400, 0);
    var agent = new AgentDriver(machine(new Resources(8_000, 1, 2_000, 0)), needing(need));
    agent.granted(order(0, 4));
    agent.after(Duration.ofSeconds(11));

    assertThat(agent.report().gpus())
        .containsExactly(
            new SyncReport.Gpu(800, 200, Optional.empty(), Optional.empty()),
            new SyncReport.Gpu(800, 200, Optional.empty(), Optional.empty()));
    assertThat(agent.report().freeResources().slots(new Resources(0, 0, 300, 0))).isZero();
  }

  @Test
  void leaseThatCannotStartIsGivenBack() {
    var need = new Resources(0, 0, 600, 0);
    var agent = new AgentDriver(machine(new Resources(8_000, 1, 1_000, 0)), needing(need));
    agent.granted(order(0, 1), order(50, 51));
    assertThat(agent.take(AgentEffect.Start.class)).hasSize(1);

    agent.servedFor(Duration.ofSeconds(55), order(0, 1), order(50, 51));
    assertThat(agent.lease(50).released()).isFalse();
    agent.servedFor(Duration.ofSeconds(10), order(0, 1), order(50, 51));
    assertThat(agent.lease(50).released()).isTrue();
    assertThat(agent.lease(0).released()).isFalse();

    agent.exits(attempt(0, 0), 0);
    assertThat(agent.take(AgentEffect.Start.class)).as("it may be another's by now").isEmpty();
  }
}
