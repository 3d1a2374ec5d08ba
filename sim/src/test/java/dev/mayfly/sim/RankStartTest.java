package dev.mayfly.sim;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.Looked;
import dev.mayfly.core.control.MachineEvent;
import dev.mayfly.core.model.GangOrder;
import dev.mayfly.core.model.GangOrder.Step;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How far apart the ranks of a gang start. */
class RankStartTest {
  private static Duration spread(Stage stage, int hosts) {
    stage.until(() -> stage.running().size() == 1, ofHours(1));
    return stage.until(() -> stage.running().size() == hosts, ofMinutes(1));
  }

  private static Stage stage(ControlPlane.Maker maker, long seed, int hosts, int instances) {
    var job = Stage.on("small", hosts, Stage.job(0, 1, 2, ofMinutes(3), false));
    return Stage.of(maker, seed, instances, List.of(Stage.small(0, hosts)), job);
  }

  @ParameterizedTest
  @CsvSource({"2, 1", "2, 3", "4, 3"})
  void ranksStartTogetherWhicheverInstanceTheyCall(int hosts, int instances) {
    for (var seed = 1L; seed <= 20; seed++)
      assertThat(spread(stage(CorePlane::new, seed, hosts, instances), hosts))
          .as("seed %d", seed)
          .isLessThan(ofSeconds(2));
  }

  /** Two answers to one call may be written at once, and the older one be sent. */
  @Test
  void stepThatAnAnswerLeftOutIsInTheNext() {
    var left = new AtomicInteger(1);

    var stage = stage((ports, name) -> behind(new CorePlane(ports, name), left), 1, 4, 1);

    assertThat(spread(stage, 4)).isLessThan(ofSeconds(2));
    assertThat(left).hasValue(0);
  }

  /** Its first answer with the step to run is as it was a moment before. */
  private static ControlPlane behind(CorePlane plane, AtomicInteger left) {
    return new ControlPlane() {
      @Override
      public void receive(Message message) {
        plane.receive(message);
      }

      @Override
      public Looked receive(Hint hint) {
        return plane.receive(hint);
      }

      @Override
      public Looked resume(Looked.Later later) {
        return plane.resume(later);
      }

      @Override
      public void passOn(Looked.Later later) {
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
