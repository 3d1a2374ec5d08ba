package dev.mayfly.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.world.World;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The machine time that costs are made of, beside the one that the cloud bills. It is counted from
 * the accepted order to the proof that the machine is gone, and billed while the machine runs.
 */
class BillTest {
  private static final int WORLDS = 12;
  private static final Duration MOST_BEYOND = Duration.ofSeconds(90);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void countedTimeIsThatOfTheBill(boolean preempted) {
    for (var seed = 1; seed <= WORLDS; seed++) {
      var world = EstimateCalibration.ended(seed, preempted);
      var machines = world.fleet().ever();
      assertThat(world.fleet().machines()).isEmpty();

      var billed = machines.stream().map(SimMachine::billed).reduce(Duration.ZERO, Duration::plus);
      assertThat(counted(world))
          .as("world %d, %d machines", seed, machines.size())
          .isBetween(billed, billed.plus(MOST_BEYOND.multipliedBy(machines.size())));
    }
  }

  private static Duration counted(World world) {
    var workers =
        world.truth().all(Worker.class).stream()
            .flatMap(worker -> worker.usage().stream())
            .flatMap(usage -> usage.entries().stream())
            .mapToLong(MachineUsage.Entry::millis)
            .sum();
    var days =
        world.truth().all(Usage.class).stream()
            .flatMap(usage -> usage.rows().stream())
            .mapToLong(Usage.Row::millis)
            .sum();
    return Duration.ofMillis(workers + days);
  }
}
