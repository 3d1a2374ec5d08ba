package dev.mayfly.sim.gang;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.gang.GangOrder;
import dev.mayfly.core.model.gang.GangOrder.Step;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.reconcile.MachineEvent;
import dev.mayfly.core.reconcile.ReconcileResult;
import dev.mayfly.sim.control.ControlPlaneEntry;
import dev.mayfly.sim.control.CoreControlPlane;
import dev.mayfly.sim.fixture.ScriptedWorld;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How far apart the ranks of a gang start. */
class RankStartTest {
  private static Duration spread(ScriptedWorld scriptedWorld, int hosts) {
    scriptedWorld.until(() -> scriptedWorld.running().size() == 1, ofHours(1));
    return scriptedWorld.until(() -> scriptedWorld.running().size() == hosts, ofMinutes(1));
  }

  private static ScriptedWorld stage(
      ControlPlaneEntry.Maker maker, long seed, int hosts, int instances) {
    var job = ScriptedWorld.on("small", hosts, ScriptedWorld.job(0, 1, 2, ofMinutes(3), false));
    return ScriptedWorld.of(maker, seed, instances, List.of(ScriptedWorld.small(0, hosts)), job);
  }

  @ParameterizedTest
  @CsvSource({"2, 1", "2, 3", "4, 3"})
  void ranksStartTogetherWhicheverInstanceTheyCall(int hosts, int instances) {
    for (var seed = 1L; seed <= 20; seed++)
      assertThat(spread(stage(CoreControlPlane::new, seed, hosts, instances), hosts))
          .as("seed %d", seed)
          .isLessThan(ofSeconds(2));
  }

  /** Two replies to one sync may race, and the older one may be sent. */
  @Test
  void skippedStepComesWithNextAnswer() {
    var left = new AtomicInteger(1);

    var scriptedWorld =
        stage((ports, name) -> behind(new CoreControlPlane(ports, name), left), 1, 4, 1);

    assertThat(spread(scriptedWorld, 4)).isLessThan(ofSeconds(2));
    assertThat(left).hasValue(0);
  }

  /** Makes the first reply with the step to run a stale one. */
  private static ControlPlaneEntry behind(CoreControlPlane plane, AtomicInteger left) {
    return new ControlPlaneEntry() {
      @Override
      public void receive(UserMessage userMessage) {
        plane.receive(userMessage);
      }

      @Override
      public ReconcileResult receive(Trigger trigger) {
        return plane.receive(trigger);
      }

      @Override
      public ReconcileResult resume(ReconcileResult.Later later) {
        return plane.resume(later);
      }

      @Override
      public void passOn(ReconcileResult.Later later) {
        plane.passOn(later);
      }

      @Override
      public void receive(MachineEvent event) {
        plane.receive(event);
      }

      @Override
      public void sync(SyncReport report, Consumer<SyncOrders> reply) {
        plane.sync(
            report,
            orders -> {
              var runs = orders.gang().stream().anyMatch(o -> o.step() == Step.RUN);
              reply.accept(runs && left.getAndUpdate(n -> 0) > 0 ? before(orders) : orders);
            });
      }
    };
  }

  private static SyncOrders before(SyncOrders orders) {
    var gang =
        orders.gang().stream()
            .map(o -> new GangOrder(o.lease(), o.run(), Step.PREPARE, o.rank(), o.hosts()))
            .toList();
    return new SyncOrders(
        orders.seq(),
        orders.now(),
        orders.due(),
        orders.leases(),
        orders.specs(),
        orders.drain(),
        orders.fenced(),
        orders.followed(),
        gang);
  }
}
