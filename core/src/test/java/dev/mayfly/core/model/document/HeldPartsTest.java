package dev.mayfly.core.model.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.worker.MachineUsage.Part;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldPartsTest {
  private static final long GIB = 1L << 30;
  private static final Resources MACHINE = Resources.cpu(8, 32 * GIB);

  private static Worker.Held runs(String job, long start, int cpus) {
    return SpecFixtures.held(job, start, Resources.cpu(cpus, GIB), List.of(start));
  }

  private static Worker.Held untold(String job, long start, int cpus) {
    return SpecFixtures.held(job, start, Resources.cpu(cpus, GIB), List.of());
  }

  private static List<Double> parts(Worker.Held... leases) {
    return HeldParts.of(List.of(leases), MACHINE).stream().map(Part::share).toList();
  }

  @Test
  void leaseThatWaitsForRoomTakesNothing() {
    assertThat(parts(untold("a", 0, 3), untold("a", 1, 3), untold("a", 2, 3)))
        .containsExactly(0.375, 0.375, 0.0);
  }

  @Test
  void whatRunsIsCountedBeforeWhatWaits() {
    assertThat(parts(untold("a", 0, 4), runs("b", 0, 4), runs("b", 1, 4)))
        .containsExactly(0.0, 0.5, 0.5);
  }

  @Test
  void smallerOneStartsBesideOneThatWaits() {
    assertThat(parts(runs("a", 0, 6), untold("a", 1, 4), untold("b", 0, 2)))
        .containsExactly(0.75, 0.0, 0.25);
  }
}
