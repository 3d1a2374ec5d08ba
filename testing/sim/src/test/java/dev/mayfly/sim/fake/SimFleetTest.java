package dev.mayfly.sim.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.porttests.DocumentFixtures;
import dev.mayfly.porttests.StockoutContract;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.engine.SimTime;
import dev.mayfly.sim.engine.Trace;
import dev.mayfly.sim.fault.Fault;
import dev.mayfly.sim.fault.FaultInjector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SimFleetTest extends StockoutContract {
  private final SimTime time = new SimTime(DocumentFixtures.T0);
  private final Trace trace = new Trace(time);
  private final List<String> power = new ArrayList<>();
  private final SimFleet fleet = fleet(FaultInjector.none(trace));

  private SimFleet fleet(FaultInjector faultInjector) {
    return new SimFleet(time, new SimRandom(1), faultInjector, new Noted());
  }

  @Override
  protected Fleet fleet() {
    return fleet;
  }

  @Override
  protected void settle() {
    time.advance(Duration.ofMinutes(30));
  }

  @Override
  protected void exhaustZone(String zone) {
    fleet.stock(zone, 0);
  }

  @Override
  protected void preempt(CloudMachine.Name name) {
    fleet.machines().stream()
        .filter(m -> m.name().equals(name))
        .findFirst()
        .ifPresent(m -> fleet.preempt(m, false, Duration.ZERO, false));
    time.advance(Duration.ofSeconds(1));
  }

  @Test
  void deadMachineStillReportsRunning() {
    var order = order("w-1", "w1");
    fleet.order(order);
    settle();

    fleet.preempt(fleet.machines().iterator().next(), false, Duration.ofMinutes(5), true);
    time.advance(Duration.ofMinutes(1));
    assertThat(power).containsExactly("on w-1", "off w-1");
    assertThat(fleet.find(order.name()).orElseThrow().status())
        .isEqualTo(CloudMachine.Status.RUNNING);

    time.advance(Duration.ofMinutes(5));
    assertThat(fleet.find(order.name()).orElseThrow().status())
        .isEqualTo(CloudMachine.Status.STOPPED);
  }

  @Test
  void slowMachineIsAbsentAtFirst() {
    var slow = new FaultInjector(new SimRandom(3), trace, EnumSet.of(Fault.CREATE_SLOW));
    var cloud = fleet(slow);
    var seen = new ArrayList<Boolean>();
    for (var i = 0; i < 60; i++) {
      var order = order("w-" + i, "w" + i);
      cloud.order(order);
      seen.add(cloud.find(order.name()).isPresent());
    }
    assertThat(seen).contains(true, false);

    settle();

    assertThat(cloud.list().machines()).hasSize(60);
  }

  @Test
  void foreignMachinesAreListedOnlyWithOurLabel() {
    var order = order("theirs", "x");
    fleet.addForeign(order, Map.of("owner", "bob"));

    assertThat(fleet.list().machines()).isEmpty();
    assertThat(fleet.find(order.name())).isPresent();
  }

  private final class Noted implements FleetObserver {
    @Override
    public void on(SimMachine machine) {
      power.add("on " + machine);
    }

    @Override
    public void off(SimMachine machine) {
      power.add("off " + machine);
    }

    @Override
    public void notice(SimMachine machine) {
      power.add("notice " + machine);
    }

    @Override
    public void deleteAsked(SimMachine machine) {
      power.add("delete " + machine);
    }
  }
}
