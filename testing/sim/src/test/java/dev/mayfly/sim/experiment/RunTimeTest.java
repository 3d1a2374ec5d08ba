package dev.mayfly.sim.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.sim.world.World;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RunTimeTest {
  @Test
  void timesAreWholeMilliseconds() {
    var at = World.START.plus(Duration.parse("PT9H45M24.7705S"));

    assertThat(RunTime.since(at)).isEqualTo(Duration.parse("PT9H45M24.770S"));
  }

  @Test
  void pointsInTimeAreToldFromTheStart() {
    var at = World.START.plus(Duration.parse("PT26H14M33S"));

    assertThat(RunTime.told("its turn lasts until " + at + ", as of job a-2026"))
        .isEqualTo("its turn lasts until 26h14m, as of job a-2026");
  }
}
