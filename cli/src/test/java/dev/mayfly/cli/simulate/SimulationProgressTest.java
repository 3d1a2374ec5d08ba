package dev.mayfly.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.sim.experiment.Passed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationProgressTest {
  private final List<String> notes = new ArrayList<>();
  private Instant now = Instant.EPOCH;

  private SimulationProgress progress(int runs) {
    return new SimulationProgress("lab.yaml", runs, Duration.ofDays(7), () -> now, notes::add);
  }

  private void after(SimulationProgress progress, int seconds) {
    now = now.plusSeconds(seconds);
    progress.passed(new Passed(Duration.ofMinutes(150), 120, 1_400));
  }

  @Test
  void shortRunsSayNothing() {
    after(progress(1), 4);

    assertThat(notes).isEmpty();
  }

  @Test
  void longRunSaysHowFarItIs() {
    var progress = progress(1);
    for (var second = 0; second < 30; second++) after(progress, 1);

    assertThat(notes)
        .hasSize(2)
        .allMatch(
            "lab.yaml: 2h30m of at most 7d are simulated, 120 of 1,400 tasks are done"::equals);
  }

  @Test
  void severalRunsAreCounted() {
    var progress = progress(50);
    progress.ended();
    progress.ended();
    after(progress, 6);

    assertThat(notes).containsExactly("lab.yaml: runs that have ended: 2 of 50");
  }
}
